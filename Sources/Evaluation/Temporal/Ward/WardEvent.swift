/// What became of an event, one class against the rest.
///
/// Truth and answers are sorted apart, so that both views add up to their number of events. Events
/// overlap where they share a frame; touching is not overlapping.
///
/// - Source: Ward, Lukowicz and Gellersen (2011), ACM TIST 2(1):6, doi 10.1145/1889681.1889687.
package enum WardEvent: String, CaseIterable, Hashable, Sendable {
  /// It overlaps exactly one event of the other side, and that one only this.
  case correct
  /// It overlaps none: a true event is deleted, an answered one is inserted.
  case alone
  /// The true event is cut: several answers overlap it. An answer is one of several such.
  case fragmented
  /// The answer bridges several true events. A true event is one of several such.
  case merged
  /// Both.
  case fragmentedAndMerged = "fragmented_and_merged"

  fileprivate init(overlaps: Int, isFragmented: Bool, isMerged: Bool) {
    switch (overlaps > 0, isFragmented, isMerged) {
    case (false, _, _): self = .alone
    case (true, true, true): self = .fragmentedAndMerged
    case (true, true, false): self = .fragmented
    case (true, false, true): self = .merged
    case (true, false, false): self = .correct
    }
  }

  /// Sorts the events of both sides.
  ///
  /// - Complexity: O(truth + answers).
  static func sort(
    truth: [LabelRun], answers: [LabelRun]
  ) -> (truth: [WardEvent], answers: [WardEvent]) {
    let pairs = overlaps(truth, answers)
    var ofTruth = [Int](repeating: 0, count: truth.count)
    var ofAnswers = [Int](repeating: 0, count: answers.count)
    for pair in pairs {
      ofTruth[pair.truth] += 1
      ofAnswers[pair.answer] += 1
    }
    var isMerged = [Bool](repeating: false, count: truth.count)
    var isFragment = [Bool](repeating: false, count: answers.count)
    for pair in pairs {
      if ofAnswers[pair.answer] > 1 { isMerged[pair.truth] = true }
      if ofTruth[pair.truth] > 1 { isFragment[pair.answer] = true }
    }
    return (
      truth.indices.map {
        WardEvent(overlaps: ofTruth[$0], isFragmented: ofTruth[$0] > 1, isMerged: isMerged[$0])
      },
      answers.indices.map {
        WardEvent(
          overlaps: ofAnswers[$0], isFragmented: isFragment[$0], isMerged: ofAnswers[$0] > 1)
      }
    )
  }

  private static func overlaps(
    _ truth: [LabelRun], _ answers: [LabelRun]
  ) -> [(truth: Int, answer: Int)] {
    var pairs: [(truth: Int, answer: Int)] = []
    var (left, right) = (0, 0)
    while left < truth.count, right < answers.count {
      if truth[left].frames.overlaps(answers[right].frames) { pairs.append((left, right)) }
      if truth[left].frames.upperBound < answers[right].frames.upperBound {
        left += 1
      } else {
        right += 1
      }
    }
    return pairs
  }
}
