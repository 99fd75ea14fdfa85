internal import Essentials
internal import PoseDatasets
@_spi(Bench) internal import PoseModel

/// A JSON text that people review, such as a baseline: values come from `JSONDecoder`, and every
/// mistake has its line.
///
/// `JSONDecoder` reports the field of a mistake but not its line, silently keeps one of two equal
/// keys, and accepts a trailing comma. So the text is first checked against the grammar (RFC 8259),
/// which gives the line of each field.
struct JSONDocument {
  /// The keys and lines of the fields.
  let places: SettingPlaces
  /// The keys of the outermost object, in the order of the text; none if it is not an object.
  let keys: [String]
  private let text: String

  /// Checks a text.
  ///
  /// - Parameter file: its name in errors.
  /// - Throws: `FieldError` with the line of the first mistake of grammar or the first repeated key.
  /// - Complexity: O(bytes).
  init(_ text: String, file: String) throws(FieldError) {
    let scalars = text.unicodeScalars
    let body = scalars.first == "\u{FEFF}" ? String(scalars.dropFirst()) : text
    var scanner = JSONScanner(body, file: file)
    try scanner.scan()
    places = SettingPlaces(file: file, lines: scanner.lines)
    keys = scanner.keys
    self.text = body
  }

  /// Refuses keys of the outermost object that are not among the known ones.
  func rejectUnknownKeys(known: [String]) throws(FieldError) {
    guard let key = keys.first(where: { !known.contains($0) }) else { return }
    throw placed(.unknownKey(key, known: known))
  }

  /// Reads a value.
  ///
  /// - Throws: `FieldError` with file, line and remedy for every mistake.
  func decode<Value: Decodable>(_ type: Value.Type) throws(FieldError) -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(text.utf8))
    } catch let error as FieldError {
      throw placed(error)
    } catch let error as DecodingError {
      throw placed(FieldError(error))
    } catch {
      throw placed(FieldError(field: "", problem: "\(error)"))
    }
  }

  private func placed(_ error: FieldError) -> FieldError {
    error.placed(in: places.file, line: places.line(of: error.field))
  }
}

extension FieldError {
  /// A mistake in a value that is read without knowing its file, which `JSONDocument` adds.
  init(field: String, problem: String, remedy: String = "") {
    self.init(file: "", line: nil, field: field, problem: problem, remedy: remedy)
  }

  /// A mistake at a place of a decoder.
  init(
    _ path: [any CodingKey], found: String, allowed: String, remedy: String
  ) {
    self.init(
      file: "", line: nil, field: Self.field(path), found: found, allowed: allowed, remedy: remedy)
  }

  /// A key that nobody reads.
  fileprivate static func unknownKey(_ key: String, known: [String]) -> FieldError {
    FieldError(
      file: "", line: nil, field: key, found: "the key `\(key)`",
      allowed: known.joined(separator: ", "),
      remedy: NearestNames.hint(key, among: known) + "correct or remove the key")
  }

  /// A decoder's complaint as a sentence with a remedy.
  init(_ error: DecodingError) {
    switch error {
    case .keyNotFound(let key, let context):
      self.init(
        context.codingPath, found: "no `\(key.stringValue)`",
        allowed: "an object with `\(key.stringValue)`", remedy: "add `\(key.stringValue)`")
    case .valueNotFound(let type, let context):
      self.init(
        context.codingPath, found: "nothing", allowed: Self.name(of: type), remedy: "add the value")
    case .typeMismatch(let type, let context):
      let allowed = Self.name(of: type)
      self.init(
        context.codingPath, found: "another kind of value", allowed: allowed,
        remedy: "write \(allowed) there")
    case .dataCorrupted(let context) where context.codingPath.isEmpty:
      // The grammar holds, so a number does not fit its field; the decoder does not say which.
      self.init(
        field: "", problem: "a number does not fit its field",
        remedy: "write counts as whole numbers")
    case .dataCorrupted(let context):
      self.init(
        field: Self.field(context.codingPath), problem: Self.shortened(context.debugDescription))
    @unknown default:
      self.init(field: "", problem: "\(error)")
    }
  }

  /// A decoder's words without the whole of a long text that it quotes.
  private static func shortened(_ text: String) -> String {
    text.count > 300 ? text.prefix(300) + " ..." : text
  }

  /// What a Swift type is in JSON.
  private static func name(of type: any Any.Type) -> String {
    switch type {
    case is String.Type: "text in double quotes"
    case is Bool.Type: "true or false"
    case is Double.Type: "a number"
    case is Int.Type: "a whole number"
    default: "\(type)".hasPrefix("Array") ? "a list" : "an object"
    }
  }

  /// The path of a decoder as a field: `sequences[2].name`.
  static func field(_ path: [any CodingKey]) -> String {
    path.reduce(into: "") { field, key in
      if let index = key.intValue {
        field += "[\(index)]"
      } else {
        field += (field.isEmpty ? "" : ".") + key.stringValue
      }
    }
  }
}

extension KeyedDecodingContainer {
  /// A whole number; `30` and `30.0` are, `30.5` is not.
  func wholeNumber(forKey key: Key) throws -> Int {
    let number = try decode(Double.self, forKey: key)
    guard let whole = Int(exactly: number) else {
      throw FieldError(
        codingPath + [key], found: NumberText.shortest(number), allowed: "a whole number",
        remedy: "write a whole number such as 30")
    }
    return whole
  }

