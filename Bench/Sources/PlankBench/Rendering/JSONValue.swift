internal import Essentials
internal import PoseDatasets

/// A JSON value; numbers are finite by construction.
enum JSONValue: Hashable, Sendable {
  /// null: an undefined value, with the reason beside it.
  case null
  /// true or false.
  case bool(Bool)
  /// A whole number.
  case integer(Int)
  /// A finite number.
  case number(Double)
  /// A text.
  case string(String)
  /// A list.
  case array([JSONValue])
  /// Named values, written in order of their names.
  case object([String: JSONValue])

  /// A number, or null if it is nil or not finite.
  static func optional(_ value: Double?) -> JSONValue {
    guard let value, value.isFinite else { return .null }
    return .number(value)
  }

  /// A text, or null.
  static func optional(_ value: String?) -> JSONValue {
    value.map(JSONValue.string) ?? .null
  }

  /// The value as strict JSON: sorted names, two spaces of indent, a line break at the end.
  ///
  /// Lists of plain values are on one line. The same value always gives the same bytes.
  var text: String { text(.indented) }

  /// How lists of objects are laid out.
  enum Layout {
    /// Each object over several lines.
    case indented
    /// Each object on a line of its own, so that reviewers see what moved.
    case rows
  }

  /// The value as strict JSON in a layout, with a line break at the end.
  func text(_ layout: Layout) -> String {
    var result = ""
    write(to: &result, indent: 0, layout)
    return result + "\n"
  }

  private var isPlain: Bool {
    switch self {
    case .array, .object: false
    default: true
    }
  }

  /// Appends the value to a text, over several lines unless it is plain.
  func write(to text: inout String, indent: Int, _ layout: Layout = .indented) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .number(let value): text += Self.numberText(value)
    case .string(let value): text.appendQuoted(value)
    case .array(let items): Self.write(items, to: &text, indent: indent, layout)
    case .object(let members): Self.write(members, to: &text, indent: indent, layout)
    }
  }

  private static func write(
    _ items: [JSONValue], to text: inout String, indent: Int, _ layout: Layout
  ) {
    if items.allSatisfy(\.isPlain) {
      text += "["
      for (index, item) in items.enumerated() {
        if index > 0 { text += ", " }
        item.write(to: &text, indent: indent)
      }
      text += "]"
      return
    }
    let margin = String(repeating: "  ", count: indent + 1)
    text += "["
    for (index, item) in items.enumerated() {
      text += (index > 0 ? ",\n" : "\n") + margin
      switch layout {
      case .indented: item.write(to: &text, indent: indent + 1)
      case .rows: text += item.line
      }
    }
    text += "\n" + margin.dropLast(2) + "]"
  }

  private static func write(
    _ members: [String: JSONValue], to text: inout String, indent: Int, _ layout: Layout
  ) {
    guard !members.isEmpty else {
      text += "{}"
      return
    }
    let margin = String(repeating: "  ", count: indent + 1)
    text += "{"
    for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
      text += (index > 0 ? ",\n" : "\n") + margin
      text.appendQuoted(member.key)
      text += ": "
      member.value.write(to: &text, indent: indent + 1, layout)
    }
    text += "\n" + margin.dropLast(2) + "}"
  }

  /// The shortest decimal that reads back as the same number; whole numbers without a point.
  private static func numberText(_ value: Double) -> String {
    value.isFinite ? NumberText.shortest(value) : "null"
  }
}

extension JSONValue {
  /// The value as strict JSON on one line, without a line break: sorted names, no spaces.
  var line: String {
    var line = JSONLine()
    line.add(self)
    return line.text
  }
}

/// Strict JSON on one line, put together byte by byte: for large tables.
struct JSONLine {
  private var bytes: [UInt8] = []

  /// What was added.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Adds text that is JSON already, such as a brace or a name with its colon.
  mutating func add(json text: String) { bytes.append(contentsOf: text.utf8) }

  /// Adds a value with sorted names and without spaces.
  mutating func add(_ value: JSONValue) {
    switch value {
    case .integer(let number): add(number)
    case .number(let number): add(number)
    case .array(let items): add(items) { $0.add($1) }
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        add(.string(member.key))
        bytes.append(UInt8(ascii: ":"))
        add(member.value)
      }
      bytes.append(UInt8(ascii: "}"))
    case .null, .bool, .string:
      var text = ""
      value.write(to: &text, indent: 0)
      add(json: text)
    }
  }

  /// Adds a whole number.
  mutating func add(_ number: Int) {
    guard number >= 10 || number < 0 else { return bytes.append(UInt8(ascii: "0") + UInt8(number)) }
    add(json: String(number))
  }

  /// Adds a number; null where it is not finite.
  mutating func add(_ number: Double) {
    if let whole = Int(exactly: number), whole.magnitude < 1_000_000_000_000_000 {
      return add(whole)
    }
    add(json: number.isFinite ? NumberText.shortest(number) : "null")
  }

  /// Adds a list.
  mutating func add<Item>(_ items: [Item], _ add: (inout JSONLine, Item) -> Void) {
    bytes.append(UInt8(ascii: "["))
    for (index, item) in items.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      add(&self, item)
    }
    bytes.append(UInt8(ascii: "]"))
  }
}

extension JSONValue: Codable {
  /// Takes what a value encodes, which must be without numbers that are not finite.
  init(encoding value: some Encodable) {
    do {
      self = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(value))
    } catch {
      preconditionFailure("a result cannot be written as JSON: \(error)")
    }
  }

  /// Writes the value, null for a number that is not finite; `text` decides on the layout.
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value):
      if value.isFinite { try container.encode(value) } else { try container.encodeNil() }
    case .string(let value): try container.encode(value)
    case .array(let items): try container.encode(items)
    case .object(let members): try container.encode(members)
    }
  }

  /// Reads a value of any kind; numbers without a fraction are read as `integer`.
  ///
  /// - Throws: `DecodingError` for input that is not JSON.
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let items = try? container.decode([JSONValue].self) {
      self = .array(items)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// The value of a name; nil if this is not an object or lacks the name.
  subscript(name: String) -> JSONValue? {
    if case .object(let members) = self { members[name] } else { nil }
  }
}
