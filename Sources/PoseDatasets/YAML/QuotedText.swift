extension String {
  /// Control characters, line separators, byte-order marks and non-characters are written by their
  /// numbers: readers of YAML refuse or change them.
  package mutating func appendQuoted(_ text: String) {
    self += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": self += "\\\""
      case "\\": self += "\\\\"
      case "\n": self += "\\n"
      case "\r": self += "\\r"
      case "\t": self += "\\t"
      case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{FFFE}",
        "\u{FFFF}":
        let hex = String(scalar.value, radix: 16)
        self += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: unicodeScalars.append(scalar)
      }
    }
    self += "\""
  }
}
