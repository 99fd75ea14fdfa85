/// How long each class lasts at a time, in truth and in answers; sums over sequences.
///
/// A dwell is a run of consecutive scored frames of one class, in seconds, a frame lasting at most
/// 0.5 s; runs that unscored frames cut are counted as they are cut.
package struct DwellCounts: Hashable, Sendable {
  /// The durations of true runs by class code.
  package private(set) var truth: [[Double]] = []
  /// The durations of answered runs by class code.
  package private(set) var answers: [[Double]] = []

  /// No runs.
  package init() {}

  /// Measures the runs of a sequence.
  init(_ spans: [ScoredSpan], labelCount: Int) {
    guard !spans.isEmpty else { return }
    truth = Array(repeating: [], count: labelCount)
    answers = truth
    for span in spans {
      for run in span.truth { truth[Int(run.code)].append(run.seconds) }
      for run in span.answers { answers[Int(run.code)].append(run.seconds) }
    }
  }

  /// Adds the runs of other sequences.
  package static func += (left: inout DwellCounts, right: DwellCounts) {
    add(&left.truth, right.truth)
    add(&left.answers, right.answers)
  }

  private static func add(_ left: inout [[Double]], _ right: [[Double]]) {
    if left.isEmpty { left = Array(repeating: [], count: right.count) }
    for (code, durations) in right.enumerated() { left[code] += durations }
  }
}
