/// A section of a script file, independent of its type: what it contains and how it is set.
///
/// `Root` is what contains the section: a session, or one of its holds.
package struct ScriptSection<Root: Sendable>: Sendable {
  /// A number of the section, for help texts.
  package struct Number: Hashable, Sendable {
    /// The key in script files.
    package let key: String
    /// The unit as printed; empty for pure numbers.
    package let unit: String
    /// The allowed values, both ends included.
    package let range: ClosedRange<Double>
    /// What the number does.
    package let meaning: String
  }

  /// A choice of the section, for help texts.
  package struct Choice: Hashable, Sendable {
    /// The key in script files.
    package let key: String
    /// The allowed words.
    package let allowed: [String]
    /// What the choice does.
    package let meaning: String
  }

  /// The section's name, with a dot if it is nested: `camera`, `noise.joints`.
  package let name: String
  /// Its numbers.
  package let numbers: [Number]
  /// Its choices.
  package let choices: [Choice]
  private let setNumber: @Sendable (inout Root, String, Double) throws -> Void
  private let setWord: @Sendable (inout Root, String, String) -> Bool
  private let readNumber: @Sendable (Root, String) -> Double?
  private let readWord: @Sendable (Root, String) -> String?
  private let check: @Sendable (Root) throws -> Void

  /// Makes the entry of a section.
  init<Section: ScriptParameters>(
    _ path: any WritableKeyPath<Root, Section> & Sendable, in parent: String = ""
  ) {
    let name = parent.isEmpty ? Section.section : "\(parent).\(Section.section)"
    self.name = name
    numbers = Section.fields.map {
      Number(key: $0.key, unit: $0.unit, range: $0.range, meaning: $0.meaning)
    }
    choices = Section.words.map { Choice(key: $0.key, allowed: $0.allowed, meaning: $0.meaning) }
    setNumber = { root, key, value in
      try root[keyPath: path].set(key, to: value, in: name)
    }
    setWord = { root, key, word in
      Section.words.first { $0.key == key }?.set(word, in: &root[keyPath: path]) ?? false
    }
    readNumber = { root, key in
      Section.fields.first { $0.key == key }.map { root[keyPath: path][keyPath: $0.path] }
    }
    readWord = { root, key in
      Section.words.first { $0.key == key }?.word(in: root[keyPath: path])
    }
    check = { root in try root[keyPath: path].validate(in: name) }
  }

  /// The keys of the section.
  package var keys: [String] { choices.map(\.key) + numbers.map(\.key) }

  /// Sets a number or a choice.
  ///
  /// - Throws: `ScriptError` for an unknown key, a number out of range, an unknown word, or a word
  ///   in place of a number and vice versa.
  package func apply(_ value: ScriptValue, to key: String, of root: inout Root) throws {
    switch value {
    case .number(let number): try setNumber(&root, key, number)
    case .word(let word):
      guard setWord(&root, key, word) else {
        let allowed = choices.first { $0.key == key }?.allowed ?? choices.map(\.key)
        throw ScriptError.unknownField(field: "\(name).\(key)", allowed: allowed)
      }
    }
  }

  /// The value of a key as text; nil if the section does not have the key.
  package func text(of key: String, in root: Root) -> String? {
    if let word = readWord(root, key) { return word }
    return readNumber(root, key).map { value in
      value == value.rounded() && value.magnitude < 1e9 ? String(Int(value)) : String(value)
    }
  }

  /// Checks the relations between the section's numbers.
  package func validate(_ root: Root) throws { try check(root) }
}

/// A value in a script.
package enum ScriptValue: Hashable, Sendable {
  /// A number, in the unit that its key states.
  case number(Double)
  /// One of a choice's words.
  case word(String)
}

/// One value that a script sets: section, key, value.
package struct ScriptAssignment: Hashable, Sendable {
  /// The section's name.
  package var section: String
  /// The key.
  package var key: String
  /// The value.
  package var value: ScriptValue

  /// Makes an assignment.
  package init(section: String, key: String, value: ScriptValue) {
    self.section = section
    self.key = key
    self.value = value
  }
}

/// One number of a script section: its key, unit, closed range, meaning and place.
package struct ScriptField<Parameters: ScriptParameters>: Sendable {
  /// The key in script files, in snake case with the unit, for example `distance_m`.
  package let key: String
  /// The unit as printed; empty for pure numbers.
  package let unit: String
  /// The allowed values, both ends included.
  package let range: ClosedRange<Double>
  /// What the number does, in one line, with its source if there is one.
  package let meaning: String
  /// Where the number stands in its section.
  package let path: any WritableKeyPath<Parameters, Double> & Sendable

  /// Makes the entry of a number.
  package init(
    _ key: String, _ unit: String, _ range: ClosedRange<Double>,
    _ path: any WritableKeyPath<Parameters, Double> & Sendable, _ meaning: String
  ) {
    self.key = key
    self.unit = unit
    self.range = range
    self.meaning = meaning
    self.path = path
  }

  /// The value of a section unless a script sets another.
  package var defaultValue: Double { Parameters()[keyPath: path] }
}

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

  /// The word that a section has.
  package func word(in parameters: Parameters) -> String { read(parameters) }

  /// Sets the choice.
  ///
  /// - Returns: whether the word is one of `allowed`; nothing changes if not.
  package func set(_ word: String, in parameters: inout Parameters) -> Bool {
    write(&parameters, word)
  }
}
