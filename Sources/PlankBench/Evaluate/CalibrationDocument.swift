internal import Evaluation
internal import PoseModel
internal import Statistics

extension CalibrationReport {
  private static let mostNamed = 2

  var sentences: [StyledText] {
    [StyledText(calibratedSentence), StyledText(changeSentence), refusedSentence]
      .filter { !$0.text.isEmpty }
  }

  private var calibratedSentence: String {
    let all = NumberText.count(holds.count, "recording")
    guard let least = offsets.first, let most = offsets.last else {
      return "Calibrated by \(choice): none of \(all)."
    }
    let middle = offsets[(offsets.count - 1) / 2]
    let range =
      offsets.count == 1
      ? text(least) + " \(unit)" : "\(text(least)) to \(text(most)) \(unit), median \(text(middle))"
    let rest = unscoredFrames(.plank)
    return "Calibrated by \(choice): \(NumberText.count(calibrated.count)) of \(all), "
      + "`\(measurement)` off by \(range); \(NumberText.count(rest, "frame")) of holds "
      + "\(rest == 1 ? "is" : "are") not scored."
  }

  private var changeSentence: String {
    guard !calibrated.isEmpty, let shown = comparison.first, let before = shown.before.number,
      let after = shown.after.number, let difference = shown.difference
    else { return "" }
    let interval = shown.intervals.wider.interval.map { " (\($0.text()))" } ?? ""
    return "Form, balanced accuracy on the same frames: \(NumberText.fixed(before, 3)) without, "
      + "\(NumberText.fixed(after, 3)) with calibration, difference "
      + "\(NumberText.fixed(difference, 3))\(interval)."
  }

  private var refusedSentence: StyledText {
    guard !refused.isEmpty else { return "" }
    let named = refused.prefix(Self.mostNamed).map { "\($0.sequence): \($0.refusal ?? "")" }
    let rest = refused.count - named.count
    return StyledText(
      "Not calibrated, judged by the limits as they are: "
        + "\(NumberText.count(refused.count, "recording")). \(named.joined(separator: ". "))."
        + (rest > 0 ? " \(NumberText.count(rest)) more: --section calibration." : ""), .warning)
  }

  var document: Document {
    var document = Document()
    document.heading("Calibration by \(choice)")
    document.list(Array(sentences.dropLast(refused.isEmpty ? 0 : 1)))
    var table = Table([
      .words("recording"), .words("person"), .number("from s"), .number("to s"),
      .number("offset \(unit)"), .words("why not"),
    ])
    for hold in holds {
      table.row([
        StyledText(hold.sequence, .strong), StyledText(hold.subject ?? ""),
        StyledText(hold.start.map { NumberText.fixed($0.value, 2) } ?? ""),
        StyledText(hold.end.map { NumberText.fixed($0.value, 2) } ?? ""),
        StyledText(hold.offset.map(text) ?? ""), StyledText(hold.refusal ?? "", .warning),
      ])
    }
    document.table(table)
    document.paragraph(
      StyledText(
        "The form rules compare `\(measurement)` less the offset. Frames of a hold are not scored, "
          + "nor is the form before it. Limits of a calibrated detector are limits on the true "
          + "position.", .dim))
    return document
  }

  private var offsets: [Double] { holds.compactMap(\.offset).sorted() }

  private func text(_ offset: Double) -> String { NumberText.fixed(offset, unit == "deg" ? 1 : 3) }
}

extension CalibrationReport.Hold {
  func explanation(of measurement: String?, unit: String?) -> String {
    guard let start, let end, let offset, let measurement, let unit else {
      return refusal.map { "Not calibrated: \($0)." } ?? ""
    }
    return "Calibrated by the hold from \(NumberText.short(start.value)) to "
      + "\(NumberText.short(end.value)) s: form rules compare \(measurement) less "
      + "\(NumberText.fixed(offset, unit == "deg" ? 1 : 3)) \(unit)."
  }
}
