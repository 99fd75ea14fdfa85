/// What a person is doing, in the order of every confusion matrix.
public enum PlankClass: UInt8, CaseIterable, Hashable, Sendable {
  /// No plank: the empty answer, code 0.
  case none
  /// Prone on the forearms.
  case forearm
  /// Prone on straight arms.
  case high
  /// On the side with the LEFT shoulder up (coaches call that a right-side plank).
  case sideLeft
  /// On the side with the RIGHT shoulder up.
  case sideRight
  /// Supine on straight arms.
  case reverse

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
