internal import ParameterTuning
internal import PlankDetection
internal import PoseDatasets
internal import PoseModel
internal import Statistics

/// Scores what was recommended on the same recordings with their frames made worse.
struct StressTest: Sendable {
  /// What is done to the frames, and how it is called.
  private static let conditions: [(name: String, degradation: FrameDegradation)] = [
    (name: "white noise as large again", degradation: .noisier),
    (name: "5 % of the frames dropped", degradation: .dropped(0.05)),
    (name: "10 % of the frames dropped", degradation: .dropped(0.1)),
    (name: "15 frames a second", degradation: .atMost(Hertz(15))),
  ]

  let reader: DatasetReader
  let split: String?
  let seed: UInt64
  let engine: SweepEngine

  /// The objective of every goal under every condition.
  ///
  /// The draws depend on the seed, the condition and the sequence's name only.
  /// - Complexity: O(conditions x frames).
  func run(
    _ settings: FixedSettings, _ goals: [TuningGoal], progress: @escaping ProgressReport
  ) async throws(WorkflowFailure) -> [[StreamRecommendation.Stressed]] {
    let entries = try DatasetAccess.failing { () throws(DatasetError) in
      try reader.sequences(split: split)
    }
    let measured = try await ConcurrentMap.run(
      entries.filter { $0.labelsPath != nil }, progress: progress
    ) { (entry) throws(WorkflowFailure) in
      try measure(try DatasetAccess.load(entry, from: reader), settings)
    }
    var results: [[StreamRecommendation.Stressed]] = []
    do {
      for goal in goals {
        var rows: [StreamRecommendation.Stressed] = []
        for (index, condition) in Self.conditions.enumerated() {
          let value = try await settings.value(
            goal.objective, over: measured.map { $0[index] }, engine: engine)
          rows.append(StreamRecommendation.Stressed(condition: condition.name, objective: value))
        }
        results.append(rows)
      }
    } catch {
      throw WorkflowFailure(.badData, "\(error)")
    }
    return results
  }

  private func measure(
    _ sequence: DatasetSequence, _ settings: FixedSettings
  ) throws(WorkflowFailure) -> [MeasuredSequence] {
    var result: [MeasuredSequence] = []
    for (name, degradation) in Self.conditions {
      let stream = RandomStream(seed: seed, purpose: "tuning.stress.\(name)/\(sequence.name)")
      let worse = degradation.applied(to: sequence, stream)
      do {
        result.append(
          try settings.measure(
            TuningSequence(
              name: worse.name, subject: worse.subject, recording: worse.recording,
              truth: worse.truth(), startsMid: worse.startsMid)))
      } catch {
        throw WorkflowFailure(.badData, "\(error)")
      }
    }
    return result
  }
}
