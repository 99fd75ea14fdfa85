/// A value of a JSON text that knows its line, or of a table that is read as if it were JSON.
package struct JSONNode: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    case null
    case boolean(Bool)
    /// NaN only where the parser was told to let it through.
    case number(Double)
    case text(String)
    case list([JSONNode])
    /// The keys, none twice, and as many values.
    case object(keys: [String], values: [JSONNode])
  }

  package let content: Content
  /// The line on which the value starts, from 1.
  package let line: Int

  package init(_ content: Content, line: Int) {
    self.content = content
    self.line = line
  }

  /// `hint` is where the key was found before, and is kept up to date.
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

/// The first mistake of a JSON text; `RecordingProblem` and `FieldError` put it in words.
package struct JSONMistake: Error, Hashable, Sendable {
  /// What may stand at the place of a mistake.
  package enum Allowed: Hashable, Sendable {
    case value
    case key
    case colon
    /// A comma, or the bracket that ends the list or object.
    case comma(orEnd: Unicode.Scalar)
    /// The quote that ends a text, on its line.
    case quote
    /// The escapes of JSON.
    case escapes
    /// At most so many levels of lists and objects.
    case levels(Int)
    /// The rest of a list or object that is cut off.
    case rest
    case end
    /// Any key but this one, which the object has already.
    case otherKey(than: String)
  }

  package let allowed: Allowed
  /// The text at the place, to the next blank or comma; nil at the end.
  package let found: String?
  /// From 1.
  package let line: Int
}
