internal import ParameterTuning
internal import PlankDetection
internal import PoseModel

extension StreamRecommendation {
  /// How wide the plateau is, and where it ends.
  func appendPlateau(to document: inout Document) {
    guard let margin = evidence.margin, !extents.isEmpty else { return }
    document.paragraph(
      StyledText(
        "The plateau has \(NumberText.count(evidence.plateauCells, "cell")). "
          + (evidence.cliffDistance.map {
            "The nearest cliff that was seen is \(NumberText.count($0, "step")) from its center"
          } ?? "No cliff was seen around it")
          + (evidence.isLimitedByEdge
            ? "; what was evaluated ends after \(NumberText.count(margin, "step")), so it may be larger."
            : ".")
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

  /// What exact values between those of the grid gain.
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

  /// The cost in the objective of every gain on the front; points within the tolerance count as
  /// one.
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

  /// The choices of the folds, and the people for whom they were worst.
  func appendFolds(to document: inout Document) {
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

  /// The settings that the folds chose, the most frequent first, then in order of their folds.
  private var foldChoices: [(settings: String, count: Int)] {
    var choices: [(settings: String, count: Int)] = []
    for fold in folds {
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

  /// The folds that gained least, with what the others chose for them.
  private var foldTable: Table {
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
    return table
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

  /// The cost of worse frames.
  func appendStress(to document: inout Document) {
    guard !stress.isEmpty else { return }
    document.heading("On worse frames (\(stream.rawValue))", level: 3)
    var table = Table([.words("frames"), .number(evidence.objective), .number("change")])
    table.row([
      StyledText("as recorded"), StyledText(NumberText.fixed(evidence.recommendedObjective, 4)),
      StyledText(""),
    ])
    for row in stress {
      let change = row.objective.map { $0 - evidence.recommendedObjective }
      table.row([
        StyledText(row.condition),
        StyledText(row.objective.map { NumberText.fixed($0, 4) } ?? "n/a"),
        StyledText(change.map { ($0 > 0 ? "+" : "") + NumberText.fixed($0, 4) } ?? "", .dim),
      ])
    }
    document.table(table)
  }

  private static let shownChoices = 5
  private static let shownPoints = 12
}

extension Plateau.Side {
  /// Where the plateau ends on this side.
  fileprivate var sentence: String {
    cliff.map { "\(NumberText.short($0)) (\(NumberText.count(steps, "step")))" } ?? "none seen"
  }
}

extension String {
  /// A metric's name without its stream.
  fileprivate var shortName: String {
    split(separator: ".", maxSplits: 1).last.map(String.init) ?? self
  }
}
