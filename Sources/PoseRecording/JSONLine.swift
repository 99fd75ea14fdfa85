/// A value of JSON.
enum JSONValue: Hashable, Sendable {
  /// Nothing.
  case null
  /// `true` or `false`.
  case boolean(Bool)
  /// A finite number.
  case number(Double)
  /// A text, without its escapes.
  case text(String)
  /// A list; inside another list it may be empty if nobody needs its elements.
  case list([JSONValue])
  /// An object whose members nobody needs.
  case object

  /// What the value is, for messages.
  var summary: String {
    switch self {
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .number(let value): Int(exactly: value).map(String.init) ?? "\(value)"
    case .text(let value): "\"\(value.prefix(80))\""
    case .list: "a list"
    case .object: "an object"
    }
  }

  /// The type of the value, for messages.
  var kind: String {
    switch self {
    case .null: "null"
    case .boolean: "a Boolean value"
    case .number: "a number"
    case .text: "text"
    case .list: "a list"
    case .object: "an object"
    }
  }
}

/// Parses a line of JSON with one object (RFC 8259): no repeated keys, no numbers beyond `Double`.
///
/// `FrameLineReader` reads the lines that recorders write without it; header lines, and lines with
/// anything unusual, come here.
struct JSONLine {
  /// The deepest nesting of lists and objects.
  private static let depthLimit = 1024

  private let bytes: ArraySlice<UInt8>
  private var position: Int
  private var depth = 0

  /// The members of a line's object by key; members of nested objects, which nobody needs, are checked
  /// and dropped, repeated keys among them.
  static func members(
    of line: ArraySlice<UInt8>
  ) throws(RecordingProblem) -> [String: JSONValue] {
    guard String(decoding: line, as: UTF8.self).utf8.elementsEqual(line) else { throw .notUTF8 }
    var reader = JSONLine(bytes: line, position: line.startIndex)
    reader.skipBlanks()
    guard reader.peek == UInt8(ascii: "{") else {
      _ = try reader.value()
      throw .notAnObject
    }
    let members = try reader.object()
    reader.skipBlanks()
    guard reader.peek == nil else { throw .notJSON(.structure) }
    return members
  }

  private var peek: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

  private mutating func skipBlanks() {
    while let byte = peek, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
  }

  private mutating func value() throws(RecordingProblem) -> JSONValue {
    skipBlanks()
    switch peek {
    case UInt8(ascii: "{"):
      _ = try object()
      return .object
    case UInt8(ascii: "["): return .list(try list())
    case UInt8(ascii: "\""): return .text(try text())
    case let byte? where byte == UInt8(ascii: "-") || Self.isDigit(byte):
      return .number(try number())
    case nil: throw .notJSON(.incomplete)
    default: return try literal()
    }
  }

  private mutating func object() throws(RecordingProblem) -> [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    try elements(closedBy: UInt8(ascii: "}")) { (reader) throws(RecordingProblem) in
      guard reader.peek == UInt8(ascii: "\"") else { throw .notJSON(.structure) }
      let key = try reader.text()
      reader.skipBlanks()
      guard reader.peek == UInt8(ascii: ":") else { throw .notJSON(.structure) }
      reader.position += 1
      let isKnown = members.updateValue(try reader.value(), forKey: key) != nil
      if isKnown && reader.depth == 1 { throw .repeatedKey(key) }
    }
    return members
  }

  private mutating func list() throws(RecordingProblem) -> [JSONValue] {
    var values: [JSONValue] = []
    try elements(closedBy: UInt8(ascii: "]")) { (reader) throws(RecordingProblem) in
      values.append(try reader.value())
    }
    return values
  }

  /// Parses what is between two brackets, separated by commas.
  private mutating func elements(
    closedBy end: UInt8, _ element: (inout JSONLine) throws(RecordingProblem) -> Void
  ) throws(RecordingProblem) {
    depth += 1
    guard depth <= Self.depthLimit else { throw .notJSON(.tooDeep) }
    position += 1
    skipBlanks()
    if peek != end {
      while true {
        skipBlanks()
        try element(&self)
        skipBlanks()
        guard peek == UInt8(ascii: ",") else { break }
        position += 1
      }
    }
    guard peek == end else { throw .notJSON(peek == nil ? .incomplete : .structure) }
    position += 1
    depth -= 1
  }

  private mutating func literal() throws(RecordingProblem) -> JSONValue {
    let words: [(String, JSONValue)] = [
      ("null", .null), ("true", .boolean(true)), ("false", .boolean(false)),
    ]
    for (word, value) in words where bytes[position...].starts(with: word.utf8) {
      position += word.utf8.count
      if let next = peek, Self.isLetter(next) { throw .notJSON(.literal) }
      return value
    }
    throw .notJSON(peek.map(Self.isLetter) == true ? .literal : .structure)
  }

  /// A whole number, which readers take for an integer, has 64 bits at most, and -0 is 0.
  private mutating func number() throws(RecordingProblem) -> Double {
    let start = position
    if peek == UInt8(ascii: "-") { position += 1 }
    let whole = position
    let digits = skipDigits()
    guard digits == 1 || (digits > 1 && bytes[whole] != UInt8(ascii: "0")) else {
      throw .notJSON(.number)
    }
    let end = position
    if peek == UInt8(ascii: ".") {
      position += 1
      guard skipDigits() > 0 else { throw .notJSON(.number) }
    }
    if let byte = peek, byte | 0x20 == UInt8(ascii: "e") {
      position += 1
      if let sign = peek, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
      guard skipDigits() > 0 else { throw .notJSON(.number) }
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard let value = Double(text), value.isFinite else { throw .notJSON(.number) }
    guard position == end else { return value }
    guard Int64(text) != nil || UInt64(text) != nil else { throw .notJSON(.number) }
    return value == 0 ? 0 : value
  }

  private mutating func skipDigits() -> Int {
    let start = position
    while let byte = peek, Self.isDigit(byte) { position += 1 }
    return position - start
  }

  private mutating func text() throws(RecordingProblem) -> String {
    position += 1
    var result: [UInt8] = []
    while let byte = peek {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: result, as: UTF8.self)
      case UInt8(ascii: "\\"): result += String(try escape()).utf8
      case 0..<0x20: throw .notJSON(.string)
      default: result.append(byte)
      }
    }
    throw .notJSON(.incomplete)
  }

  /// What follows a backslash.
  private mutating func escape() throws(RecordingProblem) -> Unicode.Scalar {
    guard let byte = peek else { throw .notJSON(.incomplete) }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{08}"
    case UInt8(ascii: "f"): return "\u{0C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw .notJSON(.string)
    }
    let unit = try hexadecimalUnit()
    if let scalar = Unicode.Scalar(UInt32(unit)) { return scalar }
    guard UTF16.isLeadSurrogate(unit), bytes[position...].starts(with: "\\u".utf8) else {
      throw .notJSON(.string)
    }
    position += 2
    let trail = try hexadecimalUnit()
    guard UTF16.isTrailSurrogate(trail) else { throw .notJSON(.string) }
    return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
  }

  private mutating func hexadecimalUnit() throws(RecordingProblem) -> UInt16 {
    let digits = bytes[position...].prefix(4)
    guard digits.count == 4, digits.allSatisfy(Self.isHexadecimal),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw .notJSON(.string) }
    position += 4
    return unit
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
  }
}
