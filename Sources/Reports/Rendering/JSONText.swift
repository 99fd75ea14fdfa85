internal import Platform

/// Strict JSON (RFC 8259) with sorted names: the same bytes for the same value.
///
/// Control characters, line separators, byte-order marks and noncharacters are written as numeric
/// escapes, because a terminal acts on some of them, and readers of YAML refuse or change them.
package enum JSONText {
  package enum Layout {
    case indented
    /// Like `indented`, but each object of a list is on one line, so that reviewers see what
    /// changed.
    case rows
    case line
  }

  package static func of(_ value: some Encodable, _ layout: Layout = .indented) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    do {
      var writer = JSONLayout(Array(try encoder.encode(value)), layout)
      return writer.text() + (layout == .line ? "" : "\n")
    } catch { preconditionFailure("a result cannot be written as JSON: \(error)") }
  }
}

/// A value whose JSON is an object of named members; members without a value are left out.
protocol JSONObject: Encodable {
  var members: [String: (any Encodable)?] { get }
}

extension JSONObject {
  package func encode(to encoder: any Encoder) throws {
    try members.compactMapValues { $0.map(JSONMember.init) }.encode(to: encoder)
  }
}

private struct JSONMember: Encodable {
  let value: any Encodable

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

package struct OrNull<Value: Encodable>: Encodable {
  private let value: Value?

  package init(_ value: Value?) { self.value = value }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let value { try container.encode(value) } else { try container.encodeNil() }
  }
}

package struct Versioned<Content: Encodable>: Encodable {
  private let content: Content
  private let version: Int

  package init(_ content: Content, version: Int = 1) {
    self.content = content
    self.version = version
  }

  private enum CodingKeys: String, CodingKey { case version = "schema_version" }

  package func encode(to encoder: any Encoder) throws {
    try content.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(version, forKey: .version)
  }
}

private struct JSONLayout {
  private let bytes: [UInt8]
  private let layout: JSONText.Layout
  private var result: [UInt8] = []
  private var index = 0
  private var depth = 0

  init(_ bytes: [UInt8], _ layout: JSONText.Layout) {
    self.bytes = bytes
    self.layout = layout
    result.reserveCapacity(bytes.count * 5 / 4)
  }

  mutating func text() -> String {
    if layout == .line {
      while index < bytes.count {
        if bytes[index] == UInt8(ascii: "\"") { scalar() } else { copyByte() }
      }
    } else {
      value()
    }
    return String(decoding: result, as: UTF8.self)
  }

  private mutating func value() {
    switch bytes[index] {
    case UInt8(ascii: "{"): members(until: UInt8(ascii: "}"))
    case UInt8(ascii: "["):
      if isPlainList { copy(until: UInt8(ascii: "]")) } else { members(until: UInt8(ascii: "]")) }
    default: scalar()
    }
  }

  private mutating func members(until end: UInt8) {
    let isList = end == UInt8(ascii: "]")
    result.append(bytes[index])
    index += 1
    guard bytes[index] != end else { return copyByte() }
    depth += 1
    repeat {
      if bytes[index] == UInt8(ascii: ",") { copyByte() }
      lineBreak()
      if !isList {
        scalar()
        copyByte()
        result.append(UInt8(ascii: " "))
      }
      if isList && layout == .rows && bytes[index] == UInt8(ascii: "{") {
        copy(until: UInt8(ascii: "}"))
      } else {
        value()
      }
    } while bytes[index] == UInt8(ascii: ",")
    depth -= 1
    lineBreak()
    copyByte()
  }

  private var isPlainList: Bool {
    var place = index + 1
    while bytes[place] != UInt8(ascii: "]") {
      switch bytes[place] {
      case UInt8(ascii: "["), UInt8(ascii: "{"): return false
      case UInt8(ascii: "\""): place = endOfString(at: place)
      default: place += 1
      }
    }
    return true
  }

  private mutating func copy(until end: UInt8) {
    let isList = end == UInt8(ascii: "]")
    var open = 0
    repeat {
      switch bytes[index] {
      case UInt8(ascii: "["), UInt8(ascii: "{"): open += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): open -= 1
      case UInt8(ascii: "\""):
        scalar()
        continue
      case UInt8(ascii: ",") where isList:
        copyByte()
        result.append(UInt8(ascii: " "))
        continue
      default: break
      }
      copyByte()
    } while open > 0
  }

  private mutating func scalar() {
    let start = index
    if bytes[index] == UInt8(ascii: "\"") {
      index = endOfString(at: index)
      append(quoted: bytes[start..<index])
    } else {
      while index < bytes.count, !Self.ends.contains(bytes[index]) { index += 1 }
      result.append(contentsOf: bytes[start..<index])
    }
  }

  private mutating func append(quoted text: ArraySlice<UInt8>) {
    guard text.contains(where: { $0 >= 0x7F }) else { return result.append(contentsOf: text) }
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{FFFE}", "\u{FFFF}":
        let hex = String(scalar.value, radix: 16)
        result += ("\\u" + String(repeating: "0", count: 4 - hex.count) + hex).utf8
      default: result += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      }
    }
  }

  private static let ends = Array(",]}".utf8)

  private func endOfString(at start: Int) -> Int {
    bytes.withUnsafeBytes { bytes in
      var place = start
      while true {
        place += 1
        // Packed numbers are long texts without a backslash.
        guard let base = bytes.baseAddress,
          let found = memchr(base + place, Int32(UInt8(ascii: "\"")), bytes.count - place)
        else { preconditionFailure("a text has an end") }
        place = UnsafeRawPointer(found) - base
        let slashes = bytes[..<place].reversed().prefix { $0 == UInt8(ascii: "\\") }
        if slashes.count.isMultiple(of: 2) { return place + 1 }
      }
    }
  }

  private mutating func copyByte() {
    result.append(bytes[index])
    index += 1
  }

  private mutating func lineBreak() {
    result.append(UInt8(ascii: "\n"))
    result.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }
}
