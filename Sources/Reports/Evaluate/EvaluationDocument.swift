internal import Evaluation
package import PoseModel
internal import Statistics

extension EvaluationReport: CommandResult {
  static let command = "evaluate"
  static let schemaVersion = 3

  func document(_ origin: ResultOrigin) -> Document {
    var document = opening(origin, matrices: false)
    for section in ReportSection.allCases { append(section, origin, to: &document) }
    return document
  }

  package func document(of sections: [ReportSection], _ origin: ResultOrigin) -> Document {
    var document = title(origin)
    for section in ReportSection.allCases where sections.contains(section) {
      append(section, origin, to: &document)
    }
    return document
  }

  func heading(_ origin: ResultOrigin) -> String { "\(detector.name) on \(origin.datasetName)" }

  func title(_ origin: ResultOrigin) -> Document {
    var document = Document()
    document.heading(heading(origin), level: 1)
    return document
  }

  /// What a screen shows; a whole document has its own section for the matrices.
  func opening(_ origin: ResultOrigin, matrices: Bool) -> Document {
    var document = title(origin)
    let verdict = EvaluationVerdict(report: self, origin: origin)
    let (facts, sentences) = (verdict.facts, verdict.sentences)
    document.paragraph(verdict.verdict, .answer)
    for part in judgedStreams where matrices { document.table(part.smallMatrix, .answer) }
    document.paragraph(verdict.more, .plain, .answer)
    document.code(verdict.commands, .answer)
    document.list(
      facts.prefix(1) + sentences.filter { $0.tone != .dim }, .reason)
    document.list(sentences.filter { $0.tone == .dim }, .reason)
    document.list(Array(facts.dropFirst()), .remark)
    return document
  }

  func append(_ section: ReportSection, _ origin: ResultOrigin, to document: inout Document) {
    switch section {
    case .detector:
      document.paragraph(detector.sentence, .dim)
      appendOthers(to: &document)
    case .next: if let next { document.append(next.document) }
    case .calibration: if let calibration { document.append(calibration.document) }
    case .sources: document.append(bySource)
    case .matrix:
      for part in [plank, form] {
        document.append(part.matrix(hasFrames: isDetailed, isMean: dataset.sources.count > 1))
      }
    case .activities: document.append(byActivity)
    case .metrics:
      for part in [plank, form] { document.append(part.metrics(hasMethods: isDetailed)) }
    case .stability: appendStability(to: &document)
    case .temporal:
      document.append(overTime)
      if isDetailed { document.append(overTimeInDetail) }
    case .slices: document.append(sliceTables)
    case .worst: appendMoments(to: &document)
    case .device: appendDevice(to: &document)
    case .agreement:
      if let annotatorAgreement {
        document.append(annotatorAgreement.document(isBesideScores: true))
      }
    case .jitter: appendJitter(to: &document)
    case .timing: appendTiming(to: &document)
    case .notes: appendNotes(to: &document)
    case .provenance:
      document.heading("Provenance")
      document.list(origin.provenanceLines)
    }
  }

  private func appendOthers(to document: inout Document) {
    guard !otherDetectors.isEmpty else { return }
    document.heading("Other built-in detectors")
    document.table(otherDetectors) { row, other in
      row.words("detector", other.name, .strong)
      row.number("plank accuracy", other.accuracy.plank.text())
      row.number("form accuracy", other.accuracy.form.text())
      row.number("plank decided", other.determined.plank.percentText)
      row.number("form decided", other.determined.form.percentText)
    }
    document.paragraph(
      "These detectors have default parameters and no smoothing. `planklab compare` tests differences."
    )
  }

  private func appendNotes(to document: inout Document) {
    let all = warnings + notes
    guard !all.isEmpty else { return }
    document.heading("Notes")
    document.list(all.map { StyledText($0) })
  }

  private func appendJitter(to document: inout Document) {
    if isDetailed { return document.append(jitter.details) }
    document.heading(isUnlabeled ? "Jitter while the answer is a plank" : "Jitter in holds")
    document.table(jitter.table)
  }

