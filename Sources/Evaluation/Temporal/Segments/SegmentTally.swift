/// Segmental F1 at three overlaps and the edit score; sums over sequences.
///
/// Segments are runs of frames of one class, the empty answer removed; overlaps are of frames.
///
/// - Source: Lea et al. (2016), ECCV, and (2017), CVPR; the greedy rule is that of MS-TCN's
///   `eval.py` (Farha and Gall 2019, CVPR).
package struct SegmentTally: Hashable, Sendable {
  /// The least overlaps: intersection over union.
  package static let overlaps = [0.1, 0.25, 0.5]

  /// Answered segments that hit one of their own, at each overlap, in order of time: each looks
  /// at its best overlap only, the second best is not tried.
  package private(set) var greedyHits = [0, 0, 0]
  /// Pairs of a maximum one-to-one matching, at each overlap.
  package private(set) var optimalHits = [0, 0, 0]
  /// True segments.
  package private(set) var truth = 0
  /// Answered segments.
  package private(set) var answers = 0
  /// The sum of the sequences' edit scores, 0...100 each.
  package private(set) var editScores = 0.0
  /// Sequences with a scored frame.
  package private(set) var sequences = 0

  /// No sequence.
  package init() {}

  /// Counts the spans of one sequence.
  init(_ spans: [ScoredSpan]) {
    guard !spans.isEmpty else { return }
    let trueRuns = spans.flatMap { $0.truth.filter { $0.code > 0 } }
    let answerRuns = spans.flatMap { $0.answers.filter { $0.code > 0 } }
    truth = trueRuns.count
    answers = answerRuns.count
    sequences = 1
    editScores = EditScore.score(trueRuns.map(\.code), answerRuns.map(\.code))
    for (index, overlap) in Self.overlaps.enumerated() {
      let segments = SegmentOverlap(truth: trueRuns, answers: answerRuns, least: overlap)
      greedyHits[index] = segments.greedyHits
      optimalHits[index] = segments.optimalHits
    }
  }

  /// F1 at each overlap: 2 hits / (truth + answers).
  package func f1(isOptimal: Bool = false) -> [MetricValue] {
    (isOptimal ? optimalHits : greedyHits).map {
      .ratio(Double(2 * $0), Double(truth + answers), orElse: .noEvent)
    }
  }

  /// The mean edit score over sequences, 0...100.
  package var editScore: MetricValue {
    .ratio(editScores, Double(sequences), orElse: .noScoredFrames)
  }

  /// Adds the segments of other sequences.
  package static func += (left: inout SegmentTally, right: SegmentTally) {
    for index in overlaps.indices {
      left.greedyHits[index] += right.greedyHits[index]
      left.optimalHits[index] += right.optimalHits[index]
    }
    left.truth += right.truth
    left.answers += right.answers
    left.editScores += right.editScores
    left.sequences += right.sequences
  }
}
