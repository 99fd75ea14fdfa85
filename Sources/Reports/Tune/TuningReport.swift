internal import Evaluation
internal import PlankDetection
internal import PoseModel
internal import Statistics
package import Tuning

extension TuningResult: CommandResult {
  package static let command = "tune"
  package static let schemaVersion = 4

  package func document(_ origin: ResultOrigin) -> Document {
    var document = body(origin)
    document.heading("Provenance")
    document.list(origin.provenanceLines + (origin.dataset?.facts ?? []))
    return document
  }

  package func page(_ origin: ResultOrigin) -> ResultPage {
    TuningPage(result: self, origin: origin).page
  }

  func body(_ origin: ResultOrigin) -> Document {
    var document = Document()
    document.heading(answer, level: 1, .answer)
    if let question { document.paragraph(question) }
    document.list([StyledText(facts(origin), .dim)] + decisionSentences, .answer)
    document.table(objectives, .reason)
    document.table(decisions, .reason)
    let warnings =
      noEvidenceNotes
      + streams.flatMap { stream in
        stream.warnings.map { streams.count > 1 ? "\(stream.stream.title): \($0)" : $0 }
      }
    document.list(warnings.map { StyledText($0, .warning) }, .reason)
    document.paragraph(heldOutMeaning, .dim, .remark)
    for stream in streams { document.append(stream.document) }
    if !untuned.rows.isEmpty { document.heading("Parameters that were not tuned") }
    document.table(untuned)
    if !notes.isEmpty {
      document.heading("Notes")
      document.list(notes.map { StyledText($0) })
    }
    return document
  }

  func facts(_ origin: ResultOrigin) -> String {
    let split = origin.split.map { ", split \($0)" } ?? ""
    return "\(origin.datasetName)\(split): \(NumberText.count(sequences, "labeled sequence")), "
      + "\(NumberText.count(frames, "frame")). Engine: \(engine). Validation: \(validation)."
  }

  var noEvidenceNotes: [String] {
    AnswerStream.allCases.compactMap { stream in
      let names = noEvidence[stream]
      guard !names.isEmpty else { return nil }
      return
        "NO EVIDENCE for \(stream.rawValue) in \(NumberText.count(names.count, "sequence")), "
        + "because the rules decided fewer than half of the scored frames: "
        + WordText.first(5, of: names) + "."
    }
  }

  private var objectives: Table {
    Table(streams) { row, stream in
      let (objective, heldOut) = (stream.objective, stream.validation.heldOut)
      row.words("", stream.stream.rawValue, .strong)
      row.number("start", objective.startingPoint, 3)
      row.number("found", objective.found, 3)
      row.number("found, held out", heldOut?.value.text(within: heldOut?.interval) ?? "-")
      row.number("change from start", heldOut?.change.text(within: heldOut?.changeInterval) ?? "-")
    }
  }

  private var decisions: Table {
    Table(decided) { row, setting in
      row.words("threshold", setting.name)
      row.number("start", setting.start, .dim)
      row.number("use", setting.value, setting.isChanged ? .strong : .plain)
      row.words("unit", setting.unit, .dim)
      row.words("why", setting.why, .dim)
    }
  }

  private var untuned: Table {
    let names = Set(decided.map(\.name))
    return Table(settings.filter { !names.contains($0.name) }) { row, setting in
      row.words("parameter", setting.name)
      row.number("value", setting.value)
      row.words("unit", setting.unit)
    }
  }

  private var heldOutMeaning: String {
    guard let unit = streams.compactMap(\.validation.heldOut).first?.unit.rawValue else {
      return ""
    }
    return "Each held-out value comes from a search without the \(unit) that it scores. The 95 % "
      + "intervals are for the mean of new \(unit), not for individual \(unit)."
  }

  /// The lines below a screen: what to do with what was found.
  package var closing: [String] {
    let open = streams.filter { $0.decision.mayBeTaken && !$0.decision.isTaken }
      .map(\.stream.rawValue)
    let next =
      "# write it: --thresholds FILE.json"
      + (open.isEmpty ? "" : "; use what was found: --take \(open.joined(separator: " or "))")
    let data = commands?.uncalibrated.map(ShellWord.quoted) ?? ["DATASET"]
    let words = ["suggest"] + data + ["--parameters", "FILE.json"]
    let isKept = !streams.contains { $0.decision.verdict == .change }
    return [next]
      + (isKept ? ["# is a rule missing? planklab \(words.joined(separator: " "))"] : [])
      + ["# everything: --verbose"]
  }
}

