internal import Evaluation
internal import PlankDetection
internal import PoseModel

/// Finds the comparison that was closest to giving a frame another raw label.
enum NearestThreshold {
  /// The nearest comparison among those that were asked.
  ///
  /// - Returns: nil where the frame is undetermined.
  static func find(
    _ detector: BatchDetector, _ stream: AnswerStream, _ columns: MeasurementColumns, at frame: Int
  ) -> WorstMoment.NearestThreshold? {
    let list = detector.definition.list(stream)
    let traces = try? list.trace(detector.parameters) { columns.value(of: $0, at: frame) }
    guard let traces, traces.contains(where: \.decides), let step = traces.nearestStep,
      let value = step.value
    else { return nil }
    let predicate = step.predicate
    return WorstMoment.NearestThreshold(
      text: "\(predicate)", margin: Double(value) - Double(step.threshold),
      unit: predicate.measurement.unit == .ratio ? "" : predicate.measurement.unit.rawValue)
  }
}
