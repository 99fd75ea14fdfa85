internal import PlankDetection
internal import PoseModel

/// A detector with all its numbers settled, as it is scored on data that it was not chosen on.
package struct FixedSettings: Sendable {
  private let definition: GridDefinition

  /// Takes a detector with its parameters and smoothing.
  package init(_ variant: DetectorVariant, _ smoothing: SmoothingVariant) throws(TuningError) {
    definition = try GridDefinition([variant], smoothings: [smoothing], axes: [])
  }

  /// The measurements of a recording that the detector reads.
  ///
  /// - Throws: `TuningError.detector` for parameters that the detector refuses.
  package func measure(_ sequence: TuningSequence) throws(TuningError) -> MeasuredSequence {
    let data = try MeasuredData([sequence], for: definition)
    return data.sequences[0]
  }

  /// A metric of the detector's answers, pooled over the sequences.
  ///
  /// - Returns: nil where the metric is undefined.
  package func value(
    _ metric: CellMetric, over sequences: [MeasuredSequence], engine: SweepEngine = .automatic
  ) async throws(TuningError) -> Double? {
    let data = try MeasuredData(variants: [sequences])
    let grid = try definition.grid(metric.stream, data)
    let cells = try await StreamSweep(grid, data, engine: engine).evaluate(0..<1, jobs: 1)
    let table = try SubjectTable(cells, allowsUngrouped: true)
    return table.value(metric, at: 0, Array(table.subjects.indices))
  }
}
