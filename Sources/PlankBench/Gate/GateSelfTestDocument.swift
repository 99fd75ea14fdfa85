internal import Evaluation
internal import Statistics

extension GateSelfTest {
  /// The answer, and what to do.
  var answer: String {
    if same != .pass { return "Do not use \(gate): the same answers twice are \(same.rawValue)" }
    if criesWolf {
      return
        "Loosen \(gate): it stops \(NumberText.percent(harmless.stopped.share)) of harmless changes"
    }
    guard let found else { return "Record more people: \(gate) finds no loss on this data" }
    return "Use \(gate): it finds losses of \(Self.points(found.loss)) or more"
  }

  /// The result on a page: all of it.
  func page(_ origin: ResultOrigin) -> ResultPage {
    ResultPage(document(origin), origin, titleIs: .answer)
  }

  /// The result for people.
  func document(_ origin: ResultOrigin) -> Document {
    var document = Document()
    document.heading(answer)
    document.paragraph(
      StyledText(
        "\(gate): \(candidate) on \(origin.datasetName), "
          + NumberText.people(people)
          + ", \(NumberText.count(rules.count, "rule")) with a baseline."))
    document.list(sentences)
    document.table(table)
    document.paragraph(
      StyledText(
        "A change affects people differently: by a standard deviation of "
          + "\(Self.points(spread)) of accuracy (--spread). Brackets: 95 % intervals."
          + (limits > 0
            ? " \(NumberText.count(limits, "rule")) with limits only: not tried." : ""),
        .dim))
    return document
  }

  private var sentences: [StyledText] {
    let alarms = harmless.stopped
    let finding =
      found.map { size in
        "A loss of \(Self.points(size.loss)) of accuracy stops \(Self.text(size.stopped)) of changes."
      } ?? "No loss up to \(Self.points(planted.last?.loss ?? 0)) stops 4 of 5 changes."
    return [
      StyledText("The same answers twice: \(same.rawValue).", same == .pass ? .good : .bad),
      StyledText(finding, found == nil ? .warning : .good),
      StyledText(
        "False alarms: \(Self.text(alarms)) of \(NumberText.count(alarms.trials)) changes without "
          + "a true loss. A gate may have \(NumberText.percent(Self.mostAlarms)).",
        criesWolf ? .bad : .good),
    ]
  }

  /// A line per size, and a column per rule.
  private var table: Table {
    var table = Table(
      [.number("planted loss"), .number("stopped")]
        + rules.map { .number("by \($0.name)") })
    for size in [harmless] + planted {
      table.row(
        [
          StyledText(size.loss == 0 ? "none" : Self.points(size.loss)),
          StyledText(Self.text(size.stopped)),
        ] + size.byRule.map { StyledText(NumberText.percent($0.share)) })
    }
    return table
  }

  private static func points(_ share: Double) -> String {
    NumberText.count(Int((100 * share).rounded()), "point")
  }

  private static func text(_ share: ShareOfTrials) -> String {
    "\(NumberText.percent(share.share)) (\(NumberText.fixed(100 * share.interval.lowerBound, 1)) ... "
      + "\(NumberText.fixed(100 * share.interval.upperBound, 1)))"
  }
}
