/// A YAML text as a tree of nodes that know their lines.
///
/// One document a text; aliases are resolved, merge keys (`<<`) are not known, keys are plain
/// texts and may not repeat.
package struct YAMLDocument: Hashable, Sendable {
  /// The root of the tree; null for an empty text.
  package let root: YAMLNode

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - text: the YAML text; a byte-order mark at its start is skipped.
  ///   - file: how errors name the text.
  package init(text: String, file: String) throws(YAMLError) {
    root = try YAMLTreeBuilder.tree(of: text, file: file)
  }

  /// Reads bytes, which must be UTF-8.
  package init(bytes: [UInt8], file: String) throws(YAMLError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw YAMLError(
        file: file, line: Self.firstInvalidLine(bytes), found: "bytes that are not UTF-8",
        allowed: "UTF-8 text", remedy: "save the file as UTF-8")
    }
    try self.init(text: text, file: file)
  }

  /// The line of the first byte that is not UTF-8.
  private static func firstInvalidLine(_ bytes: [UInt8]) -> Int? {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }.map { $0 + 1 }
  }
}
