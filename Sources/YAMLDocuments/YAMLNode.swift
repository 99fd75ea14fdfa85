/// A value of a YAML document that knows where it stands.
package struct YAMLNode: Hashable, Sendable {
  /// What a node holds.
  package enum Content: Hashable, Sendable {
    /// A single value as it is written; only a plain one (without quotes) can be a number,
    /// a truth value or null.
    case scalar(text: String, isPlain: Bool)
    /// Values one after the other.
    case sequence([YAMLNode])
    /// Values by key, in the order of the file; no key occurs twice.
    case mapping([YAMLEntry])
  }

  /// What the node holds.
  package let content: Content
  /// The file as it was named by the caller.
  package let file: String
  /// The line on which the node begins, from 1.
  package let line: Int
  /// The way from the root of the document, such as `sequences[2].starts`; empty for the root.
  package let field: String

  /// A list of texts that stand in no document, such as those of an option.
  package init(texts: [String], file: String) {
    content = .sequence(
      texts.map {
        YAMLNode(content: .scalar(text: $0, isPlain: false), file: file, line: 1, field: "")
      })
    self.file = file
    line = 1
    field = ""
  }

  init(content: Content, file: String, line: Int, field: String) {
    self.content = content
    self.file = file
    self.line = line
    self.field = field
  }

  /// Whether the node is null: nothing, `~` or `null`, without quotes.
  package var isNull: Bool {
    guard case .scalar(let text, true) = content else { return false }
    return ["", "~", "null", "Null", "NULL"].contains(text)
  }

  /// What the node is, for messages: `a list`, `"text"`.
  package var summary: String {
    switch content {
    case .scalar(let text, _): isNull ? "nothing" : "`\(text.prefix(80))`"
    case .sequence: "a list"
    case .mapping: "a map"
    }
  }

  /// An error at this node.
  package func error(allowed: String, remedy: String, found: String? = nil) -> YAMLError {
    YAMLError(
      file: file, line: line, field: field, found: found ?? summary, allowed: allowed,
      remedy: remedy)
  }
}

/// A key of a mapping with its value.
package struct YAMLEntry: Hashable, Sendable {
  /// The key as it is written, without quotes.
  package let key: String
  /// The line of the key, from 1.
  package let line: Int
  /// The value.
  package let value: YAMLNode
}
