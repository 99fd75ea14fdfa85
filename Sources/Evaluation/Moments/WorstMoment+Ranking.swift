internal import PoseModel

extension WorstMoment {
  /// How many moments a report lists.
  package static let limit = 10

  /// The longest wrong stretches of one stream of a sequence, the worst first, at most `limit`.
  ///
  /// - Complexity: O(frames).
  static func worst(in outcome: SequenceOutcome, _ stream: AnswerStream) -> [WorstMoment] {
    let scored = ScoredStream(outcome, stream)
    let longest = scored.wrongStretches.sorted(by: WrongStretch.isWorse).prefix(limit)
    return longest.map { WorstMoment(outcome, scored, stream, $0) }
  }

  /// The moments with the most seconds wrong, the worst first, at most `limit`.
  ///
  /// The order is total: durations that are equal to the microsecond go by the sequence's name,
  /// then by time. The worst of a union are among the worst of its parts.
  package static func worst(_ moments: [WorstMoment]) -> [WorstMoment] {
    Array(moments.sorted(by: isWorse).prefix(limit))
  }

  private static func isWorse(_ left: WorstMoment, _ right: WorstMoment) -> Bool {
    let (one, other) = (left.duration.value, right.duration.value)
    if WrongStretch.ticks(one) != WrongStretch.ticks(other) { return one > other }
    if left.sequence != right.sequence { return left.sequence < right.sequence }
    return left.start < right.start
  }
}
