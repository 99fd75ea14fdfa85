enum TerminalScreen {
  static let lines = 25

  static func first(
    fitting documents: some Sequence<Document>, lines: Int = lines
  ) -> Document {
    var last: Document?
    for document in documents {
      last = document
      if lineCount(document) <= lines { break }
    }
    guard let last else { preconditionFailure("a screen has a document to show") }
    return last
  }

  static func lineCount(_ document: Document) -> Int {
    TextRenderer().render(document).count { $0 == "\n" }
  }
}
