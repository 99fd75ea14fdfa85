/// What a piece of time is, one class against the rest, where truth and answers are constant.
///
/// - Source: Ward, Lukowicz and Gellersen (2011), ACM TIST 2(1):6, doi 10.1145/1889681.1889687.
package enum WardPiece: String, CaseIterable, Hashable, Sendable {
  /// The class, answered.
  case truePositive = "true_positive"
  /// Not the class, and not answered.
  case trueNegative = "true_negative"
  /// A true event that is answered nowhere here: no right answer on either side.
  case deletion
  /// A gap within a true event, right answers on both sides.
  case fragmenting
  /// The start of a true event, not answered yet.
  case underfillStart = "underfill_start"
  /// The end of a true event, answered no more.
  case underfillEnd = "underfill_end"
  /// An answer without a true event on either side.
  case insertion
  /// An answer that bridges the gap between two true events.
  case merge
  /// An answer before the true event begins.
  case overfillStart = "overfill_start"
  /// An answer that outlasts the true event.
  case overfillEnd = "overfill_end"

  /// Whether the class is true there.
  package var isTrue: Bool {
    switch self {
    case .truePositive, .deletion, .fragmenting, .underfillStart, .underfillEnd: true
    case .trueNegative, .insertion, .merge, .overfillStart, .overfillEnd: false
    }
  }

  /// The kind of a piece with its neighbors; a neighbor is right where both say the class.
  init(isTrue: Bool, isAnswered: Bool, isRightBefore: Bool, isRightAfter: Bool) {
    switch (isTrue, isAnswered) {
    case (true, true): self = .truePositive
    case (false, false): self = .trueNegative
    case (true, false):
      self =
        isRightBefore
        ? (isRightAfter ? .fragmenting : .underfillEnd)
        : (isRightAfter ? .underfillStart : .deletion)
    case (false, true):
      self =
        isRightBefore
        ? (isRightAfter ? .merge : .overfillEnd) : (isRightAfter ? .overfillStart : .insertion)
    }
  }
}
