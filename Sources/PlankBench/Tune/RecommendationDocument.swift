internal import ParameterTuning
internal import PlankDetection
internal import PoseModel
internal import Statistics

extension StreamRecommendation {
  /// The recommendation for one stream.
  var document: Document {
    var document = Document()
    document.heading("\(stream.rawValue): \(settings)")
    document.table(scoreTable)
    document.paragraph(trust)
    document.list(warnings.map { StyledText($0, .warning) })
    appendPlateau(to: &document)
    appendRefinement(to: &document)
    appendFront(to: &document)
    appendFolds(to: &document)
    appendStress(to: &document)
    return document
  }

  private var settings: String {
    let values = parameters.filter { fact in
      fact.value != fact.defaultValue || extents.contains { $0.key.rawValue == fact.key }
    }
    let steady = smoothing == "none" ? "" : ", smoothing \(smoothing)"
    return "\(detector)\(steady)"
      + (values.isEmpty ? "" : " with " + values.map(\.sentence).joined(separator: ", "))
  }

  private var scoreTable: Table {
    var table = Table([.words(evidence.objective), .number("value"), .words("")])
    func row(_ name: String, _ value: Double?, _ meaning: String, _ tone: StyledText.Tone = .plain)
    {
      textRow(name, value.map { NumberText.fixed($0, 4) } ?? "n/a", meaning, tone)
    }
    func textRow(_ name: String, _ value: String, _ meaning: String, _ tone: StyledText.Tone) {
      table.row([StyledText(name, tone), StyledText(value, tone), StyledText(meaning, .dim)])
    }
    row("starting point", evidence.baseObjective, "the parameters that the experiment starts from")
    row("best in sample", evidence.bestObjective, "the peak; it flatters itself")
    row(
      "recommended", evidence.recommendedObjective,
      refined.contains(where: \.isTaken)
        ? "the plateau's center, refined" : "the plateau's center, same sample",
      .strong)
    if let heldOut = evidence.heldOut {
      textRow(
        "on held-out \(heldOut.unit.rawValue)", heldOut.value.text(within: heldOut.interval),
        heldOut.unit.meaning, .strong)
      textRow(
        "change from the start", heldOut.change.text(within: heldOut.changeInterval),
        heldOut.changeMeaning, .plain)
      textRow(
        "optimism", evidence.optimism.text(within: heldOut.interval, showsEnds: false),
        "how much the sample flatters", .plain)
    }
    return table
  }

  private var trust: StyledText {
    var parts = [
      "\(NumberText.count(evidence.cellCount, "cell")), \(NumberText.count(evidence.feasibleCount)) of them keep the "
        + "constraints"
        + (evidence.constraints.isEmpty
          ? " (none stated)" : " (\(evidence.constraints.joined(separator: "; ")))")
        + (evidence.rejectedCount > 0
          ? ", \(NumberText.count(evidence.rejectedCount)) rejected as degenerate" : "")
        + "."
    ]
    if let error = evidence.standardError {
      parts.append("Paired standard error to the best cell \(NumberText.fixed(error, 4)).")
    }
    if let share = evidence.samePlateauShare {
      let unit = evidence.heldOut?.unit ?? .people
      parts.append(
        "\(NumberText.percent(share)) of the resamples of \(unit.resampled) choose the same plateau."
      )
    }
    return StyledText(parts.joined(separator: " "))
  }

  private var warnings: [String] {
    var warnings: [String] = []
    if let broken = evidence.broken {
      let value = broken.value.map { NumberText.fixed($0, 4) } ?? "undefined"
      warnings.append(
        "No cell keeps every constraint. This one breaks them least: \(broken.constraint) is "
          + "\(value). Widen the axes or loosen the constraint.")
    }
    warnings += evidence.steps.filter(\.isBeyondChance).map { "Knife edge: \($0.sentence)" }
    warnings += evidence.steps.compactMap(\.brokenSentence)
    warnings += evidence.edgeAxes.map {
      "The best cell stands at the end of the axis \($0): widen it."
    }
    warnings += evidence.inertAxes.map { axis in
      evidence.keptAxes.contains(axis)
        ? "The axis \(axis) changes nothing: \(axis) keeps its starting value."
        : "The axis \(axis) changes nothing, but its starting value, which is not on it, does: "
          + "widen it."
    }
    if !evidence.neverAnswered.isEmpty {
      warnings.append("Never answered: \(evidence.neverAnswered.joined(separator: ", ")).")
    }
    if !evidence.stuckSequences.isEmpty {
      let names = evidence.stuckSequences.prefix(3).joined(separator: ", ")
      warnings.append(
        "The answer never changes in \(NumberText.count(evidence.stuckSequences.count, "sequence")) whose truth does: "
          + names + (evidence.stuckSequences.count > 3 ? ", ..." : "."))
    }
    return warnings
  }
}

