package import Statistics

/// What was demanded, and what was found; holds no words; the verdict follows from the kind.
package struct GateReason: Hashable, Sendable, Codable {
  package enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
    case aboveMinimum = "above_minimum"
    case belowMinimum = "below_minimum"
    case belowMaximum = "below_maximum"
    case aboveMaximum = "above_maximum"
    case withinDrop = "within_drop"
    case beyondDrop = "beyond_drop"
    case unchanged
    case noWorse = "no_worse"
    /// As `noWorse`, as far as people tell in whom nothing varies.
    case noWorseAlike = "no_worse_alike"
    case better
    /// Every person is better, by amounts that do not vary.
    case betterAlike = "better_alike"
    case worse
    /// Every person is worse, by amounts beyond the margin that do not vary.
    case worseAlike = "worse_alike"
    case cannotTell = "cannot_tell"
    case tooFewToTell = "too_few_to_tell"
    case noInterval = "no_interval"
    case noIntervalBeyond = "no_interval_beyond"
    case onePerson = "one_person"
    case tooFewSubjects = "too_few_subjects"
    case noSequences = "no_sequences"
    case nothingScored = "nothing_scored"
    /// No form is labeled yet, and the rule waits for it.
    case unlabeled
    case noEvidence = "no_evidence"
    case undefined
    case undefinedBefore = "undefined_before"
    case noBaseline = "no_baseline"
    case otherSequences = "other_sequences"
    case notTimed = "not_timed"

    package var verdict: GateVerdict {
      switch self {
      case .aboveMinimum, .belowMaximum, .withinDrop, .unchanged, .noWorse, .noWorseAlike,
        .unlabeled:
        .pass
      case .better, .betterAlike: .improved
      case .cannotTell, .tooFewToTell, .noInterval: .inconclusive
      case .belowMinimum, .aboveMaximum, .beyondDrop, .worse, .worseAlike: .regressed
      case .noIntervalBeyond, .onePerson, .tooFewSubjects, .noSequences, .nothingScored,
        .noEvidence, .undefined, .undefinedBefore, .noBaseline, .otherSequences, .notTimed:
        .notComparable
      }
    }

    package var isBrokenLimit: Bool { self == .belowMinimum || self == .aboveMaximum }
  }

  package let kind: Kind
  /// The demand: a limit, a largest drop or a margin, in the number's unit; nil for other kinds.
  package let limit: Double?
  package let needed: Int?
  package let gap: UndefinedReason?

  package init(
    _ kind: Kind, limit: Double? = nil, needed: Int? = nil, gap: UndefinedReason? = nil
  ) {
    self.kind = kind
    self.limit = limit
    self.needed = needed
    self.gap = gap
  }
}
