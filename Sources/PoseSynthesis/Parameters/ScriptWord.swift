/// One choice of a script section: its key, allowed words, meaning and place.
package struct ScriptWord<Parameters: Sendable>: Sendable {
  /// The key in script files, for example `orientation`.
  package let key: String
  /// The allowed words.
  package let allowed: [String]
  /// What the choice does, in one line.
  package let meaning: String
  private let read: @Sendable (Parameters) -> String
  private let write: @Sendable (inout Parameters, String) -> Bool

  /// Makes the entry of a choice among an enumeration's cases.
  package init<Value: RawRepresentable<String> & CaseIterable & Sendable>(
    _ key: String, _ path: any WritableKeyPath<Parameters, Value> & Sendable, _ meaning: String
  ) {
    self.key = key
    self.meaning = meaning
    allowed = Value.allCases.map(\.rawValue)
    read = { $0[keyPath: path].rawValue }
    write = { parameters, word in
      guard let value = Value(rawValue: word) else { return false }
      parameters[keyPath: path] = value
      return true
    }
  }

  /// Makes the entry of a yes or no.
  package init(
    _ key: String, _ path: any WritableKeyPath<Parameters, Bool> & Sendable, _ meaning: String
  ) {
    self.key = key
    self.meaning = meaning
    allowed = ["true", "false"]
    read = { String($0[keyPath: path]) }
    write = { parameters, word in
      guard let value = Bool(word) else { return false }
      parameters[keyPath: path] = value
      return true
    }
  }

  /// The word that stands in a section.
  package func word(in parameters: Parameters) -> String { read(parameters) }

  /// Sets the choice.
  ///
  /// - Returns: whether the word is one of `allowed`; nothing changes if not.
  package func set(_ word: String, in parameters: inout Parameters) -> Bool {
    write(&parameters, word)
  }
}
