/// Lines of comma-separated values as RFC 4180 writes them.
enum CSVText {
  /// A field: in quotes where it holds one, a comma or a line break.
  static func quoted(_ field: String) -> String {
    guard field.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return field }
    return "\""
      + field.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
  }

  /// A name from a file as a field: on one line, whatever it holds.
  static func name(_ name: String) -> String { quoted(PrintableText.of(name)) }

  /// The fields of a line: what stands in quotes holds commas and, doubled, quotes.
  static func fields(of line: Substring) -> [Substring] {
    guard line.contains("\"") else {
      return line.split(separator: ",", omittingEmptySubsequences: false)
    }
    var fields: [Substring] = [""]
    var isQuoted = false
    var previous: Character?
    for character in line {
      switch character {
      case "\"":
        if !isQuoted, previous == "\"", let last = fields.indices.last { fields[last].append("\"") }
        isQuoted.toggle()
      case "," where !isQuoted: fields.append("")
      default: fields[fields.count - 1].append(character)
      }
      previous = character
    }
    return fields
  }
}
