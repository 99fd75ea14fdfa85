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

  /// The code of a class name, or nil where the stream has no such class.
  public func code(of name: String) -> UInt8? {
    labels.firstIndex(of: name).map(UInt8.init)
  }
}
