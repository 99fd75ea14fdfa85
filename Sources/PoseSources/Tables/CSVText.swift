/// The lines of a comma-separated text, with their numbers.
///
/// Lines end with LF or CRLF; blank lines at the end are not rows. A field may be quoted, with
/// `""` for a quote, but may not contain a line break.
struct CSVText {
  /// The text's name, for errors.
  let file: String
  /// All lines, the first being the header's; line numbers are positions + 1.
  let lines: [Substring]

  /// Splits a text.
  init(_ source: NamedText) {
    file = source.name
    var lines = source.text.utf8.split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false
    ).map { Substring($0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0) }
    while let last = lines.last, last.utf8.allSatisfy(Self.isBlank) { lines.removeLast() }
    self.lines = lines
  }

  /// The fields of a line, without quotes and without blanks around them.
  func fields(ofLine index: Int) -> [Substring] {
    let line = lines[index]
    let comma = UInt8(ascii: ",")
    guard line.utf8.contains(UInt8(ascii: "\"")) else {
      return line.utf8.split(separator: comma, omittingEmptySubsequences: false).map {
        Self.trimmed(Substring($0))
      }
    }
    var isQuoted = false
    return line.utf8.split(omittingEmptySubsequences: false) { byte in
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return byte == comma && !isQuoted
    }.map { Self.unquoted(Self.trimmed(Substring($0))) }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  private static func trimmed(_ field: Substring) -> Substring {
    var bytes = field.utf8.drop(while: isBlank)
    while let last = bytes.last, isBlank(last) { bytes.removeLast() }
    return Substring(bytes)
  }

  private static func unquoted(_ field: Substring) -> Substring {
    guard field.count >= 2, field.first == "\"", field.last == "\"" else { return field }
    let content = field.dropFirst().dropLast()
    let parts = content.split(separator: "\"\"", omittingEmptySubsequences: false)
    return Substring(parts.joined(separator: "\""))
  }
}
