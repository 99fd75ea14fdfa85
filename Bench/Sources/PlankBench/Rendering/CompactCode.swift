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
  ///
  /// Texts in the sheet hold none of the pairs that lose their space; a test says so.
  static func style(_ sheet: String) -> String {
    pairs.reduce(text(sheet)) { $0.replacing($1.long, with: $1.short) }
  }

  /// What is written for people, and what means the same.
  static let pairs: [(long: String, short: String)] = [
    (" {", "{"), ("{ ", "{"), ("; }", "}"), ("; ", ";"), (": ", ":"), (", ", ","), (";\n", ";"),
    ("{\n", "{"), (";}", "}"),
  ]
}
