/// What is wrong with a plank, in the order of every confusion matrix.
public enum FormClass: UInt8, CaseIterable, Hashable, Sendable {
  /// Nothing: the empty answer, code 0.
  case aligned
  /// The hips hang below the line from shoulders to ankles.
  case sag
  /// The hips stand above it.
  case pike

  /// The name in labels, rules and reports.
  public var name: String { String(describing: self) }

  /// The class of a name, or nil for an unknown one; case matters.
  public init?(name: String) {
    guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = match
  }
}
