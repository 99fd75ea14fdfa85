/// Texts from files, made safe to show in a terminal.
package enum PrintableText {
  /// A text with its control characters written out, `\u{1B}` for an escape.
  ///
  /// A name in a recording could otherwise move the cursor, color the screen or clear it. Tabs and
  /// line breaks are written out too, unless lines are kept.
  ///
  /// - Complexity: O(characters).
  package static func of(_ text: String, keepsLines: Bool = false) -> String {
    guard text.unicodeScalars.contains(where: { isControl($0, keepsLines) }) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isControl(scalar, keepsLines) {
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func isControl(_ scalar: Unicode.Scalar, _ keepsLines: Bool) -> Bool {
    guard scalar.properties.generalCategory == .control else { return false }
    return !(keepsLines && (scalar == "\n" || scalar == "\t"))
  }
}
