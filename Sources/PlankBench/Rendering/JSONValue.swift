internal import Platform
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
    case .null: add(json: "null")
    case .bool(let value): add(json: value ? "true" : "false")
    case .string(let value):
      var text = ""
      text.appendQuoted(value)
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
  /// Writes the value, null for a number that is not finite.
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
}
