internal import Evaluation
internal import PoseModel

/// The detection latencies of a cell over some subjects; missed events are censored at their end.
struct Latencies {
  private var latencies: [Latency] = []

  /// Collects the events of drawn subjects.
  init(_ table: SubjectTable, at position: Int, _ drawn: [Int]) {
    for subject in drawn {
      for sequence in table.sequences[subject] {
        let facts = table.cells.layout.facts.sequences[sequence]
        for (index, onset) in facts.onsets.enumerated() {
          let frames = table.cells.latency(at: position, sequence: sequence, onset: index)
          let seconds = frames.map { facts.latency(frames: $0, of: onset).value }
          latencies.append(
            Latency(seconds: seconds ?? onset.duration.value, isCensored: seconds == nil))
        }
      }
    }
  }

  /// The share of events that were detected, nil without events.
  var hitRate: Double? {
    latencies.isEmpty
      ? nil : Double(latencies.count { !$0.isCensored }) / Double(latencies.count)
  }

  /// The latency by which a share of events is detected, in seconds; nil where so many are never
  /// detected.
  ///
  /// - Complexity: O(events log events).
  func quantile(_ share: Double) -> Double? { SurvivalCurve(latencies).quantile(share) }
}
