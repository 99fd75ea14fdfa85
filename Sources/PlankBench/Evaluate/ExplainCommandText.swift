internal import Evaluation
internal import PoseModel

enum CommandLines {
  private static let width = TextRenderer.standardWidth - 4

  /// `words` are words that stay together, such as an option with its value.
  static func wrapped(_ words: [[String]]) -> [String] {
    var lines: [String] = []
    for word in words.map({ $0.map(ShellWord.quoted).joined(separator: " ") }) {
      guard let last = lines.last else {
        lines = [word]
        continue
      }
      if last.count + word.count < width {
        lines[lines.count - 1] += " " + word
      } else {
        lines[lines.count - 1] += " \\"
        lines.append("  " + word)
      }
    }
    return lines
  }
}

extension ExplainCommand {
  func lines(sequence: String, time: Seconds) -> [String] {
    let place = places[sequence] ?? [sequence]
    return CommandLines.wrapped(
      [["planklab", "explain"]] + place.map { [$0] } + [["--at", Self.text(time)]] + options)
  }

  /// The command for a sequence in one line: the parts before and after the time.
  func line(sequence: String) -> (before: String, after: String) {
    func text(_ words: [String]) -> String {
      words.map(ShellWord.quoted).joined(separator: " ")
    }
    let place = places[sequence] ?? [sequence]
    let after = options.map { " " + text($0) }.joined()
    return (before: text(["planklab", "explain"] + place + ["--at"]) + " ", after: after)
  }

  /// A time to the microsecond, the resolution of timestamps.
  static func text(_ time: Seconds) -> String { NumberText.short(time.value) }
}
