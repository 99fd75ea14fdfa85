package enum NearestNames {
  /// Returns the known names that are near a mistyped name, the nearest first.
  ///
  /// A name is near if at most about a third of the longer name's letters differ, or if one name
  /// contains the other and the shorter name has at least three letters.
  package static func of(_ typed: String, among known: [String], limit: Int = 3) -> [String] {
    let letters = folded(typed)
    guard !letters.isEmpty, letters.count <= longestName else { return [] }
    let ranked = known.enumerated().compactMap { index, name -> (distance: Int, index: Int)? in
      let other = folded(name)
      let difference = abs(letters.count - other.count)
      if contains(other, letters) || contains(letters, other) { return (difference, index) }
      let most = (max(letters.count, other.count) + 1) / 3
      guard difference <= most else { return nil }
      let distance = EditDistance.between(letters, other)
      return distance <= most ? (distance, index) : nil
    }
    return ranked.sorted { ($0.distance, $0.index) < ($1.distance, $1.index) }
      .prefix(limit).map { known[$0.index] }
  }

  private static let longestName = 200

  package static func suggestion(_ typed: String, among known: [String]) -> String? {
    let quoted = of(typed, among: known).map { "`\($0)`" }
    guard let last = quoted.last else { return nil }
    let others = quoted.dropLast().joined(separator: ", ")
    return "did you mean \(others.isEmpty ? last : "\(others) or \(last)")?"
  }

  package static func hint(_ typed: String, among known: [String]) -> String {
    suggestion(typed, among: known).map { $0 + " " } ?? ""
  }

  package static func choice(_ typed: String, of kind: String, _ known: [String]) -> String {
    hint(typed, among: known) + "the \(kind) are \(known.joined(separator: ", "))"
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

package enum EditDistance {
  /// Returns the smallest number of insertions, deletions and replacements that turn one text into
  /// another.
  ///
  /// - Complexity: O(one x other).
  /// - Source: Levenshtein (1966), Soviet Physics Doklady 10(8):707, row by row.
  package static func between(_ one: [UInt8], _ other: [UInt8]) -> Int {
    var distances = Array(0...other.count)
    for (row, letter) in one.enumerated() {
      var diagonal = row
      distances[0] = row + 1
      for (column, candidate) in other.enumerated() {
        let replaced = diagonal + (letter == candidate ? 0 : 1)
        diagonal = distances[column + 1]
        distances[column + 1] = min(replaced, min(distances[column], diagonal) + 1)
      }
    }
    return distances[other.count]
  }
}
