internal import Evaluation
internal import PoseModel
internal import Specifications

/// An evaluation that a gate judges or a baseline keeps.
struct GateCandidate: Sendable {
  /// The whole report.
  let report: EvaluationReport
  /// What each sequence left behind.
  let runs: [SequenceRun]
  /// The median cost of a frame over that of the calibration loop; nil where nothing was timed.
  let frameCostRatio: Double?
  /// What is to be said of the inputs and is no part of the result.
  let remarks: [String]

  /// Evaluates what a gate names.
  static func evaluate(
    _ gate: GateSettings, progress: @escaping ProgressReport
  ) async throws(WorkflowFailure) -> GateCandidate {
    let found = try await EvaluateDataset.evaluate(
      GateFile.request(gate), progress: progress, intervals: false)
    let cost = gate.predictions == nil ? found.report.timing?.frameCost?.p50.value : nil
    let ratio = cost.map { $0 / CalibrationLoop.seconds() }
    return GateCandidate(
      report: found.report, runs: found.runs, frameCostRatio: ratio,
      remarks: found.remarks)
  }

  /// The side of a gate.
  var side: GateSide {
    GateSide(
      sequences: runs.map(\.evaluation.scores), frameCostRatio: frameCostRatio)
  }
}
