/// Reads JSON values from UTF-8, one after another.
///
/// It follows RFC 8259, but refuses repeated keys and numbers beyond the range of `Double`.
/// `JSONDecoder` is not used because it reports no lines, silently keeps one of two equal keys, and
/// accepts trailing commas.
package struct JSONParser {
  package private(set) var line: Int
  package private(set) var index: Int
  private let bytes: [UInt8]
  private let end: Int
  private let depthLimit: Int
  private let allowsNotFinite: Bool
  private let hasIntegers: Bool
  private var depth = 0

  /// Makes a parser of `bytes`, or of `range` within them.
  ///
  /// - Parameters:
  ///   - line: the line on which `range` starts.
  ///   - allowsNotFinite: whether `NaN` and `Infinity`, which Python writes, count as numbers; they
  ///     all become NaN.
  ///   - hasIntegers: whether numbers without a fraction or exponent are integers, which must fit
  ///     in 64 bits and for which -0 is 0.
  package init(
    _ bytes: [UInt8], range: Range<Int>? = nil, line: Int = 1, depthLimit: Int = 200,
    allowsNotFinite: Bool = false, hasIntegers: Bool = false
  ) {
    self.bytes = bytes
    self.line = line
    self.depthLimit = depthLimit
    self.allowsNotFinite = allowsNotFinite
    self.hasIntegers = hasIntegers
    index = range?.lowerBound ?? 0
    end = range?.upperBound ?? bytes.count
  }

  package mutating func peek() -> UInt8? {
    skipSpace()
    return next
  }

  package mutating func value() throws(JSONMistake) -> JSONNode {
    skipSpace()
    let start = line
    switch next {
    case UInt8(ascii: "{"):
      var keys: [String] = []
      var values: [JSONNode] = []
      try members { (parser, key) throws(JSONMistake) in
        keys.append(key)
        values.append(try parser.value())
      }
      if let index = Self.firstRepeat(in: keys) {
        throw JSONMistake(
          allowed: .otherKey(than: keys[index]), found: keys[index], line: values[index].line)
      }
      return JSONNode(.object(keys: keys, values: values), line: start)
    case UInt8(ascii: "["):
      var elements: [JSONNode] = []
      try self.elements { (parser) throws(JSONMistake) in elements.append(try parser.value()) }
      return JSONNode(.list(elements), line: start)
    case UInt8(ascii: "\""): return JSONNode(.text(try string()), line: start)
    default: return JSONNode(try word(), line: start)
    }
  }

  package mutating func members(
    _ read: (inout JSONParser, String) throws(JSONMistake) -> Void
  ) throws(JSONMistake) {
    try items(until: UInt8(ascii: "}")) { (parser) throws(JSONMistake) in
      guard parser.next == UInt8(ascii: "\"") else { throw parser.mistake(.key) }
      let key = try parser.string()
      parser.skipSpace()
      guard parser.take(UInt8(ascii: ":")) else { throw parser.mistake(.colon) }
      try read(&parser, key)
    }
  }

  package mutating func elements(
    _ read: (inout JSONParser) throws(JSONMistake) -> Void
  ) throws(JSONMistake) {
    try items(until: UInt8(ascii: "]"), read)
  }

  package mutating func skip() throws(JSONMistake) {
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
    throw mistake(.rest)
  }

  package mutating func passComma() { index += 1 }

  package mutating func requireEnd() throws(JSONMistake) {
    guard peek() == nil else { throw mistake(.end) }
  }

  package func mistake(_ allowed: JSONMistake.Allowed) -> JSONMistake {
    let rest = bytes[min(index, end)..<end].prefix { $0 > 0x20 && $0 != UInt8(ascii: ",") }
    let found = index >= end ? nil : String(decoding: rest.prefix(20), as: UTF8.self)
    return JSONMistake(allowed: allowed, found: found, line: line)
  }

  /// The number of keys up to which comparing all pairs is faster than making a set.
  private static let fewKeys = 24

  private static func firstRepeat(in keys: [String]) -> Int? {
    guard keys.count > fewKeys else {
      return keys.indices.first { keys[..<$0].contains(keys[$0]) }
    }
    var seen: Set<String> = []
    return keys.firstIndex { !seen.insert($0).inserted }
  }

  private mutating func items(
    until close: UInt8, _ read: (inout JSONParser) throws(JSONMistake) -> Void
  ) throws(JSONMistake) {
    depth += 1
    guard depth <= depthLimit else { throw mistake(.levels(depthLimit)) }
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
        throw mistake(.comma(orEnd: Unicode.Scalar(close)))
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

  private mutating func string() throws(JSONMistake) -> String {
    let start = index
    index += 1
    while let byte = next, byte >= 0x20, byte != UInt8(ascii: "\"") {
      index += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    guard take(UInt8(ascii: "\"")) else {
      index = min(index, end)
      throw mistake(.quote)
    }
    let quoted = bytes[start..<index]
    guard quoted.contains(UInt8(ascii: "\\")) else {
      return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
    }
    guard let text = Self.unescaped(quoted.dropFirst().dropLast()) else {
      index = start
      throw mistake(.escapes)
    }
    return text
  }

  private static func unescaped(_ text: ArraySlice<UInt8>) -> String? {
    var rest = text
    var result: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\") {
        guard let scalar = escaped(&rest) else { return nil }
        result += String(scalar).utf8
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func escaped(_ rest: inout ArraySlice<UInt8>) -> Unicode.Scalar? {
    switch rest.popFirst() {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{08}"
    case UInt8(ascii: "f"): return "\u{0C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: return nil
    }
    guard let unit = hexadecimalUnit(&rest) else { return nil }
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard UTF16.isLeadSurrogate(unit), rest.starts(with: "\\u".utf8) else { return nil }
    rest = rest.dropFirst(2)
    guard let trail = hexadecimalUnit(&rest), UTF16.isTrailSurrogate(trail) else { return nil }
    return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
  }

  private static func hexadecimalUnit(_ rest: inout ArraySlice<UInt8>) -> UInt16? {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      let digit = rest.popFirst().flatMap { Character(Unicode.Scalar($0)).hexDigitValue }
      guard let digit else { return nil }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }

  private mutating func word() throws(JSONMistake) -> JSONNode.Content {
    let start = index
    while let byte = next, Self.isWordByte(byte) { index += 1 }
    let short = bytes.withUnsafeBufferPointer {
      Double(shortDecimal: UnsafeBufferPointer(rebasing: $0[start..<index]))
    }
    if let short { return .number(hasIntegers && short == 0 && index - start == 2 ? 0 : short) }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    switch text {
    case "true": return .boolean(true)
    case "false": return .boolean(false)
    case "null": return .null
    case "NaN", "Infinity", "-Infinity":
      if allowsNotFinite { return .number(.nan) }
    default:
      if Self.isNumber(bytes[start..<index]), let number = Double(text), number.isFinite,
        !hasIntegers || Self.fits(text)
      {
        return .number(number)
      }
    }
    index = start
    throw mistake(.value)
  }

  private static func fits(_ number: String) -> Bool {
    number.utf8.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
      || Int64(number) != nil || UInt64(number) != nil
  }

  /// Whether bytes match the grammar of RFC 8259: `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`.
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

extension Double {
  /// Parses an optional minus sign and digits with at most one point and no exponent.
  ///
  /// Whole numbers up to 2^53 and powers of ten up to 10^22 are exact, so their quotient is the
  /// nearest `Double` (Clinger 1990, How to read floating point numbers accurately). Leading zeros,
  /// long numbers and any other text give nil and are left to slower readers.
  package init?(shortDecimal bytes: UnsafeBufferPointer<UInt8>) {
    guard (1...20).contains(bytes.count) else { return nil }
    let isNegative = bytes[0] == UInt8(ascii: "-")
    let start = isNegative ? 1 : 0
    var digits: UInt64 = 0
    var point: Int?
    for index in start..<bytes.count {
      let digit = bytes[index] &- UInt8(ascii: "0")
      if digit < 10 {
        digits = digits * 10 + UInt64(digit)
        guard digits <= 1 << 53 else { return nil }
      } else if bytes[index] == UInt8(ascii: "."), point == nil {
        point = index
      } else {
        return nil
      }
    }
    let whole = (point ?? bytes.count) - start
    let decimals = point.map { bytes.count - $0 - 1 } ?? 0
    guard whole == 1 || (whole > 1 && bytes[start] != UInt8(ascii: "0")),
      point == nil || decimals > 0
    else { return nil }
    let value = Double(digits) / Self.powersOfTen[decimals]
    self = isNegative ? -value : value
  }

  static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18,
  ]
}

package struct JSONNode: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    case null
    case boolean(Bool)
    /// A number; NaN occurs only if the parser allows numbers that are not finite.
    case number(Double)
    case text(String)
    case list([JSONNode])
    /// An object with distinct keys, and as many values as keys.
    case object(keys: [String], values: [JSONNode])
  }

  package let content: Content
  package let line: Int

  package init(_ content: Content, line: Int) {
    self.content = content
    self.line = line
  }

  package func member(_ key: String, hint: inout Int) -> JSONNode? {
    guard case .object(let keys, let values) = content else { return nil }
    if hint < keys.count, keys[hint] == key { return values[hint] }
    guard let index = keys.firstIndex(of: key) else { return nil }
    hint = index
    return values[index]
  }

  package subscript(key: String) -> JSONNode? {
    var hint = 0
    return member(key, hint: &hint)
  }
}

package struct JSONMistake: Error, Hashable, Sendable {
  package enum Allowed: Hashable, Sendable {
    case value
    case key
    case colon
    case comma(orEnd: Unicode.Scalar)
    case quote
    case escapes
    case levels(Int)
    case rest
    case end
    case otherKey(than: String)
  }

  package let allowed: Allowed
  package let found: String?
  package let line: Int
}