extension StreamRecommendation {
  var document: Document {
    var document = Document()
    document.heading("\(stream.rawValue): \(decision.isTaken ? "take" : word) \(settings)")
    document.table(scoreTable)
    document.paragraph(trust)
    document.figure(.objective(ObjectiveFigure(self)))
    appendPlateau(to: &document)
    appendRefinement(to: &document)
    appendFront(to: &document)
    appendFolds(to: &document)
    appendStress(to: &document)
    return document
  }

  private var word: String { decision.verdict == .change ? "change to" : "keep" }

  private var settings: String {
    let values = parameters.filter(isNotable)
    let steady = smoothing.isNone ? "" : ", smoothing \(smoothing.text)"
    return "\(detector)\(steady)"
      + (values.isEmpty ? "" : " with " + values.map(\.sentence).joined(separator: ", "))
  }

  private var scoreTable: Table {
    var table = Table()
    func row(_ name: String, _ value: Double?, _ meaning: String, _ tone: StyledText.Tone = .plain)
    { textRow(name, NumberText.fixed(value, 4), meaning, tone) }
    func textRow(_ name: String, _ value: String, _ meaning: String, _ tone: StyledText.Tone) {
      table.row {
        $0.words(objective.metric.description, name, tone)
        $0.number("value", value, tone)
        $0.words("", meaning, .dim)
      }
    }
    row("starting point", objective.startingPoint, "the experiment's starting values")
    row("best in sample", objective.best, "the peak; too optimistic")
    row(
      "found", objective.found,
      refinement.contains(where: \.isTaken)
        ? "inside the plateau, refined" : "inside the plateau, same sample", .strong)
    if let heldOut = validation.heldOut {
      textRow(
        "found, held-out \(heldOut.unit.rawValue)", heldOut.value.text(within: heldOut.interval),
        heldOut.unit.meaning, .strong)
      textRow(
        "change from the start", heldOut.change.text(within: heldOut.changeInterval),
        heldOut.changeMeaning, .plain)
      textRow(
        "optimism", validation.optimism.text(within: heldOut.interval, showsEnds: false),
        "by how much the value on the same sample is too high", .plain)
    }
    return table
  }

  private var trust: StyledText {
    let stated = constraints.stated.map(\.description).joined(separator: "; ")
    var parts = [
      "\(NumberText.count(cells.evaluated, "configuration")), with "
        + "\(NumberText.count(constraints.feasibleCells)) meeting the constraints "
        + "(\(stated.isEmpty ? "none stated" : stated))"
        + (cells.rejected > 0 ? ", \(NumberText.count(cells.rejected)) rejected as degenerate" : "")
        + "."
    ]
    if let error = objective.standardError {
      parts.append(
        "The paired standard error of the difference from the best configuration is "
          + "\(NumberText.fixed(error, 4)).")
    }
    if let share = validation.samePlateauShare {
      let unit = validation.heldOut?.unit ?? .people
      parts.append(
        "\(NumberText.percent(share)) of the resamples of \(unit.resampled) choose the same plateau."
      )
    }
    return StyledText(parts.joined(separator: " "))
  }

  private var isUsed: Bool {
    decision.verdict == .change || decision.isTaken || decision.reason == .same
  }

  private func leadsBack(_ step: Choice.Step) -> Bool {
    decision.verdict == .change
      && start.parameters.contains { $0.key == step.key && $0.value == step.to }
  }

  var warnings: [String] {
    var warnings: [String] = []
    if let broken = constraints.broken {
      let value = broken.value.map { NumberText.fixed($0, 4) } ?? "undefined"
      warnings.append(
        "No configuration meets every constraint. The configuration found comes closest: "
          + "\(broken.constraint) is \(value). Widen the axes or loosen the constraint.")
    }
    if isUsed {
      warnings += steps.filter { $0.isBeyondChance && !leadsBack($0) }
        .map { "Knife edge: \($0.sentence)" }
      warnings += steps.compactMap(\.brokenSentence)
    }
    warnings += diagnostics.edgeAxes.map {
      "The best value is at the end of the axis `\($0.rawValue)`; widen the axis."
    }
    warnings += diagnostics.inertAxes.map { axis in
      let name = axis.rawValue
      return diagnostics.keptAxes.contains(axis)
        ? "The axis `\(name)` has no effect, so the parameter keeps its starting value."
        : "All values on the axis `\(name)` give the same result, but the starting value, which is "
          + "not on the axis, gives another; widen the axis."
    }
    if !diagnostics.neverAnswered.isEmpty {
      let names = diagnostics.neverAnswered.map { "`\($0)`" }.joined(separator: ", ")
      warnings.append("Never answered: \(names).")
    }
    let stuck = diagnostics.stuckSequences
    if !stuck.isEmpty {
      warnings.append(
        "The answer never changes, although the labels do, in "
          + "\(NumberText.count(stuck.count, "sequence")): "
          + stuck.prefix(3).joined(separator: ", ") + (stuck.count > 3 ? ", ..." : "."))
    }
    return warnings
  }