  private func appendStability(to document: inout Document) {
    document.heading("Steadiness")
    if !isUnlabeled { document.table(stabilityTable) }
    document.table(AnswerStream.allCases) { row, stream in
      let part = flicker[stream]
      row.words(
        "all frames, labeled or not",
        stream.rawValue + (stream == .form ? ", while the answer is a plank" : ""))
      row.number("minutes", part.seconds / 60, 2)
      row.number("changes", "\(part.changes)")
      row.number("per min", part.changesPerMinute.text(2))
      row.number("under 0.5 s", "\(part.shortAnswers)")
      row.number("per min", part.shortAnswersPerMinute.text(2))
    }
    document.paragraph(
      "Stretches without a pose: \(flicker.dropouts.count) "
        + "(\(flicker.dropoutsPerMinute.text(2)) per minute), "
        + "\(NumberText.fixed(flicker.dropouts.seconds, 1)) s in total; the longest is "
        + "\(NumberText.fixed(flicker.dropouts.longest, 2)) s.")
  }

  private var stabilityTable: Table {
    Table([plank, form]) { row, part in
      let view = part.view
      row.words("stream", part.stream.rawValue, .strong)
      row.number("minutes", view.stability.evaluatedSeconds / 60, 2)
      row.number("transitions", "\(view.stability.predictedTransitions)")
      row.number("true", "\(view.stability.trueTransitions)")
      row.number("excess/min", view[.excessTransitionsPerMinute].text(2))
      row.number("false/min", view[.falseTransitionsPerMinute].text(2))
      row.number("missed", view[.missedTransitions].text(0))
      row.number("flickers/min", view[.flickersPerMinute].text(2))
    }
  }

  private func appendMoments(to document: inout Document) {
    if isUnlabeled {
      guard !flicker.restlessMoments.isEmpty else { return }
      document.heading("The least steady moments")
      return document.code(momentLines(RestlessMoment.limit))
    }
    let moments = WorstMoment.worst(plank.worstMoments + form.worstMoments)
    guard !moments.isEmpty else { return }
    document.heading(moments.count == 1 ? "The worst moment" : "The \(moments.count) worst moments")
    document.table(moments) { row, moment in
      let nearest = moment.nearestThreshold
      let hasRules = !detector.rules[moment.stream].isEmpty
      row.words("sequence", moment.sequence)
      row.number("at s", moment.frameTime.value, 3)
      row.number("for s", moment.duration.value, 2)
      row.words("truth -> answer", "\(moment.truth) -> \(moment.answer)", .bad)
      row.words(
        "closest to a change", nearest?.text ?? (hasRules ? "none alone" : "no rules known"), .dim)
      row.number("margin", nearest.map { NumberText.fixed($0.margin, 3) + " " + $0.unit } ?? "")
    }
    guard explain != nil else { return }
    document.paragraph("To see all rules at one of these moments:")
    document.code(momentLines(3))
  }

  private func appendDevice(to document: inout Document) {
    guard let device = deviceComparison else { return }
    let source = detector.rules.plank.isEmpty ? "prediction" : "detector"
    document.heading("The device's answers compared with the \(source)'s")
    if device.isEqual {
      document.paragraph(
        "All \(device.plank.framesCompared) plank and \(device.form.framesCompared) form answers "
          + (source == "detector"
            ? "agree: the app runs the detector that was tuned." : "agree."),
        .good)
      return
    }
    for (stream, part) in [(AnswerStream.plank, device.plank), (.form, device.form)] {
      document.paragraph(
        "\(stream.rawValue): \(part.framesDiffering) of \(part.framesCompared) frames differ.",
        part.framesDiffering > 0 ? .bad : .good)
      document.list(
        part.firstDifferences.map { difference in
          StyledText(
            "\(difference.sequence) at \(NumberText.fixed(difference.time.value, 3)) s: "
              + "device \(difference.device), \(source) \(difference.answer)")
        })
    }
  }

