/// The keys and values of a mapping, to be asked for by key.
package struct YAMLMap: Sendable {
  /// The mapping itself, for errors that concern all of it.
  package let node: YAMLNode
  /// Keys and values in the order of the file.
  package let entries: [YAMLEntry]

  /// The value of a key, or nil where the key is absent or its value null.
  package func optional(_ key: String) -> YAMLNode? {
    guard let entry = entries.first(where: { $0.key == key }), !entry.value.isNull else {
      return nil
    }
    return entry.value
  }

  /// The value of a key that must be there.
  package func required(_ key: String) throws(YAMLError) -> YAMLNode {
    if let value = optional(key) { return value }
    let entry = entries.first { $0.key == key }
    throw YAMLError(
      file: node.file, line: entry?.line ?? node.line, field: node.field,
      found: entry == nil ? "no `\(key)`" : "`\(key)` without a value",
      allowed: "a map with `\(key)`", remedy: "add `\(key)`")
  }

  /// The entries whose keys are not among the known ones.
  package func unknownEntries(known: [String]) -> [YAMLEntry] {
    entries.filter { !known.contains($0.key) }
  }

  /// Refuses keys that are not among the known ones.
  package func rejectUnknownKeys(known: [String]) throws(YAMLError) {
    guard let entry = unknownEntries(known: known).first else { return }
    throw YAMLError(
      file: node.file, line: entry.line, field: node.field, found: "the key `\(entry.key)`",
      allowed: known.joined(separator: ", "), remedy: "correct or remove the key")
  }
}
