/// Scripts and style sheets as a page carries them: without comments, empty lines and indentation.
///
/// A comment stands on lines of its own, and no text goes on over several lines; a test says so of
/// every file.
enum CompactCode {
  /// The code, line by line.
  static func text(_ code: String) -> String {
    lines(code).joined(separator: "\n") + "\n"
  }

  private static func lines(_ code: String) -> [Substring] {
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
    return kept
  }

  /// A script, also without the spaces and the line ends that only people need.
  ///
  /// A line ends where a statement may; behind a separator or an opening bracket none does.
  static func script(_ code: String) -> String {
    var result: [UInt8] = []
    for line in lines(code) {
      var compacting = CompactLine(line)
      result += compacting.text()
      if let last = result.last, !CompactLine.openEnds.contains(last) {
        result.append(UInt8(ascii: "\n"))
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The rules of a style sheet that a page may need: those whose classes stand somewhere in it.
  ///
  /// Rules over several lines and those with brackets, `:not(.fold)`, always stay. A script may
  /// make a class of its first part: `col-${name}`.
  static func rules(of sheet: String, usedBy page: String) -> String {
    let words = words(page)
    let kept = sheet.split(separator: "\n").filter { line in
      guard let block = line.utf8.firstIndex(of: UInt8(ascii: "{")), line.utf8.last == closing
      else { return true }
      let selectors = line.utf8[..<block]
      guard !selectors.contains(where: Set("@()".utf8).contains) else { return true }
      return selectors.split(separator: UInt8(ascii: ",")).contains { selector in
        let parts = selector.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.dropFirst().allSatisfy { part in
          let name = part.prefix(while: isOfWord)
          return words.contains(String(Substring(name)))
            || words.contains(String(Substring(name.prefix { $0 != hyphen })) + "-")
        }
      }
    }
    return kept.joined(separator: "\n") + "\n"
  }

  private static let (closing, hyphen) = (UInt8(ascii: "}"), UInt8(ascii: "-"))

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), hyphen, UInt8(ascii: "_"):
      true
    default: false
    }
  }

  /// Every word of letters, digits, hyphens and underscores that may be a class, which never begins
  /// with a digit.
  private static func words(_ text: String) -> Set<String> {
    var text = text
    return text.withUTF8 { bytes in
      var words: Set<String> = []
      for word in bytes.split(whereSeparator: { !isOfWord($0) })
      where !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(word[word.startIndex]) {
        words.insert(String(decoding: word, as: UTF8.self))
      }
      return words
    }
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