  private func appendTiming(to document: inout Document) {
    guard let timing else { return }
    document.heading("Time")
    let stages = timing.stages.map { stage in
      "\(stage.name) \(NumberText.fixed(stage.duration.value, 3)) s"
    }
    document.paragraph(stages.joined(separator: ", ") + ", summed over threads.")
    guard let cost = timing.frameCost else { return }
    func microseconds(_ seconds: Seconds) -> String { NumberText.fixed(seconds.value * 1e6, 2) }
    document.paragraph(
      "Cost per frame: median \(microseconds(cost.p50)) us, 99th percentile "
        + "\(microseconds(cost.p99)) us, or "
        + "\(NumberText.fixed(cost.p99BudgetShare * 100, 4)) % of the time per frame at 30 Hz "
        + "(over \(NumberText.count(cost.batches, "batch", plural: "batches")) of "
        + "\(FrameCost.batchFrames)).")
  }

  var sliceTables: Document {
    var document = Document()
    guard plank.slices.full.count > 1 || sequences.count > 1 else { return document }
    document.heading("By subject and tag")
    document.table(sliceTable)
    document.list(summaries)
    document.heading("False and missed planks by subject and tag", level: 3)
    document.table(plankTimeTable)
    if sequences.count <= Self.sequenceRowLimit {
      document.heading("By sequence")
      document.table(sequenceTable)
    }
    return document
  }

  private static let sequenceRowLimit = 24

  private var sliceTable: Table {
    Table(plank.slices.full.filter { $0.key != .source }) { row, plank in
      let form = form.slices.full.first { $0.key == plank.key && $0.value == plank.value }
      row.words("slice", plank.name)
      row.number("sequences", "\(plank.sequenceCount)")
      row.number("scored", NumberText.count(plank.view.frameCounts.scored))
      row.number("plank accuracy", plank.view[.accuracy].text())
      row.number("plank macro F1", plank.view[.f1Macro].text())
      row.number("form accuracy", form?.view[.accuracy].text() ?? "-")
      row.number("form macro F1", form?.view[.f1Macro].text() ?? "-")
      row.words(
        "",
        warning(
          "contains no evidence", !plank.noEvidence.isEmpty, form?.noEvidence.isEmpty == false))
    }
  }

  private var plankTimeTable: Table {
    var table = Table()
    let slices = plank.slices.full.filter { $0.key != .source }
    for key in slices.map(\.key).distinct {
      let own = slices.filter { $0.key == key }.map {
        (name: $0.name, time: PlankTime($0.view.confusionSeconds))
      }
      for (name, time) in own.sorted(by: { ($1.time.wrong, $0.name) < ($0.time.wrong, $1.name) }) {
        table.row {
          $0.words("slice", name)
          time.fill(&$0)
        }
      }
    }
    return table
  }

  private var summaries: [StyledText] {
    plank.slices.summaries.map { summary in
      let range = [summary.leastAccuracy, summary.greatestAccuracy].map { NumberText.fixed($0, 3) }
      return StyledText(
        "\(summary.name): only the \(ScoreSlices.fullLimit) least accurate of "
          + "\(ScoreSlices.fullLimit + summary.valueCount) are listed. The plank accuracy of the "
          + "others ranges from \(range[0]) to \(range[1]) (median "
          + "\(NumberText.fixed(summary.medianAccuracy, 3))).", .dim)
    }
  }

  private var sequenceTable: Table {
    Table(sequences) { row, sequence in
      row.words("sequence", sequence.name)
      row.words("subject", sequence.subject ?? "-")
      row.number("frames", "\(sequence.frames)")
      row.number("missing", "\(sequence.missingFrames)")
      row.number("plank accuracy", sequence.plank.accuracy.text())
      row.number("plank determined", sequence.plank.determinedShare.percentText)
      row.number("form accuracy", sequence.form.accuracy.text())
      let (plank, form) = (sequence.plank.isNoEvidence, sequence.form.isNoEvidence)
      row.words("", warning("no evidence", plank, form))
    }
  }

