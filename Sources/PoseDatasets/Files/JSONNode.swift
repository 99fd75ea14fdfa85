import Platform
import PoseModel

/// A value of a JSON text that knows its line, or of a table that is read as if it were JSON.
///
/// `JSONDecoder` reports no lines, silently keeps one of two equal keys, and accepts a trailing comma.
/// Texts that people or other programs wrote are therefore read by this grammar (RFC 8259).
package struct JSONNode: Sendable {
  package indirect enum Content: Sendable {
    case null
    case boolean(Bool)
    /// A number; NaN or infinite only where the parser was told to let them through.
    case number(Double)
    case text(String)
    case list([JSONNode])
    /// An object: its keys, none twice, and as many values.
    case object(keys: [String], values: [JSONNode])
  }

  package let content: Content
  /// The line on which it starts, from 1.
  package let line: Int

  package init(_ content: Content, line: Int) {
    self.content = content
    self.line = line
  }

  /// Reads a text that holds one value.
  ///
  /// - Throws: `FieldError` with the line of the first mistake of grammar or the first repeated key.
  package init(_ text: String, file: String) throws(FieldError) {
    var parser = JSONParser(Array(text.utf8), file: file)
    self = try parser.value()
    try parser.requireEnd()
  }

  /// `hint` is where the key was found before, and is kept up to date.
  func member(_ key: String, hint: inout Int) -> JSONNode? {
    guard case .object(let keys, let values) = content else { return nil }
    if hint < keys.count, keys[hint] == key { return values[hint] }
    guard let index = keys.firstIndex(of: key) else { return nil }
    hint = index
    return values[index]
  }

  subscript(key: String) -> JSONNode? {
    var hint = 0
    return member(key, hint: &hint)
  }

  /// Whether the value is null or an empty text, as fields of a table without a value are.
  var isEmpty: Bool {
    switch content {
    case .null: true
    case .text(let text): text.utf8.allSatisfy { $0 == UInt8(ascii: " ") }
    default: false
    }
  }

  /// The value as a number; texts that are decimal numbers count, `nan` and `inf` among them.
  var number: Double? {
    switch content {
    case .number(let number): number
    case .text(let text): Double(decimal: text) ?? Self.notFinite(text)
    default: nil
    }
  }

  /// The value as a text; whole numbers have no fraction.
  var text: String? {
    switch content {
    case .text(let text): text
    case .number(let number): Int(exactly: number).map(String.init) ?? "\(number)"
    case .boolean(let value): "\(value)"
    default: nil
    }
  }

  var summary: String {
    switch content {
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .number, .text: "`\((text ?? "").prefix(60))`"
    case .list(let elements): "a list of \(elements.count)"
    case .object(let keys, _): keys.isEmpty ? "an empty object" : "an object"
    }
  }

  private static func notFinite(_ text: String) -> Double? {
    ["nan", "inf", "-inf", "infinity", "-infinity", "none", "null"].contains(text.lowercased())
      ? .nan : nil
  }
}

struct JSONParser {
  private static let depthLimit = 200

  private(set) var line: Int
  private(set) var index: Int
  private let file: String
  private let bytes: [UInt8]
  private let end: Int
  private let allowsNotFinite: Bool
  private var depth = 0

  /// `allowsNotFinite` lets `NaN` and `Infinity` through, which Python writes.
  init(
    _ bytes: [UInt8], file: String, range: Range<Int>? = nil, line: Int = 1,
    allowsNotFinite: Bool = false
  ) {
    self.bytes = bytes
    self.file = file
    self.line = line
    self.allowsNotFinite = allowsNotFinite
    index = range?.lowerBound ?? 0
    end = range?.upperBound ?? bytes.count
  }

  mutating func peek() -> UInt8? {
    skipSpace()
    return next
  }

  mutating func value() throws(FieldError) -> JSONNode {
    skipSpace()
    let start = line
    switch next {
    case UInt8(ascii: "{"):
      var keys: [String] = []
      var values: [JSONNode] = []
      try members { (parser, key) throws(FieldError) in
        keys.append(key)
        values.append(try parser.value())
      }
      if let index = Self.firstRepeat(in: keys) {
        throw repeated(keys[index], line: values[index].line)
      }
      return JSONNode(.object(keys: keys, values: values), line: start)
    case UInt8(ascii: "["):
      var elements: [JSONNode] = []
      try self.elements { (parser) throws(FieldError) in elements.append(try parser.value()) }
      return JSONNode(.list(elements), line: start)
    case UInt8(ascii: "\""): return JSONNode(.text(try string()), line: start)
    default: return JSONNode(try word(), line: start)
    }
  }

  /// Goes through an object: the body reads the value of each key.
  mutating func members(
    _ read: (inout JSONParser, String) throws(FieldError) -> Void
  ) throws(FieldError) {
    try items(until: UInt8(ascii: "}")) { (parser) throws(FieldError) in
      guard parser.next == UInt8(ascii: "\"") else {
        throw parser.syntaxError(allowed: "a key in double quotes")
      }
      let key = try parser.string()
      parser.skipSpace()
      guard parser.take(UInt8(ascii: ":")) else { throw parser.syntaxError(allowed: "a colon") }
      try read(&parser, key)
    }
  }

  mutating func elements(
    _ read: (inout JSONParser) throws(FieldError) -> Void
  ) throws(FieldError) {
    try items(until: UInt8(ascii: "]"), read)
  }

