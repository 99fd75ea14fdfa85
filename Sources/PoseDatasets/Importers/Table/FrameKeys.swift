/// The keys of an object whose members are frames: numbers, times, or names that end with a number.
enum FrameKeys {
  private static let fewestNames = 5
  /// Of things within a frame.
  private static let otherWords = [
    "person", "people", "body", "player", "subject", "track", "landmark", "joint", "point", "kp",
    "marker", "view", "camera", "cam", "hand", "p",
  ]

  /// What orders the frames; nil for keys that are none of frames.
  static func numbers(_ keys: [String]) -> [Double]? {
    let decimals = keys.compactMap { Double(decimal: $0) }
    if decimals.count == keys.count { return keys.isEmpty ? nil : decimals }
    guard keys.count >= fewestNames, keys.allSatisfy({ $0.utf8.contains { 48...57 ~= $0 } }) else {
      return nil
    }
    let times = keys.compactMap { ClockText.seconds($0, rate: 1000) }
    if times.count == keys.count { return times }
    let parts = keys.map(split)
    guard let first = parts.first, parts.allSatisfy({ $0.stem == first.stem }),
      Set(parts.map(\.number)).count == keys.count,
      Set(ClockName.words(of: first.stem)).isDisjoint(with: otherWords)
    else { return nil }
    return parts.map(\.number)
  }

  private static func split(_ key: String) -> (stem: String, number: Double) {
    let runs = NumberedText.runs(of: key, withFraction: false)
    guard let run = runs.last, let range = key.range(ofLast: run) else { return (key, .nan) }
    return (
      String(key[..<range.lowerBound]) + "*" + key[range.upperBound...], Double(run) ?? .nan
    )
  }
}

extension String {
  fileprivate func range(ofLast word: String) -> Range<String.Index>? {
    var end = endIndex
    while let start = index(end, offsetBy: -word.count, limitedBy: startIndex) {
      if self[start..<end] == word { return start..<end }
      guard end > startIndex else { return nil }
      end = index(before: end)
    }
    return nil
  }
}