extension StreamRecommendation {
  /// How wide the plateau is, and where it ends.
  func appendPlateau(to document: inout Document) {
    guard let margin = evidence.margin, !extents.isEmpty else { return }
    document.paragraph(
      StyledText(
        "The plateau has \(NumberText.count(evidence.plateauCells, "cell")). "
          + (evidence.cliffDistance.map {
            "The nearest cliff that was seen is \(stepCount($0)) from its center"
          } ?? "No cliff was seen around it")
          + (evidence.isLimitedByEdge
            ? "; what was evaluated ends after \(stepCount(margin)), so it may be larger." : ".")
      ))
    var table = Table([
      .words("axis"), .number("from"), .number("to"), .words("unit"), .number("values"),
      .words("cliff below"), .words("cliff above"),
    ])
    for extent in extents {
      table.row([
        StyledText(extent.key.rawValue),
        StyledText(NumberText.short(extent.values.lowerBound)),
        StyledText(NumberText.short(extent.values.upperBound)),
        StyledText(extent.definition.unit.rawValue, .dim),
        StyledText("\(extent.count)"), StyledText(extent.below.sentence),
        StyledText(extent.above.sentence),
      ])
    }
    document.table(table)
  }

  /// What the exact values between the grid's gain.
  func appendRefinement(to document: inout Document) {
    document.list(
      refined.map { step in
        let error = step.standardError.map { " (standard error \(NumberText.fixed($0, 4)))" } ?? ""
        let found =
          "\(step.key.rawValue) at \(NumberText.short(step.to)) "
          + "\(step.definition.unit.rawValue), anywhere from "
          + "\(NumberText.short(step.interval.lowerBound)) to "
          + "\(NumberText.short(step.interval.upperBound)), gains "
          + "\(NumberText.fixed(step.gain, 4))\(error) in the sample"
        return switch step.obstacle {
        case nil: StyledText("Refined: \(found).")
        case .chance: StyledText("Not taken: \(found), no more than chance or the tolerance.")
        case .knifeEdge: StyledText("Not taken: \(found), but only on a knife edge.")
        }
      })
  }

  /// What one more point of the objective costs; points within the tolerance count as one.
  func appendFront(to document: inout Document) {
    let points = distinctFront
    guard points.count > 1 else { return }
    document.heading("What accuracy costs (\(stream.rawValue))", level: 3)
    var columns = frontMetrics.map { Table.Column.number($0) }
    columns += frontMetrics.dropFirst().map { .number("\($0.shortName) for +0.01") }
    columns.append(.words("settings"))
    var table = Table(columns)
    for (index, point) in points.enumerated().prefix(Self.shownPoints) {
      var cells = point.values.map { StyledText(NumberText.fixed($0, 4)) }
      for metric in frontMetrics.indices.dropFirst() {
        let better = index > 0 ? points[index - 1] : nil
        let cost = better.map { better in
          (better.values[metric] - point.values[metric]) / abs(better.values[0] - point.values[0])
        }
        let text = cost.map { $0 > 0 ? NumberText.fixed($0 * 0.01, 3) : "nothing" } ?? ""
        cells.append(StyledText(text, .dim))
      }
      let names = [point.detector] + (point.smoothing == "none" ? [] : [point.smoothing])
      cells.append(
        StyledText((names + point.parameters.map(\.sentence)).joined(separator: ", "), .dim))
      table.row(cells)
    }
    document.table(table)
    if front.count > min(points.count, Self.shownPoints) {
      document.paragraph(StyledText("The JSON has all \(front.count) points.", .dim))
    }
  }

  /// The front without points that differ from the one before by no more than the tolerance.
  private var distinctFront: [FrontPoint] {
    var points: [FrontPoint] = []
    for point in front {
      guard let last = points.last else {
        points.append(point)
        continue
      }
      if abs(last.values[0] - point.values[0]) > evidence.tolerance { points.append(point) }
    }
    return points
  }

