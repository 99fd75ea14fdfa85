internal import ParameterTuning
internal import PoseModel

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
      fact.value != fact.defaultValue || extents.contains { $0.parameter == fact.key }
    }
    let steady = smoothing == "none" ? "" : ", smoothing \(smoothing)"
    return "\(detector)\(steady)"
      + (values.isEmpty ? "" : " with " + values.map(\.sentence).joined(separator: ", "))
  }

  private var scoreTable: Table {
    var table = Table([.words(evidence.objective), .number("value"), .words("")])
    func row(_ name: String, _ value: Double?, _ meaning: String, _ tone: StyledText.Tone = .plain)
    {
      table.row([
        StyledText(name, tone), StyledText(value.map { NumberText.fixed($0, 4) } ?? "n/a", tone),
        StyledText(meaning, .dim),
      ])
    }
    row("starting point", evidence.baseObjective, "the parameters that the experiment starts from")
    row("best in sample", evidence.bestObjective, "the peak; it flatters itself")
    row(
      "recommended", evidence.recommendedObjective,
      refined.contains(where: \.isTaken)
        ? "the plateau's center, refined" : "the plateau's center, same sample",
      .strong)
    if !folds.isEmpty {
      row("on held-out people", evidence.nestedEstimate, "what to expect of new ones", .strong)
      row("optimism", evidence.optimism, "how much the sample flatters")
    }
    return table
  }

  private var trust: StyledText {
    var parts = [
      "\(NumberText.count(evidence.cellCount)) cells, \(evidence.feasibleCount) of them keep the "
        + "constraints"
        + (evidence.constraints.isEmpty
          ? " (none stated)" : " (\(evidence.constraints.joined(separator: "; ")))")
        + (evidence.rejectedCount > 0 ? ", \(evidence.rejectedCount) rejected as degenerate" : "")
        + "."
    ]
    if let error = evidence.standardError {
      parts.append("Paired standard error to the best cell \(NumberText.fixed(error, 4)).")
    }
    if let share = evidence.samePlateauShare {
      parts.append("\(NumberText.percent(share)) of resampled people choose the same plateau.")
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
    if evidence.isKnifeEdge {
      warnings.append("Knife edge: one step off the recommended cell costs more than chance.")
    }
    warnings += evidence.edgeAxes.map {
      "The best cell stands at the end of the axis \($0): widen it."
    }
    warnings += evidence.inertAxes.map { "The axis \($0) changes nothing: drop it." }
    if !evidence.neverAnswered.isEmpty {
      warnings.append("Never answered: \(evidence.neverAnswered.joined(separator: ", ")).")
    }
    if !evidence.stuckSequences.isEmpty {
      let names = evidence.stuckSequences.prefix(3).joined(separator: ", ")
      warnings.append(
        "The answer never changes in \(evidence.stuckSequences.count) sequences whose truth does: "
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
        "The plateau has \(evidence.plateauCells) cells; its center is \(margin) "
          + "step\(margin == 1 ? "" : "s") from "
          + (evidence.isLimitedByEdge
            ? "the end of what was evaluated, so its true size is unknown." : "a cliff.")
      ))
    var table = Table([
      .words("axis"), .number("from"), .number("to"), .words("unit"), .number("values"),
      .words("cliff below"), .words("cliff above"),
    ])
    for extent in extents {
      table.row([
        StyledText(extent.parameter), StyledText(NumberText.short(extent.values.lowerBound)),
        StyledText(NumberText.short(extent.values.upperBound)), StyledText(extent.unit, .dim),
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
          "\(step.parameter) at \(NumberText.short(step.to)) \(step.unit), anywhere from "
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
        cells.append(StyledText(cost.map { NumberText.fixed($0 * 0.01, 3) } ?? "", .dim))
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
      extents.contains { $0.parameter == fact.key } || fact.value != fact.defaultValue
    }
    let names = [fold.detector] + (fold.smoothing == "none" ? [] : [fold.smoothing])
    return (names + varied.map(\.sentence) + (fold.isFeasible ? [] : ["constraints broken"]))
      .joined(separator: ", ")
  }

  private static let shownChoices = 5
  private static let shownPoints = 12
}

extension StreamRecommendation.Side {
  /// Where the plateau ends on this side.
  fileprivate var sentence: String {
    let distance = "\(steps) step\(steps == 1 ? "" : "s")"
    return cliff.map { "\(NumberText.short($0)) (\(distance))" }
      ?? "not seen (\(distance) to the end)"
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
