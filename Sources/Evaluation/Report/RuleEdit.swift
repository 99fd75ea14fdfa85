/// One change of a list of rules.
///
/// Rules are counted from 0 in the list's order; the last rule has no condition and stays last.
package enum RuleEdit: Codable, Hashable, Sendable {
  /// A parameter gets another value, wherever the list uses it.
  case move(parameter: String, value: Double)
  /// A rule goes.
  case dropRule(rule: Int)
  /// One condition of a rule that has several goes.
  case dropCondition(rule: Int, condition: Int)
  /// A rule and the next one change places.
  case swap(rule: Int)
  /// A rule gets one more condition.
  case narrow(rule: Int, condition: EditCondition)
  /// A rule is inserted before the one at a position.
  case insert(position: Int, label: String, conditions: [EditCondition])

  private enum CodingKeys: String, CodingKey {
    case move, swap, narrow, insert
    case dropRule = "drop_rule"
    case dropCondition = "drop_condition"
  }

  /// How simple an edit is, the simplest first.
  package enum Kind: Int, CaseIterable, Comparable, Codable, Hashable, Sendable {
    /// Another number for a parameter.
    case move
    /// Something goes, or changes its place.
    case rearrange
    /// One more condition.
    case narrow
    /// A new rule with one condition.
    case insert
    /// A new rule with two conditions.
    case insertPair

    package static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
  }

  /// How simple the edit is.
  package var kind: Kind {
    switch self {
    case .move: .move
    case .dropRule, .dropCondition, .swap: .rearrange
    case .narrow: .narrow
    case .insert(_, _, let conditions): conditions.count > 1 ? .insertPair : .insert
    }
  }

  /// The conditions that the edit adds.
  package var newConditions: [EditCondition] {
    switch self {
    case .narrow(_, let condition): [condition]
    case .insert(_, _, let conditions): conditions
    case .move, .dropRule, .dropCondition, .swap: []
    }
  }
}

/// A new comparison of a measurement with a number.
package struct EditCondition: Codable, Hashable, Sendable {
  /// The measurement's name.
  package var measurement: String
  /// Whether the measurement must be below the threshold; otherwise above it.
  package var isBelow: Bool
  /// The threshold in the measurement's unit.
  package var threshold: Double

  private enum CodingKeys: String, CodingKey {
    case measurement, threshold
    case isBelow = "below"
  }

  /// Makes a comparison.
  package init(_ measurement: String, below isBelow: Bool, _ threshold: Double) {
    self.measurement = measurement
    self.isBelow = isBelow
    self.threshold = threshold
  }
}