  mutating func skip() throws(FieldError) {
    skipSpace()
    guard next == UInt8(ascii: "{") || next == UInt8(ascii: "[") else {
      _ = next == UInt8(ascii: "\"") ? .text(try string()) : try word()
      return
    }
    var open = 0
    while let byte = next {
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["): open += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): open -= 1
      case UInt8(ascii: "\""):
        skipText()
        continue
      case 0x0A: line += 1
      default: break
      }
      index += 1
      if open == 0 { return }
    }
    throw cutOff
  }

  var cutOff: FieldError {
    syntaxError(allowed: "the rest of the list or object: the file is cut off")
  }

  mutating func passComma() { index += 1 }

  mutating func requireEnd() throws(FieldError) {
    guard peek() == nil else { throw syntaxError(allowed: "the end of the file") }
  }

  func syntaxError(allowed: String) -> FieldError {
    let rest = bytes[min(index, end)..<end].prefix { $0 > 0x20 && $0 != UInt8(ascii: ",") }
    let text = String(decoding: rest.prefix(20), as: UTF8.self)
    let found = index >= end ? "the end" : text.isEmpty ? "nothing" : "`\(text)`"
    return FieldError(
      file: file, line: line,
      problem: "the JSON cannot be read: found \(found); allowed: \(allowed)",
      remedy: "correct it there, or write the file again")
  }

  private func repeated(_ key: String, line: Int) -> FieldError {
    FieldError(
      file: file, line: line, found: "`\(key)` more than once in one object",
      allowed: "each key once", remedy: "remove or rename the repeated key")
  }

  /// Comparing few keys with each other is faster than a set of them.
  private static let fewKeys = 24

  private static func firstRepeat(in keys: [String]) -> Int? {
    guard keys.count > fewKeys else {
      return keys.indices.first { keys[..<$0].contains(keys[$0]) }
    }
    var seen: Set<String> = []
    return keys.firstIndex { !seen.insert($0).inserted }
  }

  private mutating func items(
    until close: UInt8, _ read: (inout JSONParser) throws(FieldError) -> Void
  ) throws(FieldError) {
    depth += 1
    guard depth <= Self.depthLimit else {
      throw syntaxError(allowed: "at most \(Self.depthLimit) levels of lists and objects")
    }
    index += 1
    skipSpace()
    var count = 0
    while count > 0 || !take(close) {
      skipSpace()
      try read(&self)
      count += 1
      skipSpace()
      if take(close) { break }
      guard take(UInt8(ascii: ",")) else {
        throw syntaxError(allowed: "a comma or `\(Unicode.Scalar(close))`")
      }
    }
    depth -= 1
  }

  private mutating func skipText() {
    index += 1
    while let byte = next, byte != UInt8(ascii: "\"") {
      if byte == 0x0A { line += 1 }
      index += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    index += 1
  }

  private mutating func string() throws(FieldError) -> String {
    let start = index
    index += 1
    while let byte = next, byte >= 0x20, byte != UInt8(ascii: "\"") {
      index += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    guard take(UInt8(ascii: "\"")) else {
      index = min(index, end)
      throw syntaxError(allowed: "text that ends with a double quote on the same line")
    }
    let quoted = bytes[start..<index]
    guard quoted.contains(UInt8(ascii: "\\")) else {
      return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
    }
    guard let text = try? JSONDecoder().decode(String.self, from: Data(quoted)) else {
      index = start
      throw syntaxError(allowed: "text with valid JSON escapes")
    }
    return text
  }

  private mutating func word() throws(FieldError) -> JSONNode.Content {
    let start = index
    while let byte = next, Self.isWordByte(byte) { index += 1 }
    let short = bytes.withUnsafeBufferPointer {
      Double(shortDecimal: UnsafeBufferPointer(rebasing: $0[start..<index]))
    }
    if let short { return .number(short) }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    switch text {
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    case "null": return .null
    case "NaN", "Infinity", "-Infinity":
      if allowsNotFinite { return .number(.nan) }
    default:
      if Self.isNumber(bytes[start..<index]), let number = Double(text), number.isFinite {
        return .number(number)
      }
    }
    index = start
    throw syntaxError(
      allowed: "a number, text in double quotes, true, false, null, a list or an object")
  }

  /// The grammar of RFC 8259: -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?
  private static func isNumber(_ word: ArraySlice<UInt8>) -> Bool {
    var rest = word
    func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
    if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    let whole = rest.prefix(while: isDigit)
    guard let first = whole.first, whole.count == 1 || first != UInt8(ascii: "0") else {
      return false
    }
    rest = rest[whole.endIndex...]
    if rest.first == UInt8(ascii: ".") {
      let fraction = rest.dropFirst().prefix(while: isDigit)
      guard !fraction.isEmpty else { return false }
      rest = rest[fraction.endIndex...]
    }
    guard let mark = rest.first else { return true }
    guard mark | 0x20 == UInt8(ascii: "e") else { return false }
    rest = rest.dropFirst()
    if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
      rest = rest.dropFirst()
    }
    return !rest.isEmpty && rest.allSatisfy(isDigit)
  }

  private var next: UInt8? { index < end ? bytes[index] : nil }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    index += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      if byte == 0x0A { line += 1 }
      index += 1
    }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (97...122).contains(byte | 0x20) || byte == UInt8(ascii: "+")
      || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
  }
}
