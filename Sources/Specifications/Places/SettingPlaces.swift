internal import YAMLDocuments

/// Where the settings of a file stand, for mistakes that only come to light where they are used:
/// an unknown parameter, more folds than people, a split that the dataset does not have.
package struct SettingPlaces: Hashable, Sendable {
  /// The file as it was named by the caller.
  package let file: String
  private var lines: [String: Int] = [:]

  /// Notes where every value below a node stands.
  ///
  /// - Complexity: O(values).
  init(_ root: YAMLNode) {
    file = root.file
    add(root)
  }

  private mutating func add(_ node: YAMLNode) {
    lines[node.field] = node.line
    switch node.content {
    case .scalar: break
    case .sequence(let elements): for element in elements { add(element) }
    case .mapping(let entries): for entry in entries { add(entry.value) }
    }
  }

  /// A problem with its place in front: `gate.yaml:4: `set[1]`: ...`.
  ///
  /// - Parameter fields: from the nearest to the farthest; the first that the file has is named.
  ///   Where it has none, the file alone is.
  package func message(_ fields: [String], _ problem: String) -> String {
    for field in fields {
      if let line = lines[field] { return "\(file):\(line): `\(field)`: \(problem)" }
    }
    return "\(file): \(problem)"
  }

  /// Whether the file has a field.
  package func has(_ field: String) -> Bool { lines[field] != nil }
}
