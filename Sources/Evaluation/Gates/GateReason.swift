package import Statistics

/// One reason for a rule's verdict: what was demanded, and what was found.
///
/// It holds no words; the verdict that a demand leads to follows from its kind.
package struct GateReason: Hashable, Sendable, Codable {
  /// What was found about a demand.
  package enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
    /// The number is not below `at_least`.
    case aboveMinimum = "above_minimum"
    /// The number is below `at_least`.
    case belowMinimum = "below_minimum"
    /// The number is not above `at_most`.
    case belowMaximum = "below_maximum"
    /// The number is above `at_most`.
    case aboveMaximum = "above_maximum"
    /// The number is not worse than the baseline's by more than `largest_drop`.
    case withinDrop = "within_drop"
    /// The number is worse than the baseline's by more than `largest_drop`.
    case beyondDrop = "beyond_drop"
    /// Every person has the same number as in the baseline.
    case unchanged
    /// The interval ends above a loss of the margin.
    case noWorse = "no_worse"
    /// The same, as far as people tell in whom nothing varies.
    case noWorseAlike = "no_worse_alike"
    /// The interval ends above no difference.
    case better
    /// Every person is better, by amounts that do not vary.
    case betterAlike = "better_alike"
    /// The interval ends below a loss of the margin.
    case worse
    /// Every person is worse, by amounts beyond the margin that do not vary.
    case worseAlike = "worse_alike"
    /// The interval includes a loss of the margin.
    case cannotTell = "cannot_tell"
    /// Nothing varies among people, and they are too few to speak for others.
    case tooFewToTell = "too_few_to_tell"
    /// There is no interval, and the loss is within the margin.
    case noInterval = "no_interval"
    /// There is no interval, and the loss is beyond the margin.
    case noIntervalBeyond = "no_interval_beyond"
    /// A margin takes two people.
    case onePerson = "one_person"
    /// There are fewer people than `minimum_subjects`.
    case tooFewSubjects = "too_few_subjects"
    /// No sequence is in the rule's slice.
    case noSequences = "no_sequences"
    /// No frame has a true class.
    case nothingScored = "nothing_scored"
    /// The rules could decide fewer than half of the scored frames.
    case noEvidence = "no_evidence"
    /// The number is undefined.
    case undefined
    /// The reference's number is undefined.
    case undefinedBefore = "undefined_before"
    /// There is no baseline to compare with.
    case noBaseline = "no_baseline"
    /// The reference has other sequences.
    case otherSequences = "other_sequences"
    /// No frame was timed.
    case notTimed = "not_timed"

    /// The verdict that it leads to.
    package var verdict: GateVerdict {
      switch self {
      case .aboveMinimum, .belowMaximum, .withinDrop, .unchanged, .noWorse, .noWorseAlike: .pass
      case .better, .betterAlike: .improved
      case .cannotTell, .tooFewToTell, .noInterval: .inconclusive
      case .belowMinimum, .aboveMaximum, .beyondDrop, .worse, .worseAlike: .regressed
      case .noIntervalBeyond, .onePerson, .tooFewSubjects, .noSequences, .nothingScored,
        .noEvidence, .undefined, .undefinedBefore, .noBaseline, .otherSequences, .notTimed:
        .notComparable
      }
    }

    /// Whether it is a broken limit, which says nothing about a change.
    package var isBrokenLimit: Bool { self == .belowMinimum || self == .aboveMaximum }
  }

  /// What was found.
  package let kind: Kind
  /// The demand: a limit, a largest drop or a margin, in the number's unit; nil for other kinds.
  package let limit: Double?
  /// How many people it takes; nil where their number does not matter.
  package let needed: Int?
  /// Why a number or an interval is missing; nil where none is.
  package let gap: UndefinedReason?

  /// Makes a reason.
  package init(
    _ kind: Kind, limit: Double? = nil, needed: Int? = nil, gap: UndefinedReason? = nil
  ) {
    self.kind = kind
    self.limit = limit
    self.needed = needed
    self.gap = gap
  }
}