  private func warning(_ text: String, _ isPlank: Bool, _ isForm: Bool) -> StyledText {
    let streams = [isPlank ? "plank" : nil, isForm ? "form" : nil].compactMap(\.self)
    return StyledText(
      streams.isEmpty ? "" : "\(text): \(streams.joined(separator: ", "))", .warning)
  }

  var bySource: Document {
    var document = Document()
    guard dataset.sources.count > 1 else { return document }
    document.heading("By source")
    var table = Table()
    for slice in plank.slices.full where slice.key == .source {
      let form = form.slices.full.first { $0.key == .source && $0.value == slice.value }
      let scored = NumberText.count(slice.view.frameCounts.scored)
      table.source(
        StyledText(slice.value ?? ""), "\(slice.sequenceCount)", scored, slice.view, form?.view)
    }
    table.source(StyledText("mean over sources", .strong), "", "", plank.view, form.view)
    document.table(table)
    document.paragraph(
      "Each source counts once, whatever its size. The mean of a metric omits sources in which it "
        + "is undefined. Matrices, counts and latencies in tables cover all frames "
        + "together.", .dim)
    return document
  }
}

extension Table {
  fileprivate mutating func source(
    _ name: StyledText, _ sequences: String, _ scored: String, _ plank: ScoreView,
    _ form: ScoreView?
  ) {
    row {
      $0.words("source", name)
      $0.number("sequences", sequences)
      $0.number("scored", scored)
      for (stream, view) in [("plank", plank), ("form", form)] {
        $0.number("\(stream) accuracy", view?[.accuracy].text() ?? "n/a")
        $0.number("\(stream) balanced", view?[.balancedAccuracy].text() ?? "n/a")
        $0.number("\(stream) macro F1", view?[.f1Macro].text() ?? "n/a")
      }
    }
  }
}

extension DetectorFacts {
  fileprivate var sentence: String {
    let numbers = parameters.map { "\($0.key) \(NumberText.shortest($0.value))" }.joined(
      separator: ", ")
    return numbers.isEmpty ? description : "\(description). \(numbers)."
  }
}

extension ScoreSlice {
  fileprivate var name: String {
    switch key {
    case .source: "source " + (value ?? "")
    case .subject: "subject " + (value ?? "unknown")
    case .tag(let tag): "\(tag) = \(value ?? "")"
    }
  }
}

extension SliceSummary {
  fileprivate var name: String {
    switch key {
    case .source: "sources"
    case .subject: "subjects"
    case .tag(let tag): tag
    }
  }
}

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
      + "with `\(measurement)` off by \(range); \(NumberText.count(rest, "frame")) in calibration "
      + "holds \(rest == 1 ? "is" : "are") not scored."
  }

  private var changeSentence: String {
    guard !calibrated.isEmpty, let shown = comparison.first, let before = shown.before.number,
      let after = shown.after.number, let difference = shown.difference
    else { return "" }
    let interval = shown.intervals.wider.interval.map { " (\($0.text()))" } ?? ""
    return "Balanced accuracy of form on the same frames: \(NumberText.fixed(before, 3)) without "
      + "calibration, \(NumberText.fixed(after, 3)) with it, difference "
      + "\(NumberText.fixed(difference, 3))\(interval)."
  }

  private var refusedSentence: StyledText {
    guard !refused.isEmpty else { return "" }
    let named = refused.prefix(Self.mostNamed).map { "\($0.sequence): \($0.refusal ?? "")" }
    let rest = refused.count - named.count
    return StyledText(
      "Not calibrated, so judged by the unchanged limits: "
        + "\(NumberText.count(refused.count, "recording")). \(named.joined(separator: ". "))."
        + (rest > 0 ? " \(NumberText.count(rest)) more: --section calibration." : ""), .warning)
  }

  var document: Document {
    var document = Document()
    document.heading("Calibration by \(choice)")
    document.list(Array(sentences.dropLast(refused.isEmpty ? 0 : 1)))
    document.table(holds) { row, hold in
      row.words("recording", hold.sequence, .strong)
      row.words("person", hold.subject ?? "")
      row.number("from s", hold.start.map { NumberText.fixed($0.value, 2) } ?? "")
      row.number("to s", hold.end.map { NumberText.fixed($0.value, 2) } ?? "")
      row.number("offset \(unit)", hold.offset.map(text) ?? "")
      row.words("why not calibrated", hold.refusal ?? "", .warning)
    }
    document.paragraph(
      "The form rules use `\(measurement)` minus the offset. Frames of the calibration hold are "
        + "not scored, nor is the form before it. Limits of a calibrated detector are limits on "
        + "the true position.", .dim)
    return document
  }

  private var offsets: [Double] { holds.compactMap(\.offset).sorted() }

  private func text(_ offset: Double) -> String { NumberText.fixed(offset, unit == "deg" ? 1 : 3) }
}

