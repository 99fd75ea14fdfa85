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
      let distance = EditDistance.between(letters, other)
      let isNear = 3 * distance <= max(letters.count, other.count) + 1
      return isNear || contains(other, letters) || contains(letters, other)
        ? (distance, index) : nil
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
  /// - Complexity: O(one x other / 64) time, O(one x distinct codes / 64) memory; two texts of
  ///   100,000 codes take seconds. No known exact method is much better.
  /// - Source: Levenshtein (1966), Soviet Physics Doklady 10(8):707; computed by columns of bits as
  ///   in Myers (1999), doi 10.1145/316542.316550, and for whole texts as in Hyyrö (2003).
  package static func between(_ one: [UInt8], _ other: [UInt8]) -> Int {
    guard !one.isEmpty, !other.isEmpty else { return max(one.count, other.count) }
    var column = BitColumn(one)
    for code in other { column.advance(code) }
    return column.last
  }
}

/// A column of the distance matrix, stored by the rows at which distances rise or fall.
private struct BitColumn {
  private(set) var last: Int
  /// The rows at which each code occurs, one bit per row, in one run of words per code.
  private var places: [UInt64]
  /// The start of each code's run in `places`; codes that do not occur share the empty run at 0.
  private var starts: [Int]
  private var rises: [UInt64]
  private var falls: [UInt64]
  private let lastBit: UInt64

  init(_ rows: [UInt8]) {
    let words = (rows.count + 63) / 64
    last = rows.count
    lastBit = 1 << UInt64((rows.count - 1) % 64)
    rises = Array(repeating: .max, count: words)
    falls = Array(repeating: 0, count: words)
    places = Array(repeating: 0, count: words)
    starts = Array(repeating: 0, count: 256)
    for (row, code) in rows.enumerated() {
      if starts[Int(code)] == 0 {
        starts[Int(code)] = places.count
        places += Array(repeating: 0, count: words)
      }
      places[starts[Int(code)] + row / 64] |= 1 << UInt64(row % 64)
    }
  }

  mutating func advance(_ code: UInt8) {
    let start = starts[Int(code)]
    // In the row above the first, the distance rises by one from column to column.
    var (rise, fall): (UInt64, UInt64) = (1, 0)
    for word in rises.indices {
      let (up, down) = (rises[word], falls[word])
      let equal = places[start + word]
      let diagonal = equal | fall
      let vertical = equal | down
      let horizontal = (((diagonal & up) &+ up) ^ up) | diagonal
      var rising = down | ~(horizontal | up)
      var falling = up & horizontal
      if word == rises.count - 1 {
        if rising & lastBit != 0 { last += 1 }
        if falling & lastBit != 0 { last -= 1 }
      }
      let (nextRise, nextFall) = (rising >> 63, falling >> 63)
      rising = rising << 1 | rise
      falling = falling << 1 | fall
      rises[word] = falling | ~(vertical | rising)
      falls[word] = rising & vertical
      (rise, fall) = (nextRise, nextFall)
    }
  }
}
