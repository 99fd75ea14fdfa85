/// Scripts and style sheets as a page carries them: without comments, empty lines and indentation.
///
/// A comment stands on lines of its own, and no text goes on over several lines; a test says so of
/// every file.
enum CompactCode {
  /// The code, line by line.
  static func text(_ code: String) -> String {
    var kept: [Substring] = []
    var isComment = false
    for line in code.split(separator: "\n") {
      let text = line.drop { $0 == " " }
      let begins = text.hasPrefix("/*")
      if isComment || begins {
        isComment = !text.hasSuffix("*/")
      } else if !text.isEmpty, !text.hasPrefix("//") {
        kept.append(text)
      }
    }
    return kept.joined(separator: "\n") + "\n"
  }

  /// A style sheet, also without the spaces that only people need.
  static func style(_ sheet: String) -> String { tight(text(sheet)) }

  /// A style sheet without the spaces, line ends and semicolons that mean nothing.
  ///
  /// Texts in a sheet hold none of them; a test says so.
  static func tight(_ sheet: String) -> String {
    var kept: [UInt8] = []
    kept.reserveCapacity(sheet.utf8.count)
    for byte in sheet.utf8 {
      switch (kept.last, byte) {
      case (UInt8(ascii: "{")?, UInt8(ascii: " ")), (UInt8(ascii: ";")?, UInt8(ascii: " ")),
        (UInt8(ascii: ":")?, UInt8(ascii: " ")), (UInt8(ascii: ",")?, UInt8(ascii: " ")),
        (UInt8(ascii: "{")?, UInt8(ascii: "\n")), (UInt8(ascii: ";")?, UInt8(ascii: "\n")):
        continue
      case (UInt8(ascii: " ")?, UInt8(ascii: "{")), (UInt8(ascii: ";")?, UInt8(ascii: "}")):
        kept[kept.count - 1] = byte
      default:
        kept.append(byte)
      }
    }
    return String(decoding: kept, as: UTF8.self)
  }
}
