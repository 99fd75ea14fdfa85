internal import PlankDetection
package import Platform
internal import PoseModel

/// The first stream decides on detector, smoothing and every parameter that it uses; the second
/// chooses among the cells that agree with it, in every fold as well.
///
/// The first stream's gain is not recommended if the second, tuned to it, loses more than its
/// tolerance.
package struct PairTuner: Sendable {
  private let definition: GridDefinition
  private let data: MeasuredData
  private let options: TuningOptions

  package init(
    _ definition: GridDefinition, _ data: MeasuredData, _ options: TuningOptions = TuningOptions()
  ) {
    self.definition = definition
    self.data = data
    self.options = options
  }

  /// The goals are of different streams; the parameters of the second report are those of the whole
  /// pair.
  package func tune(
    first: TuningGoal, second: TuningGoal, cells: CellTable? = nil,
    progress: @escaping ProgressReport = { _, _, _ in }
  ) async throws -> (first: TuningReport, second: TuningReport) {
    precondition(first.stream != second.stream, "a goal for each stream")
    var chosen = try await StreamTuner(definition, data, first, options)
      .tune(cells: cells, progress: progress)
    var other = try await tune(second, after: chosen, progress)
    guard chosen.decision.usesFound, let settled = other.settledObjective,
      let start = try await StreamTuner(definition, data, second, options).startObjective(),
      other.start.objective != start
    else { return (first: chosen, second: other) }
    chosen.decision = chosen.decision.knowing(
      TuningDecision.OtherStream(metric: second.objective, start: start, changed: settled),
      loses: second.gain(settled) < second.gain(start) - max(second.tolerance, 1e-12),
      takesFound: options.takesFound.contains(first.stream))
    if !chosen.decision.usesFound { other = try await tune(second, after: chosen, progress) }
    return (first: chosen, second: other)
  }

  private func tune(
    _ second: TuningGoal, after chosen: TuningReport, _ progress: @escaping ProgressReport
  ) async throws -> TuningReport {
    let (settled, first) = (chosen.settled, chosen.goal.stream)
    let rest = try agreeing(with: (settled, chosen.settledSmoothing, settled.base), first)
    var foldGrids: [Int: StreamTuner.FoldGrid] = [:]
    for (index, fold) in chosen.folds.enumerated()
    where chosen.decision.usesFound && !chosen.agrees(with: fold) {
      foldGrids[index] = try agreeing(
        with: (fold.detector, fold.smoothing, fold.parameters), first)
    }
    return try await StreamTuner(
      rest.definition, rest.data, second, options, foldGrids: foldGrids
    ).tune(progress: progress)
  }

  private func agreeing(
    with choice: (
      detector: DetectorVariant, smoothing: SmoothingChoice, parameters: ParameterValues
    ),
    _ stream: AnswerStream
  ) throws -> StreamTuner.FoldGrid {
    guard
      let detector = definition.detectors.firstIndex(where: { $0.name == choice.detector.name }),
      let smoothing = definition.smoothings.firstIndex(of: choice.smoothing)
    else { preconditionFailure("a stream chooses among the grid's detectors and smoothings") }
    let chosen = definition.detectors[detector]
    let taken = chosen.keys(stream)
    let used = chosen.definition.parameters.map(\.key)
    let rest = try GridDefinition(
      [chosen.with(choice.parameters)],
      smoothings: [definition.smoothings[smoothing]],
      axes: definition.axes.filter { used.contains($0.key) && !taken.contains($0.key) },
      constraints: definition.constraints)
    let variant = detector * definition.smoothings.count + smoothing
    return StreamTuner.FoldGrid(
      definition: rest, data: try MeasuredData(variants: [data.variants[variant]]))
  }
}

extension TuningReport {
  fileprivate func agrees(with fold: Fold) -> Bool {
    fold.detector.name == detector.name && fold.smoothing == smoothing
      && fold.parameters == parameters
  }
}