  func appendPlateau(to document: inout Document) {
    guard let plateau, !plateau.axes.isEmpty else { return }
    document.paragraph(
      "The plateau has \(NumberText.count(plateau.cells, "configuration")). "
        + (plateau.cliffDistance.map {
          "The nearest cliff is \(NumberText.count($0, "step")) from the values found"
        } ?? "No cliff was found around the plateau")
        + (plateau.isLimitedByEdge
          ? "; the grid ends "
            + "after \(NumberText.count(plateau.margin, "step")), so the plateau may be larger."
          : "."))
    document.table(plateau.axes) { row, extent in
      row.words("axis", extent.key.rawValue)
      row.number("from", NumberText.short(extent.from))
      row.number("to", NumberText.short(extent.to))
      row.words("unit", extent.unit.rawValue, .dim)
      row.number("values", "\(extent.count)")
      row.words("cliff below", extent.below.sentence)
      row.words("cliff above", extent.above.sentence)
    }
    document.list(
      (placements ?? []).filter { !diagnostics.keptAxes.contains($0.key) }
        .map { StyledText($0.sentence) })
  }

  func appendRefinement(to document: inout Document) {
    document.list(
      refinement.map { step in
        let error = step.standardError.map { " (standard error \(NumberText.fixed($0, 4)))" } ?? ""
        let found =
          "\(step.key.rawValue) at \(NumberText.short(step.to)) \(step.unit.rawValue), or anywhere "
          + "from \(NumberText.short(step.interval.lowerBound)) to "
          + "\(NumberText.short(step.interval.upperBound)), gains "
          + "\(NumberText.fixed(step.gain, 4))\(error) in the sample"
        return switch step.obstacle {
        case nil: StyledText("Refined: \(found).")
        case .chance:
          StyledText(
            "Not used: \(found), but this gain is within its standard error or the tolerance, so it may be "
              + "due to chance.")
        case .knifeEdge: StyledText("Not used: \(found), but only on a knife edge.")
        }
      })
  }

  func appendFront(to document: inout Document) {
    let points = distinctFront
    guard points.count > 1 else { return }
    document.heading("What accuracy costs (\(stream.rawValue))", level: 3)
    document.table(points.indices.prefix(Self.shownPoints)) { row, index in
      let point = points[index]
      for metric in front.metrics {
        row.number(metric.description, point.values[metric]?.number, 4)
      }
      for metric in front.metrics.dropFirst() {
        let cost = index > 0 ? self.cost(of: metric, at: point, beside: points[index - 1]) : nil
        row.number("\(metric.shortName) for +0.01", cost.map(\.costText) ?? "", .dim)
      }
      let settings = point.parameters.settings(of: point.detector, point.smoothing)
      row.words("settings", settings, .dim)
    }
    if front.points.count > min(points.count, Self.shownPoints) {
      document.paragraph("The JSON result contains all \(front.points.count) points.", .dim)
    }
  }

  private var distinctFront: [FrontPoint] {
    var points: [FrontPoint] = []
    for point in front.points {
      guard let last = points.last else {
        points.append(point)
        continue
      }
      if !isEqual(last, point) { points.append(point) }
    }
    return points
  }

  private func isEqual(_ first: FrontPoint, _ second: FrontPoint) -> Bool {
    guard let one = first.values[objective.metric]?.number,
      let other = second.values[objective.metric]?.number
    else { return false }
    return (one - other).magnitude <= objective.tolerance || ParetoFront.isRounding(one, other)
  }

  private func difference(
    in metric: MetricKey, _ other: FrontPoint, _ point: FrontPoint
  ) -> Double? {
    guard let more = other.values[metric]?.number, let less = point.values[metric]?.number else {
      return nil
    }
    return more - less
  }

  private func cost(
    of metric: MetricKey, at point: FrontPoint, beside better: FrontPoint
  ) -> Double? {
    guard let loss = difference(in: metric, better, point),
      let gain = difference(in: objective.metric, better, point)
    else { return nil }
    let (one, other) = (better.values[metric]?.number ?? 0, point.values[metric]?.number ?? 0)
    return ParetoFront.isRounding(one, other) ? 0 : loss / abs(gain)
  }

  func appendFolds(to document: inout Document) {
    let folds = validation.folds
    guard !folds.isEmpty else { return }
    document.heading("Held out (\(stream.rawValue))", level: 3)
    let choices = foldChoices
    document.list(
      choices.prefix(Self.shownChoices).map {
        StyledText("\($0.count) of \(folds.count) folds chose \($0.settings)")
      } + otherChoices(choices.dropFirst(Self.shownChoices).map(\.count)))
    document.table(foldTable)
    if folds.count > Self.shownPoints {
      document.paragraph(
        "Only the worst \(Self.shownPoints) of \(folds.count) are shown; the JSON result contains all of them.",
        .dim)
    }
  }

