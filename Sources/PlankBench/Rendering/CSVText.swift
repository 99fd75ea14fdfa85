enum CSVText {
  static func quoted(_ field: String) -> String {
    guard field.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return field }
    return "\""
      + field.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
  }

  static func name(_ name: String) -> String { quoted(PrintableText.of(name)) }

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
