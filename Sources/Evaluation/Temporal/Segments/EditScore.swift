/// How alike two orders of classes are, whatever their durations.
enum EditScore {
  /// 100 (1 - d / max(|truth|, |answers|)) with d the edit distance; 100 where both are empty, 0
  /// where one is.
  ///
  /// - Complexity: O(truth x answers) time, O(answers) memory.
  static func score(_ truth: [UInt8], _ answers: [UInt8]) -> Double {
    let longer = max(truth.count, answers.count)
    guard longer > 0 else { return 100 }
    return 100 * (1 - Double(distance(truth, answers)) / Double(longer))
  }

  /// The least number of insertions, deletions and replacements (Levenshtein 1966).
  static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
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
