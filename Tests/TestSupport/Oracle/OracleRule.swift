/// A label and the conjunction under which it is given; without predicates it always holds.
package struct OracleRule: Sendable, Equatable {
  /// The label.
  package var label: String
  /// All must hold.
  package var predicates: [OraclePredicate]

  /// Makes a rule.
  package init(_ label: String, _ predicates: OraclePredicate...) {
    self.label = label
    self.predicates = predicates
  }

  /// Makes a rule of an array of predicates.
  package init(label: String, predicates: [OraclePredicate]) {
    self.label = label
    self.predicates = predicates
  }
}
