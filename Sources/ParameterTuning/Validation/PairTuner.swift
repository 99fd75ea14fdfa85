internal import PlankDetection
internal import PoseModel

/// Tunes both streams of a detector that they share.
///
/// The first stream chooses detector, smoothing and every parameter it uses, `hold_seconds` among
/// them; the other then chooses among the cells that agree with it.
package struct PairTuner: Sendable {
  private let definition: GridDefinition
  private let data: MeasuredData
  private let options: TuningOptions

  /// Prepares a tuner.
  package init(
    _ definition: GridDefinition, _ data: MeasuredData, _ options: TuningOptions = TuningOptions()
  ) {
    self.definition = definition
    self.data = data
    self.options = options
  }

  /// Tunes the stream of `first`, then the stream of `second`.
  ///
  /// - Precondition: the goals are of different streams.
  /// - Parameter cells: the first stream's cells, where they were evaluated before.
  /// - Returns: two reports; the parameters of the second are those of the whole pair.
  package func tune(
    first: TuningGoal, second: TuningGoal, cells: CellTable? = nil,
    progress: @escaping TuningProgress = { _, _, _ in }
  ) async throws(TuningError) -> (first: TuningReport, second: TuningReport) {
    precondition(first.stream != second.stream, "a goal for each stream")
    let chosen = try await StreamTuner(definition, data, first, options)
      .tune(cells: cells, progress: progress)
    let (rest, restData) = try agreeing(with: chosen, first.stream)
    let other = try await StreamTuner(rest, restData, second, options)
      .tune(progress: progress)
    return (first: chosen, second: other)
  }

  /// What is left to choose once a stream has chosen.
  private func agreeing(
    with report: TuningReport, _ stream: AnswerStream
  ) throws(TuningError) -> (definition: GridDefinition, data: MeasuredData) {
    let detector = definition.detectors.firstIndex { $0.name == report.detector } ?? 0
    let smoothing = definition.smoothings.firstIndex { $0.name == report.smoothing } ?? 0
    let chosen = definition.detectors[detector]
    let taken = chosen.keys(stream)
    let used = chosen.definition.parameters.map(\.key)
    let rest = try GridDefinition(
      [chosen.with(report.parameters)],
      smoothings: [definition.smoothings[smoothing]],
      axes: definition.axes.filter { used.contains($0.key) && !taken.contains($0.key) },
      constraints: definition.constraints)
    let variant = detector * definition.smoothings.count + smoothing
    return (definition: rest, data: try MeasuredData(variants: [data.variants[variant]]))
  }
}
