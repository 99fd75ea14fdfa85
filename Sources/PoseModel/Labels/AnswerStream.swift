/// One of the two questions that a detector answers about every frame.
public enum AnswerStream: String, CaseIterable, Hashable, Sendable {
  /// Which plank is held, if any.
  case plank
  /// Whether the hips sag or pike.
  case form

  /// The names of the stream's classes in the order of every confusion matrix; the first is the
  /// empty answer.
  public var labels: [String] {
    switch self {
    case .plank: PlankClass.allCases.map { $0.name }
    case .form: FormClass.allCases.map { $0.name }
    }
  }

  package func code(of name: String) -> UInt8? {
    labels.firstIndex(of: name).map(UInt8.init)
  }
}

/// What a person is doing, in the order of every confusion matrix.
///
/// The raw value is the name in labels, rules and reports.
public enum PlankClass: String, CaseIterable, Hashable, Sendable {
  /// No plank: the empty answer.
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
  public var name: String { rawValue }

  /// The class of a name, or nil for an unknown one; case matters.
  public init?(name: String) { self.init(rawValue: name) }

  /// The position among all classes: how columns and bit planes store a class.
  package var code: UInt8 {
    switch self {
    case .none: 0
    case .forearm: 1
    case .high: 2
    case .sideLeft: 3
    case .sideRight: 4
    case .reverse: 5
    }
  }

  package init?(code: UInt8) {
    switch code {
    case 0: self = .none
    case 1: self = .forearm
    case 2: self = .high
    case 3: self = .sideLeft
    case 4: self = .sideRight
    case 5: self = .reverse
    default: return nil
    }
  }
}

/// What is wrong with a plank, in the order of every confusion matrix.
///
/// The raw value is the name in labels, rules and reports.
public enum FormClass: String, CaseIterable, Hashable, Sendable {
  /// Nothing: the empty answer.
  case aligned
  /// The hips hang below the line from shoulders to ankles.
  case sag
  /// The hips are above it.
  case pike

  /// The name in labels, rules and reports.
  public var name: String { rawValue }

  /// The class of a name, or nil for an unknown one; case matters.
  public init?(name: String) { self.init(rawValue: name) }

  package var code: UInt8 {
    switch self {
    case .aligned: 0
    case .sag: 1
    case .pike: 2
    }
  }

  package init?(code: UInt8) {
    switch code {
    case 0: self = .aligned
    case 1: self = .sag
    case 2: self = .pike
    default: return nil
    }
  }
}

/// One class of one stream, for code that handles both streams.
public enum AnswerLabel: Hashable, Sendable {
  /// A class of the plank stream.
  case plank(PlankClass)
  /// A class of the form stream.
  case form(FormClass)

  /// The stream that has the class.
  public var stream: AnswerStream {
    switch self {
    case .plank: .plank
    case .form: .form
    }
  }

  /// The name in labels, rules and reports.
  public var name: String {
    switch self {
    case .plank(let plank): plank.name
    case .form(let form): form.name
    }
  }

  /// The class of a name in a stream, or nil if the stream has none of that name.
  public init?(_ stream: AnswerStream, name: String) {
    switch stream {
    case .plank:
      guard let plank = PlankClass(name: name) else { return nil }
      self = .plank(plank)
    case .form:
      guard let form = FormClass(name: name) else { return nil }
      self = .form(form)
    }
  }

  package var code: UInt8 {
    switch self {
    case .plank(let plank): plank.code
    case .form(let form): form.code
    }
  }

  package init?(_ stream: AnswerStream, code: UInt8) {
    switch stream {
    case .plank:
      guard let plank = PlankClass(code: code) else { return nil }
      self = .plank(plank)
    case .form:
      guard let form = FormClass(code: code) else { return nil }
      self = .form(form)
    }
  }
}

#if !hasFeature(Embedded)
  extension AnswerStream: Codable {}

  extension PlankClass: Codable {}

  extension FormClass: Codable {}
#endif