  /// Checks the kind and the version of a file.
  ///
  /// - Parameter remedy: what to do about a file of another version.
  func checkFormat(
    _ format: (key: Key, word: String), _ version: (key: Key, number: Int), remedy: String
  ) throws {
    let word = try decode(String.self, forKey: format.key)
    guard word == format.word else {
      throw FieldError(
        codingPath + [format.key], found: "`\(word)`", allowed: format.word,
        remedy: "give a file of this format")
    }
    let number = try wholeNumber(forKey: version.key)
    guard number == version.number else {
      throw FieldError(
        codingPath + [version.key], found: "\(number)", allowed: "\(version.number)",
        remedy: remedy)
    }
  }
}

/// Checks a JSON text against the grammar and notes the line of each field.
private struct JSONScanner {
  /// The deepest nesting of lists and objects.
  private static let depthLimit = 200

  private(set) var lines: [String: Int] = [:]
  private(set) var keys: [String] = []
  private let file: String
  private let bytes: [UInt8]
  private var index = 0
  private var line = 1
  private var depth = 0

  init(_ text: String, file: String) {
    self.file = file
    bytes = Array(text.utf8)
  }

  mutating func scan() throws(FieldError) {
    try value("")
    skipSpace()
    guard index == bytes.count else { throw syntaxError(allowed: "the end of the file") }
  }

  private mutating func value(_ field: String) throws(FieldError) {
    skipSpace()
    lines[field] = line
    switch next {
    case UInt8(ascii: "{"): try object(field)
    case UInt8(ascii: "["): try list(field)
    case UInt8(ascii: "\""): try string()
    default: try word()
    }
  }

  private mutating func object(_ field: String) throws(FieldError) {
    var seen: Set<String> = []
    try members(until: UInt8(ascii: "}")) { (scanner, _) throws(FieldError) in
      guard scanner.next == UInt8(ascii: "\"") else {
        throw scanner.syntaxError(allowed: "a key in double quotes")
      }
      let place = scanner.line
      let key = try scanner.string()
      guard seen.insert(key).inserted else {
        throw FieldError(
          file: scanner.file, line: place, field: field, found: "`\(key)` more than once",
          allowed: "each key once", remedy: "remove or rename the repeated key")
      }
      if field.isEmpty { scanner.keys.append(key) }
      scanner.skipSpace()
      guard scanner.take(UInt8(ascii: ":")) else { throw scanner.syntaxError(allowed: "a colon") }
      try scanner.value(field.isEmpty ? key : "\(field).\(key)")
    }
  }

  private mutating func list(_ field: String) throws(FieldError) {
    try members(until: UInt8(ascii: "]")) { (scanner, count) throws(FieldError) in
      try scanner.value("\(field)[\(count)]")
    }
  }

  /// Reads what stands between two brackets, with commas between.
  private mutating func members(
    until end: UInt8, _ read: (inout JSONScanner, _ count: Int) throws(FieldError) -> Void
  ) throws(FieldError) {
    depth += 1
    guard depth <= Self.depthLimit else {
      throw syntaxError(allowed: "at most \(Self.depthLimit) levels of lists and objects")
    }
    index += 1
    skipSpace()
    var count = 0
    while count > 0 || !take(end) {
      skipSpace()
      try read(&self, count)
      count += 1
      skipSpace()
      if take(end) { break }
      guard take(UInt8(ascii: ",")) else {
        throw syntaxError(allowed: "a comma or `\(Unicode.Scalar(end))`")
      }
    }
    depth -= 1
  }

  /// Reads a text in double quotes.
  @discardableResult
  private mutating func string() throws(FieldError) -> String {
    let start = index
    index += 1
    while let byte = next, byte >= 0x20, byte != UInt8(ascii: "\"") {
      index += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    guard take(UInt8(ascii: "\"")) else {
      index = min(index, bytes.count)
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

  /// Reads a number, `true`, `false` or `null`.
  private mutating func word() throws(FieldError) {
    let start = index
    while let byte = next, Self.isWordByte(byte) { index += 1 }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if ["true", "false", "null"].contains(text) { return }
    let isNumber = text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil
    guard isNumber, Double(text)?.isFinite == true else {
      index = start
      throw syntaxError(
        allowed: "a number, text in double quotes, true, false, null, a list or an object")
    }
  }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// Goes past a byte if it is the next one.
  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    index += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
      if byte == 0x0A { line += 1 }
      index += 1
    }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (97...122).contains(byte | 0x20) || "+-._".utf8.contains(byte)
  }

  /// A mistake at the next byte.
  private func syntaxError(allowed: String) -> FieldError {
    let rest = bytes[index...].prefix { $0 > 0x20 && $0 != UInt8(ascii: ",") }.prefix(20)
    let found = rest.isEmpty ? "nothing" : "`\(String(decoding: rest, as: UTF8.self))`"
    return FieldError(
      file: file, line: line,
      problem: "the JSON cannot be read: found \(index < bytes.count ? found : "the end"); "
        + "allowed: \(allowed)", remedy: "correct it there, or write the file again")
  }
}
