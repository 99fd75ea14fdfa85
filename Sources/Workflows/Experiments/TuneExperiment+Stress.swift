internal import ParameterTuning
internal import PlankDetection
internal import Specifications

extension TuneExperiment {
  /// Scores what was found on worse frames.
  static func stress(
    _ found: inout TunedDetector, _ prepared: PreparedExperiment, _ request: ExperimentRequest,
    _ progress: @escaping ProgressReport
  ) async throws(WorkflowFailure) {
    let grid = prepared.experiment.grid
    guard let last = found.streams.last,
      let detector = grid.detectors.first(where: { $0.name == last.detector }),
      let smoothing = grid.smoothings.first(where: { $0.name == last.smoothing })
    else { return }
    let settings: FixedSettings
    do {
      settings = try FixedSettings(detector.with(found.thresholds.parameters), smoothing)
    } catch {
      throw WorkflowFailure(.badData, "\(error)")
    }
    let test = StressTest(
      reader: try DatasetAccess.open(ExperimentFile.dataset(request, prepared.experiment)),
      split: prepared.experiment.split, seed: prepared.options.seed,
      engine: prepared.options.engine)
    let rows = try await test.run(settings, prepared.experiment.goals, progress: progress)
    for (index, stress) in rows.enumerated() { found.streams[index].stress = stress }
  }
}
