internal import PoseModel

extension WorstMoment {
  /// How many moments a report lists.
  package static let limit = 10

  /// Every wrong stretch of a stream, in time order.
  ///
  /// - Complexity: O(frames).
  static func all(in outcome: SequenceOutcome, _ stream: AnswerStream) -> [WorstMoment] {
    let scored = ScoredStream(outcome, stream)
    var moments: [WorstMoment] = []
    var start: Int?
    for frame in scored.times.indices {
      let isWrong = scored.isScored(frame) && scored.answers[frame] != scored.truth[frame]
      if let first = start, !isWrong || scored.truth[frame] != scored.truth[first] {
        moments.append(WorstMoment(outcome, scored, stream, first..<frame))
        start = nil
      }
      if isWrong, start == nil { start = frame }
    }
    if let start {
      moments.append(WorstMoment(outcome, scored, stream, start..<scored.times.count))
    }
    return moments
  }

  /// The moments with the most seconds wrong, the worst first, at most `limit`.
  ///
  /// The order is total: equal durations go by the sequence's name, then by time. The worst of a
  /// union are among the worst of its parts.
  package static func worst(_ moments: [WorstMoment]) -> [WorstMoment] {
    Array(moments.sorted(by: isWorse).prefix(limit))
  }

  private static func isWorse(_ left: WorstMoment, _ right: WorstMoment) -> Bool {
    if left.duration != right.duration { return left.duration > right.duration }
    if left.sequence != right.sequence { return left.sequence < right.sequence }
    return left.start < right.start
  }
}
