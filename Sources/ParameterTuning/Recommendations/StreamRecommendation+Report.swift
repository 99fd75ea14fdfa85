internal import PlankDetection
internal import PoseModel

extension StreamRecommendation {
  /// Puts a report in plain words.
  ///
  /// - Throws: `TuningError.detector` for a value that a detector refuses.
  package init(_ report: TuningReport) throws(TuningError) {
    let grid = report.grid
    let used = Self.keys(grid, report.choice.cell)
    stream = grid.stream
    detector = report.detector
    smoothing = report.smoothing
    parameters = report.parameters.facts(used)
    bestParameters = try grid.parameters(of: report.choice.bestCell)
      .facts(Self.keys(grid, report.choice.bestCell))
    frontMetrics = report.front.metrics.map(\.description)
    var points: [FrontPoint] = []
    for point in report.front.points { points.append(try Self.point(point, grid)) }
    front = points
    extents = report.choice.plateau?.axes.map { Self.extent($0, report.parameters) } ?? []
    refined =
      report.refinement?.steps.map { step in
        RefinedParameter(
          parameter: step.key.rawValue, unit: Self.unit(step.key, report.parameters),
          from: step.from, to: step.to, interval: step.interval, gain: step.gain,
          standardError: step.standardError, obstacle: step.obstacle)
      } ?? []
    folds = report.folds.map { fold in
      let variant = grid.variants.first { $0.detectorName == fold.detector }
      return Fold(
        heldOut: fold.heldOut, detector: fold.detector, smoothing: fold.smoothing,
        parameters: fold.parameters.facts(variant?.keys),
        isFeasible: fold.isFeasible, heldIn: fold.heldInObjective,
        heldOutValue: fold.heldOutObjective)
    }
    evidence = Evidence(report)
    views = report.views
  }

  private static func keys(_ grid: StreamGrid, _ cell: Int) -> [ParameterKey] {
    grid.variants[grid.locate(cell).variant].keys
  }

  private static func unit(_ key: ParameterKey, _ values: ParameterValues) -> String {
    values.definitions.first { $0.key == key }?.unit.rawValue ?? "-"
  }

  private static func point(
    _ point: ParetoFront.Point, _ grid: StreamGrid
  ) throws(TuningError) -> FrontPoint {
    let variant = grid.variants[grid.locate(point.cell).variant]
    return FrontPoint(
      cell: point.cell, detector: variant.detectorName, smoothing: variant.smoothing,
      parameters: try grid.parameters(of: point.cell).facts(variant.axes.map(\.key)),
      values: point.values, costOfFirst: point.costOfFirst)
  }

  private static func extent(_ axis: Plateau.Extent, _ values: ParameterValues) -> Extent {
    Extent(
      parameter: axis.key.rawValue, unit: unit(axis.key, values), values: axis.values,
      count: axis.count, below: Side(axis.below), above: Side(axis.above))
  }
}

extension StreamRecommendation.Side {
  fileprivate init(_ side: Plateau.Side) {
    steps = side.steps
    cliff = side.cliff
  }
}

extension GridDiagnostics.Axis {
  /// The parameter's name.
  var name: String { key.rawValue }
}
