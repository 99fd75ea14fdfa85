import CYaml
internal import PoseModel
package import PoseRecording

/// Reads YAML without anchors (`&name`), aliases (`*name`) and merge keys (`<<`), because nested
/// aliases could expand a kilobyte to gigabytes.
package struct YAMLDocument: Hashable, Sendable {
  package let root: YAMLNode

  package init(text: String, file: String) throws {
    root = try YAMLTreeBuilder.tree(of: text, file: file)
  }

  package init(bytes: [UInt8], file: String) throws {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let line = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        .firstIndex { String(validating: $0, as: UTF8.self) == nil }.map { $0 + 1 }
      throw FieldError(
        file: file, line: line, found: "bytes that are not UTF-8",
        allowed: "UTF-8 text", remedy: "save the file as UTF-8")
    }
    try self.init(text: text, file: file)
  }
}

struct YAMLTreeBuilder {
  static let depthLimit = 200

  private let file: String
  private let bytes: UnsafeBufferPointer<UInt8>
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private var event = yaml_event_t()
  private var depth = 0

  static func tree(of text: String, file: String) throws -> YAMLNode {
    var text =
      text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    return try text.withUTF8 { bytes in
      // A parser contains pointers to itself, so it must not move.
      let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
      defer { parser.deallocate() }
      var builder = YAMLTreeBuilder(file: file, bytes: bytes, parser: parser)
      guard yaml_parser_initialize(parser) == 1 else { throw builder.failure }
      defer { yaml_parser_delete(parser) }
      yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
      yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
      defer { yaml_event_delete(&builder.event) }
      return try builder.document()
    }
  }

  private init(
    file: String, bytes: UnsafeBufferPointer<UInt8>, parser: UnsafeMutablePointer<yaml_parser_t>
  ) { (self.file, self.bytes, self.parser) = (file, bytes, parser) }

  private mutating func document() throws -> YAMLNode {
    try advance()  // to the start of the stream
    try advance()
    guard event.type != YAML_STREAM_END_EVENT else {
      return YAMLNode(content: .scalar(text: "", isPlain: true), file: file, line: 1, field: "")
    }
    try advance()
    let root = try node(field: "")
    try advance()  // to the end of the document
    try advance()
    guard event.type == YAML_STREAM_END_EVENT else {
      throw syntaxError(line: line, problem: "but found another document")
    }
    return root
  }

  private mutating func advance() throws {
    yaml_event_delete(&event)
    guard yaml_parser_parse(parser, &event) == 1 else { throw failure }
  }

  private var line: Int { Int(event.start_mark.line) + 1 }

  private var scalar: String {
    let scalar = event.data.scalar
    return String(
      decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
  }

  private mutating func node(field: String) throws -> YAMLNode {
    depth += 1
    defer { depth -= 1 }
    let line = line
    try refuseAnchor()
    guard depth <= Self.depthLimit else {
      throw FieldError(
        file: file, line: line,
        found: "lists and maps nested more than \(Self.depthLimit) levels deep",
        allowed: "fewer levels", remedy: "split the file")
    }
    let content: YAMLNode.Content =
      switch event.type {
      case YAML_SEQUENCE_START_EVENT: .sequence(try elements(field: field))
      case YAML_MAPPING_START_EVENT: .mapping(try entries(field: field))
      default:
        .scalar(text: scalar, isPlain: event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE)
      }
    return YAMLNode(content: content, file: file, line: line, field: field)
  }

  private mutating func elements(field: String) throws -> [YAMLNode] {
    var elements: [YAMLNode] = []
    try advance()
    while event.type != YAML_SEQUENCE_END_EVENT {
      elements.append(try node(field: "\(field)[\(elements.count)]"))
      try advance()
    }
    return elements
  }

  private mutating func entries(field: String) throws -> [YAMLEntry] {
    let prefix = field.isEmpty ? "" : field + "."
    var entries: [YAMLEntry] = []
    try advance()
    while event.type != YAML_MAPPING_END_EVENT {
      let line = line
      try refuseAnchor()
      guard event.type == YAML_SCALAR_EVENT else {
        throw syntaxError(line: line, problem: "a key that is a list or a map")
      }
      let key = scalar
      try advance()
      entries.append(YAMLEntry(key: key, line: line, value: try node(field: prefix + key)))
      try advance()
    }
    guard Set(entries.lazy.map(\.key)).count == entries.count else { throw repeatedKeys(entries) }
    return entries
  }

  private func refuseAnchor() throws {
    let anchor =
      switch event.type {
      case YAML_ALIAS_EVENT: event.data.alias.anchor
      case YAML_SCALAR_EVENT: event.data.scalar.anchor
      case YAML_SEQUENCE_START_EVENT: event.data.sequence_start.anchor
      default: event.data.mapping_start.anchor
      }
    guard let anchor else { return }
    let mark = event.type == YAML_ALIAS_EVENT ? "*" : "&"
    throw FieldError(
      file: file, line: line, found: "`\(mark)\(String(cString: anchor))`",
      allowed: "values without anchors and aliases",
      remedy: "repeat the value wherever it is used, or put text that begins with & or * in quotes")
  }

  private var failure: FieldError {
    let state = parser.pointee
    let problem = state.problem.map { String(cString: $0) } ?? "Memory error"
    switch state.error {
    case YAML_SCANNER_ERROR, YAML_PARSER_ERROR:
      return syntaxError(line: Int(state.problem_mark.line) + 1, problem: problem)
    case YAML_READER_ERROR:
      let before = String(decoding: bytes.prefix(state.problem_offset), as: UTF8.self)
      return syntaxError(line: before.count { $0.isNewline } + 1, problem: problem)
    default: return syntaxError(line: nil, problem: problem)
    }
  }

  private func repeatedKeys(_ entries: [YAMLEntry]) -> FieldError {
    let repeated = Dictionary(grouping: entries, by: \.key).filter { $1.count > 1 }
      .sorted { $0.key < $1.key }
    return FieldError(
      file: file, line: repeated.first?.value.first?.line,
      found: "\(repeated.map { "`\($0.key)`" }.joined(separator: ", ")) more than once in one map",
      allowed: "each key once", remedy: "remove or rename the repeated key")
  }

  private func syntaxError(line: Int?, problem: String) -> FieldError {
    FieldError(
      file: file, line: line, problem: "the YAML cannot be read: \(problem)",
      remedy: "check indentation, quotes and colons there")
  }
}

package struct YAMLNode: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    /// A scalar as written; only plain scalars (without quotes) can be numbers, Booleans or null.
    case scalar(text: String, isPlain: Bool)
    case sequence([YAMLNode])
    case mapping([YAMLEntry])
  }

  package let content: Content
  package let file: String
  package let line: Int
  package let field: String

  package init(content: Content, file: String, line: Int, field: String) {
    (self.content, self.file, self.line, self.field) = (content, file, line, field)
  }

  package var isNull: Bool {
    guard case .scalar(let text, true) = content else { return false }
    return ["", "~", "null", "Null", "NULL"].contains(text)
  }

  package var summary: String {
    switch content {
    case .scalar(let text, _): isNull ? "nothing" : "`\(text.prefix(80))`"
    case .sequence: "a list"
    case .mapping: "a map"
    }
  }
}

