/// One of the two questions that a detector answers about every frame.
public enum AnswerStream: String, CaseIterable, Hashable, Sendable {
  /// Which plank is held, if any.
  case plank
  /// Whether the hips sag or pike.
  case form

  /// The class names by code; code 0 is the empty answer.
  public var labels: [String] {
    switch self {
    case .plank: PlankClass.names
    case .form: FormClass.names
    }
  }

  /// The code of a class name, or nil if the stream has no such class.
  public func code(of name: String) -> UInt8? {
    labels.firstIndex(of: name).map(UInt8.init)
  }
}

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
  static let names = ["none", "forearm", "high", "sideLeft", "sideRight", "reverse"]
}

/// What is wrong with a plank, in the order of every confusion matrix.
public enum FormClass: UInt8, CaseIterable, Hashable, Sendable {
  /// Nothing: the empty answer, code 0.
  case aligned
  /// The hips hang below the line from shoulders to ankles.
  case sag
  /// The hips are above it.
  case pike

  /// The name in labels, rules and reports.
  public var name: String { Self.names[Int(rawValue)] }

  /// The class of a name, or nil for an unknown one; case matters.
  public init?(name: String) {
    guard let index = Self.names.firstIndex(of: name) else { return nil }
    self = Self.allCases[index]
  }

  /// The names of all classes by code.
  static let names = ["aligned", "sag", "pike"]
}
