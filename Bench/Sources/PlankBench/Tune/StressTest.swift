internal import Evaluation
internal import Parallelism
internal import ParameterTuning
internal import PlankDetection
internal import PoseDatasets
internal import PoseModel
internal import Statistics

/// Scores the recommendation on the same recordings with degraded frames.
struct StressTest: Sendable {
  /// The name of the recordings in progress reports.
  static let what = "degraded sequences"
  private let prepared: PreparedExperiment

  /// Makes the test of an experiment's recordings, goals and engine.
  init(_ prepared: PreparedExperiment) { self.prepared = prepared }

  /// The objective of every goal under every condition.
  ///
  /// The draws depend only on the seed, the condition and the sequence's name.
  /// - Complexity: O(conditions x frames).
  func run(
    _ found: TunedDetector, progress: @escaping ProgressReport
  ) async throws -> [[StreamRecommendation.Stressed]] {
    do {
      let settings = try FixedSettings(found.detector, found.thresholds.smoothing)
      let measured = try await ConcurrentMap.run(
        prepared.datasets.labeled, of: Self.what, jobs: prepared.options.jobs, progress: progress
      ) { entry in try measure(entry, settings) }
      var results: [[StreamRecommendation.Stressed]] = []
      for goal in prepared.experiment.goals {
        var rows: [StreamRecommendation.Stressed] = []
        for (index, condition) in StreamRecommendation.Condition.allCases.enumerated() {
          let value = try await settings.value(
            goal.objective, over: measured.map { $0[index] }, engine: prepared.options.engine,
            jobs: prepared.options.jobs)
          rows.append(StreamRecommendation.Stressed(condition: condition, objective: value))
        }
        results.append(rows)
      }
      return results
    } catch let error as TuningError {
      throw prepared.experiment.failure(error)
    }
  }

  private func measure(
    _ entry: DatasetCollection.Entry, _ settings: FixedSettings
  ) throws -> [MeasuredSequence] {
    let sequence = try prepared.datasets.collection.load(entry)
    return try StreamRecommendation.Condition.allCases.map { condition in
      let stream = RandomStream(
        seed: prepared.options.seed, purpose: "tuning.stress.\(condition.rawValue)/\(sequence.name)"
      )
      let worse = prepared.datasets.tuning(
        condition.degradation.applied(to: sequence, stream), entry)
      do throws(TuningError) {
        return try settings.measure(worse)
      } catch {
        throw prepared.experiment.failure(error)
      }
    }
  }
}

extension StreamRecommendation.Condition {
  /// What is done to the frames.
  fileprivate var degradation: FrameDegradation {
    switch self {
    case .noisier: .noisier
    case .twentiethDropped: .dropped(0.05)
    case .tenthDropped: .dropped(0.1)
    case .slower: .atMost(Hertz(15))
    }
  }
}
