internal import PoseModel

/// A section of a script with its catalog of numbers and words.
///
/// Validation, the reader of script files, help texts and documentation tables are derived from the
/// catalog.
package protocol ScriptParameters: Hashable, Sendable {
  static var section: String { get }

  static var fields: [ScriptField<Self>] { get }

  static var words: [ScriptWord<Self>] { get }

  init()

  static var limits: [(lower: String, upper: String)] { get }

  func validateRelations(in section: String) throws
}

extension ScriptParameters {
  package static var words: [ScriptWord<Self>] { [] }

  package static var limits: [(lower: String, upper: String)] { [] }

  package func validateRelations(in section: String) throws {}

  package func validate(in section: String = Self.section) throws {
    for field in Self.fields { try field.check(self[keyPath: field.path], in: section) }
    func value(_ key: String) -> Double? {
      Self.fields.first { $0.key == key }.map { self[keyPath: $0.path] }
    }
    for (lower, upper) in Self.limits {
      guard let low = value(lower), let high = value(upper), low > high else { continue }
      throw ScriptError.reversedLimits(lower: "\(section).\(lower)", upper: "\(section).\(upper)")
    }
    try validateRelations(in: section)
  }

  mutating func clamp() {
    for field in Self.fields {
      let value = self[keyPath: field.path]
      self[keyPath: field.path] = min(max(value, field.range.lowerBound), field.range.upperBound)
    }
  }

  func blended(to other: Self, share: Double) -> Self {
    var result = share < 0.5 ? self : other
    for field in Self.fields {
      let (a, b) = (self[keyPath: field.path], other[keyPath: field.path])
      result[keyPath: field.path] = a + (b - a) * share
    }
    return result
  }

  package mutating func set(
    _ key: String, to value: Double, in section: String = Self.section
  ) throws {
    guard let field = Self.fields.first(where: { $0.key == key }) else {
      throw ScriptError.unknownField(field: "\(section).\(key)", allowed: Self.fields.map(\.key))
    }
    try field.check(value, in: section)
    self[keyPath: field.path] = value
  }
}

package enum ScriptError: Error, Hashable, Sendable, CustomStringConvertible {
  case outOfRange(field: String, found: Double, allowed: ClosedRange<Double>, unit: String)
  case unknownField(field: String, allowed: [String])
  case reversedLimits(lower: String, upper: String)
  case sessionsRepeatOrMissing
  case noQuarterTurn(field: String, found: Double)
  case noHolds
  case formOfNegative(field: String, posture: String)
  case flexionOutsideSidePlank(field: String, posture: String)
  case errorsOfImagePoints(found: String)

  package var description: String {
    switch self {
    case .outOfRange(let field, let found, let allowed, let unit):
      let suffix = unit.isEmpty ? "" : " " + unit
      return "\(field) is \(found)\(suffix); allowed: \(allowed.lowerBound) to "
        + "\(allowed.upperBound)\(suffix); write a number in that range"
    case .unknownField(let field, let allowed):
      let name = field.split(separator: ".").last.map(String.init) ?? field
      return "\(field) is unknown; \(NearestNames.hint(name, among: allowed))"
        + "write one of: \(allowed.joined(separator: ", "))"
    case .reversedLimits(let lower, let upper):
      return "\(lower) is above \(upper); swap them or raise the upper one"
    case .sessionsRepeatOrMissing:
      return "studio.only is empty or names a session twice; list each number once, or remove it"
    case .noQuarterTurn(let field, let found):
      return "\(field) is \(found); write 0, 90, 180 or 270"
    case .noHolds: return "the session has no holds; write at least one posture with its seconds"
    case .formOfNegative(let field, let posture):
      return "\(field) is set, but \(posture) is not a plank; remove it or choose a plank"
    case .errorsOfImagePoints(let found):
      return "output.recording is \(found), but the errors of recordings are those of 3D joints; "
        + "write camera or pelvis, or leave the errors out"
    case .flexionOutsideSidePlank(let field, let posture):
      return "\(field) is set, but \(posture) is not a side plank; use hip_offset_m instead"
    }
  }
}

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
    setNumber = { root, key, value in try root[keyPath: path].set(key, to: value, in: name) }
    setWord = { root, key, word in
      Section.words.first { $0.key == key }?.set(word, in: &root[keyPath: path]) ?? false
    }
    readNumber = { root, key in
      Section.fields.first { $0.key == key }.map { root[keyPath: path][keyPath: $0.path] }
    }
    readWord = { root, key in Section.words.first { $0.key == key }?.word(in: root[keyPath: path]) }
    check = { root in try root[keyPath: path].validate(in: name) }
  }

  package var keys: [String] { choices.map(\.key) + numbers.map(\.key) }

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

  /// The last word of the key names the unit; shares, factors and counts have none.
  package init(
    _ key: String, _ range: ClosedRange<Double>,
    _ path: any WritableKeyPath<Parameters, Double> & Sendable, _ meaning: String
  ) {
    self.key = key
    let word = key.split(separator: "_").last.map(String.init) ?? ""
    unit =
      switch word {
      case "hz": "Hz"
      case "minute": "/min"
      case "m", "s", "deg", "px", "frames", "joints": word
      default: ""
      }
    self.range = range
    self.meaning = meaning
    self.path = path
  }

  package var defaultValue: Double { Parameters()[keyPath: path] }

  func check(_ value: Double, in section: String) throws {
    guard range.contains(value) else {
      throw ScriptError.outOfRange(
        field: "\(section).\(key)", found: value, allowed: range, unit: unit)
    }
  }
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
