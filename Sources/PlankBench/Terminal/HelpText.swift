/// Help that fits a terminal; the parser wraps everything but the synopsis of a command, which it
/// writes on one line.
enum HelpText {
  static func wrapped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard let title = titles.first(where: line.hasPrefix) else { return String(line) }
      return synopsis(String(line), indent: title.count)
    }.joined(separator: "\n")
  }

  private static let titles = ["USAGE: ", "Usage: "]

  private static func synopsis(_ line: String, indent: Int) -> String {
    var (lines, current, open) = ([String](), "", 0)
    var piece = ""
    for word in line.split(separator: " ") {
      piece += (piece.isEmpty ? "" : " ") + word
      open += word.count { $0 == "[" } - word.count { $0 == "]" }
      guard open <= 0, !word.hasPrefix("--") else { continue }
      if !current.isEmpty, current.count + 1 + piece.count > TextRenderer.standardWidth {
        lines.append(current)
        current = String(repeating: " ", count: indent) + piece
      } else {
        current += (current.isEmpty ? "" : " ") + piece
      }
      piece = ""
    }
    return (lines + [piece.isEmpty ? current : current + " " + piece]).joined(separator: "\n")
  }
}