package struct YAMLEntry: Hashable, Sendable {
  package let key: String
  package let line: Int
  package let value: YAMLNode

  package init(key: String, line: Int, value: YAMLNode) {
    self.key = key
    self.line = line
    self.value = value
  }
}

extension YAMLNode {
  package init(texts: [String], file: String) {
    let nodes = texts.map {
      YAMLNode(content: .scalar(text: $0, isPlain: false), file: file, line: 1, field: "")
    }
    self.init(content: .sequence(nodes), file: file, line: 1, field: "")
  }

  package func string() throws -> String {
    guard case .scalar(let text, _) = content, !isNull else {
      throw error(allowed: "text", remedy: "write a single value, in quotes if necessary")
    }
    return text
  }

  package func double() throws -> Double {
    let remedy = "write a number such as 0.55, without quotes or unit"
    guard case .scalar(let text, true) = content, let value = Double(decimal: text), value.isFinite
    else { throw error(allowed: "a number", remedy: remedy) }
    return value
  }

  package func integer() throws -> Int {
    let remedy = "write a whole number such as 30, without quotes or unit"
    guard case .scalar(let text, true) = content, let number = Double(decimal: text),
      let value = Int(text) ?? Int(exactly: number)
    else { throw error(allowed: "a whole number", remedy: remedy) }
    return value
  }

  package func bool() throws -> Bool {
    let values = [
      "true": true, "True": true, "TRUE": true, "false": false, "False": false, "FALSE": false,
    ]
    guard case .scalar(let text, true) = content, let value = values[text] else {
      throw error(allowed: "true or false", remedy: "write true or false, without quotes")
    }
    return value
  }

  package func list() throws -> [YAMLNode] {
    guard case .sequence(let elements) = content else {
      throw error(allowed: "a list", remedy: "write one element per line, each after `- `")
    }
    return elements
  }

  package func map() throws -> YAMLMap {
    guard case .mapping(let entries) = content else {
      throw error(allowed: "a map", remedy: "write one `key: value` per line")
    }
    return YAMLMap(node: self, entries: entries)
  }

  package func choice<Value>(_ options: [(word: String, value: Value)]) throws -> Value {
    let words = options.map(\.word)
    var remedy = "write one of the allowed words"
    if case .scalar(let text, _) = content {
      if let match = options.first(where: { $0.word == text }) { return match.value }
      remedy = NearestNames.hint(text, among: words) + remedy
    }
    throw error(allowed: words.joined(separator: ", "), remedy: remedy)
  }
}

