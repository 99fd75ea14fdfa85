/// A label and the predicates that must all hold for it.
public struct Rule: Hashable, Sendable {
  /// The code of the label in the list's stream.
  public var label: UInt8
  /// The conjunction; empty for the last rule of a list, which always holds.
  public var predicates: [Predicate]

  /// Makes a rule from a label's code.
  public init(label: UInt8, when predicates: [Predicate] = []) {
    self.label = label
    self.predicates = predicates
  }
}
