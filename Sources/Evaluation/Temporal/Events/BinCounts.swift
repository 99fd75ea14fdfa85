internal import PoseModel

/// In how many bins of one second a class is active in truth, in answers and in both.
///
/// Bins begin with each span of scored frames; a class is active in a bin that it overlaps at
/// all (Mesaros, Heittola and Virtanen 2016, Appl. Sci. 6:162). Sums over sequences.
package struct BinCounts: Hashable, Sendable {
  /// Bins active in both.
  package private(set) var both = 0
  /// Bins active in truth.
  package private(set) var truth = 0
  /// Bins active in answers.
  package private(set) var answers = 0

  /// The length of a bin in seconds.
  package static let seconds = 1.0

  /// No bins.
  package init() {}

  /// 2 both / (truth + answers).
  package var f1: MetricValue {
    .ratio(Double(2 * both), Double(truth + answers), orElse: .noEvent)
  }

  /// Counts a span that is reduced to one class.
  mutating func add(_ span: ScoredSpan) {
    let inTruth = Self.bins(ScoredSpan.events(span.truth), span.start)
    let inAnswers = Self.bins(ScoredSpan.events(span.answers), span.start)
    both += inTruth.intersection(inAnswers).count
    truth += inTruth.count
    answers += inAnswers.count
  }

  /// Adds the bins of other sequences.
  package static func += (left: inout BinCounts, right: BinCounts) {
    left.both += right.both
    left.truth += right.truth
    left.answers += right.answers
  }

  private static func bins(_ events: [LabelRun], _ origin: Double) -> Set<Int> {
    var bins: Set<Int> = []
    for event in events {
      let first = ((event.start - origin) / seconds + FrameTiming.slack).rounded(.down)
      let last = ((event.end - origin) / seconds - FrameTiming.slack).rounded(.up)
      for bin in Int(first)..<max(Int(first) + 1, Int(last)) { bins.insert(bin) }
    }
    return bins
  }
}