package struct YAMLMap: Sendable {
  package let node: YAMLNode
  package let entries: [YAMLEntry]

  package func optional(_ key: String) -> YAMLNode? {
    guard let entry = entries.first(where: { $0.key == key }), !entry.value.isNull else {
      return nil
    }
    return entry.value
  }

  package func required(_ key: String) throws -> YAMLNode {
    if let value = optional(key) { return value }
    let entry = entries.first { $0.key == key }
    throw FieldError(
      file: node.file, line: entry?.line ?? node.line, field: node.field,
      found: entry == nil ? "no `\(key)`" : "`\(key)` without a value",
      allowed: "a map with `\(key)`", remedy: "add `\(key)`")
  }

  package func unknownEntries(known: [String]) -> [YAMLEntry] {
    entries.filter { !known.contains($0.key) }
  }

  package func rejectUnknownKeys(known: [String]) throws {
    guard let entry = unknownEntries(known: known).first else { return }
    throw FieldError(
      file: node.file, line: entry.line, field: node.field, found: "the key `\(entry.key)`",
      allowed: known.joined(separator: ", "),
      remedy: NearestNames.hint(entry.key, among: known) + "correct or remove the key")
  }
}

package struct FieldError: Error, Hashable, Sendable, CustomStringConvertible {
  package let file: String
  package let line: Int?
  package let field: String
  private let problem: String
  package let remedy: String

  package init(file: String, line: Int?, field: String = "", problem: String, remedy: String = "") {
    self.file = file
    self.line = line
    self.field = field
    self.problem = problem
    self.remedy = remedy
  }

  package init(
    file: String, line: Int?, field: String = "", found: String, allowed: String, remedy: String
  ) {
    self.init(
      file: file, line: line, field: field, problem: "found \(found); allowed: \(allowed)",
      remedy: remedy)
  }

  package func onCommandLine(_ option: String) -> FieldError {
    FieldError(file: option, line: nil, problem: problem, remedy: remedy)
  }

  package func placed(in file: String, line: Int?) -> FieldError {
    FieldError(file: file, line: line, field: field, problem: problem, remedy: remedy)
  }

  package var message: String { (field.isEmpty ? "" : "`\(field)`: ") + problem }

  package var description: String {
    let place = line.map { "\(file):\($0)" } ?? file
    return "\(place): \(message)" + (remedy.isEmpty ? "" : "; \(remedy)")
  }

  init(_ mistake: JSONMistake, file: String) {
    if case .otherKey(let key) = mistake.allowed {
      self.init(
        file: file, line: mistake.line, found: "`\(key)` more than once in one object",
        allowed: "each key once", remedy: "remove or rename the repeated key")
      return
    }
    let found = mistake.found.map { $0.isEmpty ? "nothing" : "`\($0)`" } ?? "the end"
    self.init(
      file: file, line: mistake.line,
      problem: "the JSON cannot be read: found \(found); allowed: \(Self.words(mistake.allowed))",
      remedy: "correct it there, or write the file again")
  }

  private static func words(_ allowed: JSONMistake.Allowed) -> String {
    switch allowed {
    case .value: "a number, text in double quotes, true, false, null, a list or an object"
    case .key: "a key in double quotes"
    case .colon: "a colon"
    case .comma(let end): "a comma or `\(end)`"
    case .quote: "text that ends with a double quote on the same line"
    case .escapes: "text with valid JSON escapes"
    case .levels(let limit): "at most \(limit) levels of lists and objects"
    case .rest: "the rest of the list or object: the file is cut off"
    case .end: "the end of the file"
    case .otherKey: "each key once"
    }
  }
}

extension JSONNode {
  package init(_ text: String, file: String) throws(FieldError) {
    do throws(JSONMistake) {
      var parser = JSONParser(Array(text.utf8))
      self = try parser.value()
      try parser.requireEnd()
    } catch { throw FieldError(error, file: file) }
  }
}

extension YAMLNode {
  package func error(allowed: String, remedy: String, found: String? = nil) -> FieldError {
    FieldError(
      file: file, line: line, field: field, found: found ?? summary, allowed: allowed,
      remedy: remedy)
  }

  package func error(_ words: any Error) -> FieldError {
    FieldError(file: file, line: line, field: field, problem: "\(words)")
  }

  package func unknown(
    _ kind: String, _ name: String, among known: [String], remedy: String
  ) -> FieldError {
    error(
      allowed: known.joined(separator: ", "),
      remedy: NearestNames.hint(name, among: known) + remedy, found: "the \(kind) `\(name)`")
  }
}

extension String {
  /// Quotes text for YAML.
  ///
  /// Control characters, line separators, byte-order marks and noncharacters become escapes,
  /// because readers of YAML refuse or change them.
  package init(quoting text: String) {
    self = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": self += "\\\""
      case "\\": self += "\\\\"
      case "\n": self += "\\n"
      case "\r": self += "\\r"
      case "\t": self += "\\t"
      case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{FFFE}",
        "\u{FFFF}":
        let hex = String(scalar.value, radix: 16)
        self += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: unicodeScalars.append(scalar)
      }
    }
    self += "\""
  }
}
