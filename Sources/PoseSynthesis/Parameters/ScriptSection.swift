/// A section of a script file, independent of its type.
///
/// `Root` is what contains it: a session, or one of its holds.
package struct ScriptSection<Root: Sendable>: Sendable {
  package struct Number: Hashable, Sendable {
    package let key: String
    package let unit: String
    package let range: ClosedRange<Double>
    package let meaning: String
  }

  package struct Choice: Hashable, Sendable {
    package let key: String
    package let allowed: [String]
    package let meaning: String
  }

  package let name: String
  package let numbers: [Number]
  package let choices: [Choice]
  private let setNumber: @Sendable (inout Root, String, Double) throws -> Void
  private let setWord: @Sendable (inout Root, String, String) -> Bool
  private let readNumber: @Sendable (Root, String) -> Double?
  private let readWord: @Sendable (Root, String) -> String?
  private let check: @Sendable (Root) throws -> Void

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

  package var keys: [String] { choices.map(\.key) + numbers.map(\.key) }

  /// Throws for an unknown key or word, a number out of range, or a word in place of a number and
  /// vice versa.
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

  package func text(of key: String, in root: Root) -> String? {
    if let word = readWord(root, key) { return word }
    return readNumber(root, key).map { value in
      value == value.rounded() && value.magnitude < 1e9 ? String(Int(value)) : String(value)
    }
  }

  package func validate(_ root: Root) throws { try check(root) }
}

package enum ScriptValue: Hashable, Sendable {
  case number(Double)
  case word(String)
}

package struct ScriptAssignment: Hashable, Sendable {
  package var section: String
  package var key: String
  package var value: ScriptValue

  package init(section: String, key: String, value: ScriptValue) {
    self.section = section
    self.key = key
    self.value = value
  }
}

package struct ScriptField<Parameters: ScriptParameters>: Sendable {
  package let key: String
  package let unit: String
  package let range: ClosedRange<Double>
  package let meaning: String
  package let path: any WritableKeyPath<Parameters, Double> & Sendable

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

  package var defaultValue: Double { Parameters()[keyPath: path] }
}

package struct ScriptWord<Parameters: Sendable>: Sendable {
  package let key: String
  package let allowed: [String]
  package let meaning: String
  private let read: @Sendable (Parameters) -> String
  private let write: @Sendable (inout Parameters, String) -> Bool

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

  package func word(in parameters: Parameters) -> String { read(parameters) }

  package func set(_ word: String, in parameters: inout Parameters) -> Bool {
    write(&parameters, word)
  }
}
