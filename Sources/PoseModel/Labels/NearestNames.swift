/// Names that somebody may have meant, for messages about names that do not exist.
package enum NearestNames {
  /// The known names that are near a mistyped one, nearest first.
  ///
  /// A name is near if at most a third of the longer one's letters differ, or if it contains what was
  /// typed or the other way around; letters compare without case. Equally near names keep their
  /// order.
  ///
  /// - Parameter limit: the most names.
  /// - Complexity: O(letters^2) per known name.
  package static func of(_ typed: String, among known: [String], limit: Int = 3) -> [String] {
    let letters = folded(typed)
    guard !letters.isEmpty, letters.count <= longestName else { return [] }
    let ranked = known.enumerated().compactMap { index, name -> (distance: Int, index: Int)? in
      let other = folded(name)
      let distance = EditDistance.between(letters, other)
      let isNear = 3 * distance <= max(letters.count, other.count) + 1
      return isNear || contains(other, letters) || contains(letters, other)
        ? (distance, index) : nil
    }
    return ranked.sorted { ($0.distance, $0.index) < ($1.distance, $1.index) }
      .prefix(limit).map { known[$0.index] }
  }

  /// Longer texts are no mistyped names, and would take long to compare.
  private static let longestName = 200

  /// A question that names the nearest, for example "did you mean `plank.f1_macro`?"; nil where
  /// none is near.
  package static func question(_ typed: String, among known: [String]) -> String? {
    let quoted = of(typed, among: known).map { "`\($0)`" }
    guard let last = quoted.last else { return nil }
    let others = quoted.dropLast().joined(separator: ", ")
    return "did you mean \(others.isEmpty ? last : "\(others) or \(last)")?"
  }

  /// The question with a space behind it, for the front of a remedy; empty where none is near.
  package static func hint(_ typed: String, among known: [String]) -> String {
    question(typed, among: known).map { $0 + " " } ?? ""
  }

  /// What may have been meant, then what there is: for the end of a message.
  ///
  /// - Parameter kind: what the names are, in the plural.
  package static func choice(_ typed: String, of kind: String, _ known: [String]) -> String {
    hint(typed, among: known) + "\(kind) are \(known.joined(separator: ", "))"
  }

  private static func folded(_ name: String) -> [UInt8] {
    name.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 }
  }

  private static func contains(_ longer: [UInt8], _ shorter: [UInt8]) -> Bool {
    guard shorter.count >= 3, longer.count >= shorter.count else { return false }
    return (0...longer.count - shorter.count).contains { start in
      longer[start..<start + shorter.count].elementsEqual(shorter)
    }
  }
}

/// How far two orders of elements are apart.
package enum EditDistance {
  /// The least number of insertions, deletions and replacements.
  ///
  /// - Complexity: O(one x other) time, O(other) memory.
  /// - Source: Levenshtein (1966), Soviet Physics Doklady 10(8):707.
  package static func between<Element: Equatable>(_ one: [Element], _ other: [Element]) -> Int {
    var row = Array(0...other.count)
    for (i, left) in one.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, right) in other.enumerated() {
        let replaced = diagonal + (left == right ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, min(row[j], diagonal) + 1)
      }
    }
    return row[other.count]
  }
}
