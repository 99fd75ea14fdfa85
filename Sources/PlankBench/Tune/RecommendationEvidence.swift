internal import Evaluation
internal import PlankDetection
internal import PoseModel
internal import Tuning

extension StreamRecommendation {
  func appendPlateau(to document: inout Document) {
    guard let plateau, !plateau.axes.isEmpty else { return }
    document.paragraph(
      StyledText(
        "The plateau has \(NumberText.count(plateau.cells, "cell")). "
          + (plateau.cliffDistance.map {
            "The nearest cliff that was seen is \(NumberText.count($0, "step")) from the values found"
          } ?? "No cliff was seen around it")
          + (plateau.isLimitedByEdge
            ? "; the evaluated cells end after \(NumberText.count(plateau.margin, "step")), so it may be larger."
            : ".")
      ))
    var table = Table([
      .words("axis"), .number("from"), .number("to"), .words("unit"), .number("values"),
      .words("cliff below"), .words("cliff above"),
    ])
    for extent in plateau.axes {
      table.row([
        StyledText(extent.key.rawValue),
        StyledText(NumberText.short(extent.from)),
        StyledText(NumberText.short(extent.to)),
        StyledText(extent.unit.rawValue, .dim),
        StyledText("\(extent.count)"), StyledText(extent.below.sentence),
        StyledText(extent.above.sentence),
      ])
    }
    document.table(table)
    document.list(
      (placements ?? []).filter { !diagnostics.keptAxes.contains($0.key) }
        .map { StyledText($0.sentence) })
  }

  func appendRefinement(to document: inout Document) {
    document.list(
      refinement.map { step in
        let error = step.standardError.map { " (standard error \(NumberText.fixed($0, 4)))" } ?? ""
        let found =
          "\(step.key.rawValue) at \(NumberText.short(step.to)) "
          + "\(step.unit.rawValue), anywhere from "
          + "\(NumberText.short(step.interval.lowerBound)) to "
          + "\(NumberText.short(step.interval.upperBound)), gains "
          + "\(NumberText.fixed(step.gain, 4))\(error) in the sample"
        return switch step.obstacle {
        case nil: StyledText("Refined: \(found).")
        case .chance:
          StyledText(
            "Not taken: \(found), which is within its standard error or the tolerance: may be "
              + "chance.")
        case .knifeEdge: StyledText("Not taken: \(found), but only on a knife edge.")
        }
      })
  }

  /// Points within the tolerance count as one.
  func appendFront(to document: inout Document) {
    let points = distinctFront
    guard points.count > 1 else { return }
    document.heading("What accuracy costs (\(stream.rawValue))", level: 3)
    var columns = front.metrics.map { Table.Column.number($0.description) }
    columns += front.metrics.dropFirst().map { .number("\($0.shortName) for +0.01") }
    columns.append(.words("settings"))
    var table = Table(columns)
    for (index, point) in points.enumerated().prefix(Self.shownPoints) {
      var cells = front.metrics.map { point.values.text($0) }
      for metric in front.metrics.dropFirst() {
        let cost = index > 0 ? self.cost(of: metric, at: point, beside: points[index - 1]) : nil
        cells.append(StyledText(cost.map(\.costText) ?? "", .dim))
      }
      cells.append(StyledText(point.parameters.settings(of: point.detector, point.smoothing), .dim))
      table.row(cells)
    }
    document.table(table)
    if front.points.count > min(points.count, Self.shownPoints) {
      document.paragraph(StyledText("The JSON has all \(front.points.count) points.", .dim))
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
        StyledText(
          "The worst \(Self.shownPoints) of \(folds.count); the JSON has them all.", .dim))
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
    return choices.enumerated().sorted {
      ($1.element.count, $0.offset) < ($0.element.count, $1.offset)
    }.map(\.element)
  }

  private var foldTable: Table {
    var table = Table([
      .words("held out"), .number("others"), .number("held out value"), .words("what they chose"),
    ])
    let ranked = validation.folds.enumerated().sorted { left, right in
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
    return table
  }

  private func otherChoices(_ counts: [Int]) -> [StyledText] {
    let total = counts.reduce(0, +)
    guard total > 0 else { return [] }
    return [
      StyledText(
        "\(total) of \(validation.folds.count) folds chose one of \(counts.count) other settings; the JSON has "
          + "them", .dim)
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
    document.heading("On worse frames (\(stream.rawValue))", level: 3)
    var table = Table([.words("frames"), .number(objective.metric.description)])
    table.row([
      StyledText("as recorded"),
      StyledText(objective.recommended.map { NumberText.fixed($0, 4) } ?? "n/a"),
    ])
    for row in worseFrames {
      table.row([
        StyledText(row.condition.rawValue),
        StyledText(row.objective.map { NumberText.fixed($0, 4) } ?? "n/a"),
      ])
    }
    document.table(table)
  }

  private static let shownChoices = 5
  private static let shownPoints = 12
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
      [pair.own, pair.other].map { "`\($0.label)` \(text($0.median))" }.joined(separator: " and ")
    }
    return "`\(key.rawValue)`: halfway between the medians of \(medians.joined(separator: "; ")), "
      + "which is \(text(middle)), or as near as the plateau allows."
  }
}

extension Plateau.Side {
  fileprivate var sentence: String {
    cliff.map { "\(NumberText.short($0)) (\(NumberText.count(steps, "step")))" } ?? "none seen"
  }
}

extension MetricTable {
  func text(_ key: MetricKey) -> StyledText {
    StyledText(self[key]?.number.map { NumberText.fixed($0, 4) } ?? "n/a")
  }
}
