internal import Evaluation
internal import Platform
internal import PoseModel

struct GateCandidate: Sendable {
  let dataset: Evaluation.DatasetIdentity
  let datasets: DatasetCollection
  let report: EvaluationReport
  let thresholds: Thresholds?
  let bench: BenchDetector?
  let runs: [SequenceRun]
  /// The median cost per frame over that of the calibration loop; nil if nothing was timed.
  let frameCostRatio: Double?
  let remarks: [String]

  static func evaluate(
    _ gate: GateSettings, progress: @escaping ProgressReport
  ) async throws -> GateCandidate {
    let detector =
      gate.predictions == nil
      ? try BenchDetector(
        gate.detector, thresholds: gate.parameters, assignments: gate.assignments,
        smoothing: gate.smoothing, debounce: gate.debounce, source: .file(gate.places))
      : try BenchDetector()
    let datasets = try DatasetCollection(opening: [gate.dataset], split: gate.split)
    let identity = try datasets.identity(progress: progress)
    let found = try await DatasetEvaluation(
      of: datasets, detector: detector, predictions: gate.predictions, progress: progress)
    let cost = gate.predictions == nil ? found.report.timing?.frameCost?.p50.value : nil
    let ratio = cost.map { $0 / CalibrationLoop.seconds() }
    return GateCandidate(
      dataset: identity, datasets: datasets, report: found.report,
      thresholds: gate.predictions == nil ? Thresholds(detector) : nil,
      bench: gate.predictions == nil ? detector : nil, runs: found.runs,
      frameCostRatio: ratio, remarks: found.remarks)
  }

  var side: GateSide {
    GateSide(
      sequences: runs.map(\.evaluation.scores), frameCostRatio: frameCostRatio)
  }
}

/// Costs are multiples of its time, measured in the same process, so that a gate on cost does not
/// depend on the machine.
enum CalibrationLoop {
  /// The shortest of several times of the loop, in seconds.
  static func seconds(repeats: Int = 15) -> Double {
    let clock = ContinuousClock()
    var least = Double.infinity
    var sum = 0.0
    for _ in 0..<repeats {
      let start = clock.now
      sum += run()
      let parts = (clock.now - start).components
      least = min(least, Double(parts.seconds) + Double(parts.attoseconds) * 1e-18)
    }
    // The sum is used so that no compiler optimizes the work away.
    return sum.isFinite ? least : .nan
  }

  private static func run() -> Double {
    var value = 0.4
    for _ in 0..<10_000 { value = 3.9 * value * (1 - value) }
    return value
  }
}