  /// What the folds chose, and the people for whom that was worst.
  func appendFolds(to document: inout Document) {
    guard !folds.isEmpty else { return }
    document.heading("Held out (\(stream.rawValue))", level: 3)
    var choices: [(settings: String, count: Int)] = []
    for fold in folds {
      let settings = settings(of: fold)
      if let index = choices.firstIndex(where: { $0.settings == settings }) {
        choices[index].count += 1
      } else {
        choices.append((settings: settings, count: 1))
      }
    }
    choices = choices.enumerated().sorted {
      ($1.element.count, $0.offset) < ($0.element.count, $1.offset)
    }.map(\.element)
    document.list(
      choices.prefix(Self.shownChoices).map {
        StyledText("\($0.count) of \(folds.count) folds chose \($0.settings)")
      } + otherChoices(choices.dropFirst(Self.shownChoices).map(\.count)))
    var table = Table([
      .words("held out"), .number("others"), .number("held out value"), .words("what they chose"),
    ])
    let ranked = folds.enumerated().sorted { left, right in
      let (a, b) = (gain(left.element), gain(right.element))
      return a != b ? a < b : left.offset < right.offset
    }
    for (_, fold) in ranked.prefix(Self.shownPoints) {
      table.row([
        StyledText(fold.heldOut.joined(separator: ", ")),
        StyledText(NumberText.fixed(fold.heldIn, 4)),
        StyledText(fold.heldOutValue.map { NumberText.fixed($0, 4) } ?? "n/a"),
        StyledText(settings(of: fold), .dim),
      ])
    }
    document.table(table)
    if folds.count > Self.shownPoints {
      document.paragraph(
        StyledText(
          "The worst \(Self.shownPoints) of \(folds.count); the JSON has them all.", .dim))
    }
  }

  private func otherChoices(_ counts: [Int]) -> [StyledText] {
    let total = counts.reduce(0, +)
    guard total > 0 else { return [] }
    return [
      StyledText(
        "\(total) of \(folds.count) folds chose one of \(counts.count) other settings; the JSON has "
          + "them", .dim)
    ]
  }

  private func gain(_ fold: Fold) -> Double {
    guard let value = fold.heldOutValue else { return .infinity }
    return evidence.higherIsBetter ? value : -value
  }

  private func settings(of fold: Fold) -> String {
    let varied = fold.parameters.filter { fact in
      extents.contains { $0.key.rawValue == fact.key } || fact.value != fact.defaultValue
    }
    let names = [fold.detector] + (fold.smoothing == "none" ? [] : [fold.smoothing])
    return (names + varied.map(\.sentence) + (fold.isFeasible ? [] : ["constraints broken"]))
      .joined(separator: ", ")
  }

  private static let shownChoices = 5
  private static let shownPoints = 12
}

extension Plateau.Side {
  /// Where the plateau ends on this side.
  fileprivate var sentence: String {
    cliff.map { "\(NumberText.short($0)) (\(stepCount(steps)))" } ?? "none seen"
  }
}

/// `1 step`, `2 steps`.
private func stepCount(_ count: Int) -> String { "\(count) step\(count == 1 ? "" : "s")" }

extension Choice.Step {
  /// What the step costs, beside what chance explains.
  fileprivate var sentence: String {
    let error = standardError.map { " (standard error \(NumberText.fixed($0, 4)))" } ?? ""
    return "\(definition.key.rawValue) at \(NumberText.short(to)) instead of "
      + "\(NumberText.short(from)) costs \(NumberText.fixed(cost ?? 0, 4))\(error), more than "
      + "chance explains."
  }

  /// Which constraint the step breaks; nil where it keeps them all.
  fileprivate var brokenSentence: String? {
    broken.map {
      "\(definition.key.rawValue) at \(NumberText.short(to)) instead of "
        + "\(NumberText.short(from)) breaks \($0)."
    }
  }
}

extension HeldOutEstimate.Unit {
  /// What the estimate is about.
  fileprivate var meaning: String {
    switch self {
    case .people: "what to expect of new people"
    case .recordings:
      "new recordings of the same people; expect less of new people"
    case .peopleAndRecordings:
      "too high for new people where a person is in several recordings"
    case .sources: "what to expect of a new source"
    }
  }

  /// What resamples draw.
  fileprivate var resampled: String { self == .sources ? "people" : rawValue }
}

extension HeldOutEstimate {
  /// Whether the change is more than chance explains.
  fileprivate var changeMeaning: String {
    guard let interval = changeInterval else { return "on the same data, without an interval" }
    return interval.lower > 0 || interval.upper < 0
      ? "on the same data" : "on the same data; chance explains it"
  }
}

extension Double? {
  /// A number to the decimals that its interval bears, with the interval's ends.
  ///
  /// Without an interval two decimals.
  fileprivate func text(within interval: Interval?, showsEnds: Bool = true) -> String {
    guard let value = self else { return "n/a" }
    guard let interval else { return NumberText.fixed(value, 2) }
    let decimals = NumberText.decimals(bearing: interval.width / 2)
    let number = NumberText.fixed(value, decimals)
    guard showsEnds else { return number }
    return number + " (\(NumberText.fixed(interval.lower, decimals)) to "
      + "\(NumberText.fixed(interval.upper, decimals)))"
  }
}

extension ParameterFact {
  /// `sag 0.01 m`.
  var sentence: String {
    "\(key) \(NumberText.short(value))" + (unit == "-" || unit == "frames" ? "" : " \(unit)")
  }
}

extension String {
  /// A metric's name without its stream.
  fileprivate var shortName: String {
    split(separator: ".", maxSplits: 1).last.map(String.init) ?? self
  }
}
