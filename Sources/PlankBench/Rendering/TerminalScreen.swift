/// One screen of a terminal: what commands print unless they are asked for more.
enum TerminalScreen {
  /// The height in lines; the width is that of `TextRenderer`.
  static let lines = 25

  /// The first of several documents that fits, or the last one.
  ///
  /// - Parameter documents: from the fullest to the shortest, at least one.
  /// - Complexity: each document before the first that fits is rendered once.
  static func first(fitting documents: some Sequence<Document>) -> Document {
    var last: Document?
    for document in documents {
      last = document
      if lineCount(document) <= lines { break }
    }
    guard let last else { preconditionFailure("a screen has a document to show") }
    return last
  }

  /// How many lines a document has.
  static func lineCount(_ document: Document) -> Int {
    TextRenderer().render(document).count { $0 == "\n" }
  }
}
