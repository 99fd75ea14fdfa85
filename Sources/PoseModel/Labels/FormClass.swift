/// What is wrong with a plank, in the order of every confusion matrix.
public enum FormClass: UInt8, CaseIterable, Hashable, Sendable {
  /// Nothing: the empty answer, code 0.
  case aligned
  /// The hips hang below the line from shoulders to ankles.
  case sag
  /// The hips stand above it.
  case pike

  /// The name in labels, rules and reports.
  public var name: String { Self.names[Int(rawValue)] }

  /// The class of a name, or nil for an unknown one; case matters.
  public init?(name: String) {
    guard let index = Self.names.firstIndex(of: name) else { return nil }
    self = Self.allCases[index]
  }

  /// The names of all classes by code.
  static let names = allCases.map { String(describing: $0) }
}
