internal import PoseModel

package struct YAMLNode: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    /// A single value as written; only a plain one (without quotes) can be a number, a truth value
    /// or null.
    case scalar(text: String, isPlain: Bool)
    case sequence([YAMLNode])
    /// Values by key, in the order of the file; no key occurs twice.
    case mapping([YAMLEntry])
  }

  package let content: Content
  package let file: String
  package let line: Int
  package let field: String

  package init(texts: [String], file: String) {
    content = .sequence(
      texts.map {
        YAMLNode(content: .scalar(text: $0, isPlain: false), file: file, line: 1, field: "")
      })
    self.file = file
    line = 1
    field = ""
  }

  package init(content: Content, file: String, line: Int, field: String) {
    self.content = content
    self.file = file
    self.line = line
    self.field = field
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
  package func string() throws -> String {
    guard case .scalar(let text, _) = content, !isNull else {
      throw error(allowed: "text", remedy: "write a single value, in quotes if need be")
    }
    return text
  }

  package func double() throws -> Double {
    let remedy = "write a number such as 0.55, without quotes or unit"
    guard case .scalar(let text, true) = content, let value = Double(decimal: text),
      value.isFinite
    else { throw error(allowed: "a number", remedy: remedy) }
    return value
  }

  /// The node as a whole number; `30` and `30.0` are, `30.5` is not.
  package func integer() throws -> Int {
    let remedy = "write a whole number such as 30, without quotes or unit"
    guard case .scalar(let text, true) = content, let number = Double(decimal: text),
      let value = Int(text) ?? Int(exactly: number)
    else { throw error(allowed: "a whole number", remedy: remedy) }
    return value
  }

  package func bool() throws -> Bool {
    guard case .scalar(let text, true) = content else { throw truthValueError }
    switch text {
    case "true", "True", "TRUE": return true
    case "false", "False", "FALSE": return false
    default: throw truthValueError
    }
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

  /// `options` are the words with their meanings; must not be empty.
  package func choice<Value>(_ options: [(word: String, value: Value)]) throws
    -> Value
  {
    let words = options.map(\.word)
    var remedy = "write one of the allowed words"
    if case .scalar(let text, _) = content {
      if let match = options.first(where: { $0.word == text }) { return match.value }
      remedy = NearestNames.hint(text, among: words) + remedy
    }
    throw error(allowed: words.joined(separator: ", "), remedy: remedy)
  }

  private var truthValueError: FieldError {
    error(allowed: "true or false", remedy: "write true or false, without quotes")
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