extension CalibrationReport.Hold {
  package func explanation(of measurement: String?, unit: String?) -> String {
    guard let start, let end, let offset, let measurement, let unit else {
      return refusal.map { "Not calibrated: \($0)." } ?? ""
    }
    return "Calibrated by the hold from \(NumberText.short(start.value)) to "
      + "\(NumberText.short(end.value)) s: form rules use \(measurement) minus "
      + "\(NumberText.fixed(offset, unit == "deg" ? 1 : 3)) \(unit)."
  }
}

enum CommandLines {
  private static let width = TextRenderer.standardWidth - 4

  static func wrapped(_ words: [[String]]) -> [String] {
    var lines: [String] = []
    for word in words.map({ $0.map(ShellWord.quoted).joined(separator: " ") }) {
      guard let last = lines.last else {
        lines = [word]
        continue
      }
      if last.count + word.count < width {
        lines[lines.count - 1] += " " + word
      } else {
        lines[lines.count - 1] += " \\"
        lines.append("  " + word)
      }
    }
    return lines
  }
}

extension ExplainCommand {
  package func lines(sequence: String, time: Seconds) -> [String] {
    let place = places[sequence] ?? [sequence]
    return CommandLines.wrapped(
      [["planklab", "explain"]] + place.map { [$0] } + [["--at", Self.text(time)]] + options)
  }

  package func line(sequence: String) -> (before: String, after: String) {
    func text(_ words: [String]) -> String { ShellWord.line(words) }
    let place = places[sequence] ?? [sequence]
    let after = options.map { " " + text($0) }.joined()
    return (before: text(["planklab", "explain"] + place + ["--at"]) + " ", after: after)
  }

  static func text(_ time: Seconds) -> String { NumberText.short(time.value) }
}

package enum ReportSection: String, CaseIterable, Sendable {
  case detector
  case next
  case calibration
  case sources
  case matrix
  case activities
  case metrics
  case stability
  case temporal
  case slices
  case worst
  case device
  case agreement
  case jitter
  case timing
  case notes
  case provenance

  package static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension EvaluationReport {
  package var csv: String {
    var lines = ["stream,by,value,label,prediction,frames,seconds"]
    for stream in AnswerStream.allCases {
      let part = self[stream]
      lines += Self.rows(part.view, [stream.rawValue, "all", ""])
      for slice in part.slices.full {
        lines += Self.rows(
          slice.view,
          [stream.rawValue, slice.key.name, slice.value ?? ""].map { PrintableText.of($0) })
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func rows(_ view: ScoreView, _ start: [String]) -> [String] {
    let (frames, seconds) = (view.confusion, view.confusionSeconds)
    return frames.labels.indices.flatMap { truth in
      frames.labels.indices.map { answer in
        let cell = [
          frames.labels[truth], frames.labels[answer], "\(frames[truth, answer])",
          NumberText.shortest(seconds[truth, answer]),
        ]
        return (start + cell).map(CSVText.quoted).joined(separator: ",")
      }
    }
  }
}
