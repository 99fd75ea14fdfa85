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
}
