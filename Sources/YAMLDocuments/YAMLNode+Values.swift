extension YAMLNode {
  /// The node as text; numbers and truth values count as the text that stands there.
  package func string() throws(YAMLError) -> String {
    guard case .scalar(let text, _) = content, !isNull else {
      throw error(allowed: "text", remedy: "write a single value, in quotes if need be")
    }
    return text
  }

  /// The node as a finite number.
  package func double() throws(YAMLError) -> Double {
    let remedy = "write a number such as 0.55, without quotes or unit"
    guard case .scalar(let text, true) = content, Self.looksDecimal(text),
      let value = Double(text), value.isFinite
    else { throw error(allowed: "a number", remedy: remedy) }
    return value
  }

  /// The node as a whole number; `30` and `30.0` are, `30.5` is not.
  package func integer() throws(YAMLError) -> Int {
    let remedy = "write a whole number such as 30, without quotes or unit"
    guard case .scalar(let text, true) = content, Self.looksDecimal(text),
      let value = Int(text) ?? Double(text).flatMap({ Int(exactly: $0) })
    else { throw error(allowed: "a whole number", remedy: remedy) }
    return value
  }

  /// The node as a truth value: `true` or `false`.
  package func bool() throws(YAMLError) -> Bool {
    guard case .scalar(let text, true) = content else { throw truthValueError }
    switch text {
    case "true", "True", "TRUE": return true
    case "false", "False", "FALSE": return false
    default: throw truthValueError
    }
  }

  /// The elements of a list.
  package func list() throws(YAMLError) -> [YAMLNode] {
    guard case .sequence(let elements) = content else {
      throw error(allowed: "a list", remedy: "write one element a line, each behind `- `")
    }
    return elements
  }

  /// The keys and values of a map.
  package func map() throws(YAMLError) -> YAMLMap {
    guard case .mapping(let entries) = content else {
      throw error(allowed: "a map", remedy: "write one `key: value` a line")
    }
    return YAMLMap(node: self, entries: entries)
  }

  /// The node as one of a few words.
  ///
  /// - Parameter options: the words with what they stand for; must not be empty.
  package func choice<Value>(_ options: [(word: String, value: Value)]) throws(YAMLError)
    -> Value
  {
    let words = options.map(\.word)
    if case .scalar(let text, _) = content,
      let match = options.first(where: { $0.word == text })
    {
      return match.value
    }
    throw error(
      allowed: words.joined(separator: ", "), remedy: "write one of the allowed words")
  }

  private var truthValueError: YAMLError {
    error(allowed: "true or false", remedy: "write true or false, without quotes")
  }

  /// Whether a text is made as decimal numbers are; keeps out `0x10`, `nan` and `infinity`.
  private static func looksDecimal(_ text: String) -> Bool {
    text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
  }
}
