import PoseRecording

/// What a file says about whether a joint or a person was found: a confidence, a flag, or a state in
/// words.
enum JointState {
  private static let states = [
    "state", "status", "level", "tracked", "valid", "detected", "found", "visible",
  ]
  /// Names of fields whose `true` means that a joint was not found.
  private static let opposites = ["occlu", "missing", "lost", "invalid", "untracked"]
  private static let nothing: Set = [
    "none", "no", "false", "lost", "missing", "invalid", "hidden", "occluded", "undetected",
    "untracked", "unavailable", "outofframe", "outside",
  ]
  private static let something: [String: Double] = [
    "low": 0.3, "inferred": 0.5, "medium": 0.6, "high": 1, "tracked": 1, "tracking": 1, "yes": 1,
    "true": 1, "visible": 1, "valid": 1, "detected": 1, "found": 1, "good": 1, "ok": 1,
    "normal": 1,
  ]

  static func isState(_ name: String) -> Bool {
    let name = letters(name)
    return (states + opposites).contains { name.contains($0) }
  }

  /// A confidence; 0 for a joint that was not found, nil for a value that says nothing.
  static func share(_ node: JSONNode, named name: String) -> Double? {
    let name = letters(name)
    let isOpposite = opposites.contains { name.contains($0) }
    switch node.content {
    case .boolean(let value): return value != isOpposite ? 1 : 0
    case .text(let text) where node.number == nil: return share(ofWord: letters(text))
    default:
      guard let number = node.number else { return nil }
      if isOpposite { return number > 0 ? 0 : 1 }
      // A visibility may have fractions, but a state in numbers begins with 0 for nothing.
      let isCount = number > 1 && number == number.rounded() && !name.contains("visib")
      return isCount && isState(name) ? 1 : number
    }
  }

  private static func share(ofWord word: String) -> Double? {
    nothing.contains(word) || word.hasPrefix("not") ? 0 : something[word]
  }

  private static func letters(_ text: String) -> String { text.lowercased().filter(\.isLetter) }
}
