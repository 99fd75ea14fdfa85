/// Rules are counted from 0; the last rule has no condition and stays last.
package enum RuleEdit: Codable, Hashable, Sendable {
  case move(parameter: String, value: Double)
  case dropRule(rule: Int)
  case dropCondition(rule: Int, condition: Int)
  case swap(rule: Int)
  case narrow(rule: Int, condition: EditCondition)
  case insert(position: Int, label: String, conditions: [EditCondition])

  private enum CodingKeys: String, CodingKey {
    case move, swap, narrow, insert
    case dropRule = "drop_rule"
    case dropCondition = "drop_condition"
  }

  package enum Kind: Int, CaseIterable, Comparable, Codable, Hashable, Sendable {
    case move
    case rearrange
    case narrow
    case insert
    case insertPair

    package static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
  }

  package var kind: Kind {
    switch self {
    case .move: .move
    case .dropRule, .dropCondition, .swap: .rearrange
    case .narrow: .narrow
    case .insert(_, _, let conditions): conditions.count > 1 ? .insertPair : .insert
    }
  }

  package var newConditions: [EditCondition] {
    switch self {
    case .narrow(_, let condition): [condition]
    case .insert(_, _, let conditions): conditions
    case .move, .dropRule, .dropCondition, .swap: []
    }
  }
}

package struct EditCondition: Codable, Hashable, Sendable {
  package var measurement: String
  package var isBelow: Bool
  package var threshold: Double

  private enum CodingKeys: String, CodingKey {
    case measurement, threshold
    case isBelow = "below"
  }

  package init(_ measurement: String, below isBelow: Bool, _ threshold: Double) {
    self.measurement = measurement
    self.isBelow = isBelow
    self.threshold = threshold
  }
}