  private var foldChoices: [(settings: String, count: Int)] {
    var choices: [(settings: String, count: Int)] = []
    for fold in validation.folds {
      let settings = settings(of: fold)
      if let index = choices.firstIndex(where: { $0.settings == settings }) {
        choices[index].count += 1
      } else {
        choices.append((settings: settings, count: 1))
      }
    }
    return choices.sorted { $0.count > $1.count }
  }

  private var foldTable: Table {
    Table(validation.folds.sorted(by: { gain($0) < gain($1) }).prefix(Self.shownPoints)) {
      row, fold in
      row.words("held out", fold.heldOut.joined(separator: ", "))
      row.number("others", fold.heldIn, 4)
      row.number("held-out value", fold.heldOutValue, 4)
      row.words("what the others chose", settings(of: fold), .dim)
    }
  }

  private func otherChoices(_ counts: [Int]) -> [StyledText] {
    let total = counts.reduce(0, +)
    guard total > 0 else { return [] }
    return [
      StyledText(
        "\(total) of \(validation.folds.count) folds chose one of \(counts.count) other settings, "
          + "listed in the JSON", .dim)
    ]
  }

  private func gain(_ fold: Fold) -> Double {
    guard let value = fold.heldOutValue else { return .infinity }
    return objective.metric.metric.higherIsBetter ? value : -value
  }

  private func settings(of fold: Fold) -> String {
    fold.parameters.filter(isNotable)
      .settings(of: fold.detector, fold.smoothing, isFeasible: fold.isFeasible)
  }

  func appendStress(to document: inout Document) {
    guard !worseFrames.isEmpty else { return }
    document.heading("On degraded frames (\(stream.rawValue))", level: 3)
    let worse = worseFrames.map { (frames: $0.condition.rawValue, objective: $0.objective) }
    document.table([("as recorded", objective.recommended)] + worse) { row, condition in
      row.words("frames", condition.frames)
      row.number(objective.metric.description, condition.objective, 4)
    }
  }

  private static let shownChoices = 5
  private static let shownPoints = 12
}

extension Choice.Step {
  fileprivate var sentence: String {
    let error = standardError.map { " (standard error \(NumberText.fixed($0, 4)))" } ?? ""
    return "`\(key.rawValue)` at \(NumberText.short(to)) instead of "
      + "\(NumberText.short(from)) costs \(NumberText.fixed(cost ?? 0, 4))\(error), beyond chance."
  }

  fileprivate var brokenSentence: String? {
    broken.map {
      "`\(key.rawValue)` at \(NumberText.short(to)) instead of "
        + "\(NumberText.short(from)) breaks `\($0)`."
    }
  }
}

extension HeldOutEstimate.Unit {
  fileprivate var meaning: String {
    switch self {
    case .people: "the mean of new people, not a single person's value"
    case .recordings:
      "new recordings of the same people; expect less for new people"
    case .peopleAndRecordings: "too high for new people if a person is in several recordings"
    case .sources: "the mean of new sources, not a single source's value"
    }
  }

  fileprivate var resampled: String { self == .sources ? "people" : rawValue }
}

extension [ParameterFact] {
  func settings(
    of detector: String, _ smoothing: SmoothingChoice, isFeasible: Bool = true
  ) -> String {
    let names = [detector] + (smoothing.isNone ? [] : [smoothing.text])
    return (names + map(\.sentence) + (isFeasible ? [] : ["constraints broken"]))
      .joined(separator: ", ")
  }
}

extension Double {
  fileprivate var costText: String {
    guard self > 0 else { return "nothing" }
    return self * 0.01 < 0.0005 ? "< 0.001" : NumberText.fixed(self * 0.01, 3)
  }
}

extension ThresholdPlacement {
  fileprivate var sentence: String {
    func text(_ value: Double) -> String {
      NumberText.fixed(value, unit == .degrees ? 1 : 3)
        + (unit == .ratio ? "" : " \(unit.rawValue)")
    }
    let medians = pairs.map { pair in
      [pair.own, pair.other].map { "`\($0.label)` (\(text($0.median)))" }.joined(separator: " and ")
    }
    return
      "`\(key.rawValue)`: \(text(middle)), halfway between the medians of "
      + "\(medians.joined(separator: "; ")), or as close as the plateau allows."
  }
}

extension Plateau.Side {
  fileprivate var sentence: String {
    cliff.map { "\(NumberText.short($0)) (\(NumberText.count(steps, "step")))" } ?? "none seen"
  }
}
