import Foundation
import Testing

@testable import PlankBench

/// The faces of documents.
@Suite("Document renderers")
struct RendererTests {
  private var document: Document {
    var document = Document()
    document.heading("Title", level: 1)
    document.paragraph("one two three")
    var table = Table([.words("name"), .number("n")])
    table.row(["a|b", "7"])
    table.row([StyledText("<i>", .bad), "12"])
    document.table(table)
    document.list(["first", "second"])
    return document
  }

  @Test("Text aligns columns and breaks lines at the width")
  func text() {
    let expected = """
      Title
      =====

      one two
      three

        name   n
        a|b    7
        <i>   12

        - first
        - second

      """
    #expect(TextRenderer(width: 10).render(document) == expected)
  }

  @Test("Without color no escape is written, with color tones are")
  func color() {
    #expect(!TextRenderer(usesColor: false).render(document).contains("\u{1B}"))
    #expect(TextRenderer(usesColor: true).render(document).contains("\u{1B}[31m<i>\u{1B}[0m"))
  }

  @Test("Markdown escapes what could be markup")
  func markdown() {
    let text = MarkdownRenderer().render(document)
    #expect(text.contains("| a\\|b | 7 |"))
    #expect(text.contains("**&lt;i&gt;**"))
    #expect(text.hasPrefix("# Title\n"))
  }

  @Test("Control characters in texts are written out, so that no name steers the terminal")
  func controls() {
    let name = "a\u{1B}[2Jb\u{7}\u{9B}c\u{7F}"
    var document = Document()
    document.heading(name, level: 1)
    document.paragraph(StyledText(name))
    document.list([StyledText(name)])
    var table = Table([.words("name")])
    table.row([StyledText(name + "\n\r")])
    document.table(table)
    let safe = #"a\u{1B}[2Jb\u{7}\u{9B}c\u{7F}"#
    let text = TextRenderer().render(document)
    #expect(text.contains("  " + safe + #"\u{A}\u{D}"# + "\n"))
    #expect(text.components(separatedBy: safe).count == 5)
    for text in [text, MarkdownRenderer().render(document)] {
      let controls = text.unicodeScalars.filter { $0.properties.generalCategory == .control }
      #expect(controls.allSatisfy { $0 == "\n" }, "\(text.debugDescription)")
    }
  }

  @Test("Of a text with lines only what steers a terminal is written out")
  func lines() {
    #expect(PrintableText.of("a\n\tb\u{1B}c\r", keepsLines: true) == "a\n\tb\\u{1B}c\\u{D}")
    #expect(PrintableText.of("plain, 2 \u{00FC}ber") == "plain, 2 \u{00FC}ber")
  }

  @Test(
    "What a service or a terminal would obey is written out",
    arguments: [
      ("::error::x", #"\u{3A}:error::x"#), ("a ::error::x", #"a \u{3A}:error::x"#),
      ("a::b, 10:20", "a::b, 10:20"), ("##[error]x", #"#\u{23}[error]x"#),
      ("##vso[task.x]y", #"#\u{23}vso[task.x]y"#), ("a\u{202E}b", #"a\u{202E}b"#),
      ("s01\u{200B}", #"s01\u{200B}"#),
      ("a\u{2028}::b", #"a\u{2028}\u{3A}:b"#),
      ("\u{1F468}\u{200D}\u{1F467}", "\u{1F468}\u{200D}\u{1F467}"),
    ])
  func commands(text: String, safe: String) {
    #expect(PrintableText.of(text) == safe)
    #expect(PrintableText.line(text) == safe)
  }

  @Test("A message is one line, and of a long one beginning and end are shown")
  func line() {
    #expect(PrintableText.line("a\nb\tc") == #"a\u{A}b\u{9}c"#)
    let long = "begin " + String(repeating: "x", count: 100_000) + " end"
    let line = PrintableText.line(long)
    #expect(line.hasPrefix("begin x") && line.hasSuffix("x end"))
    #expect(line.contains("characters left out") && line.count < 5000)
  }

  @Test("Empty tables, lists and paragraphs leave no trace")
  func emptyBlocks() {
    var document = Document()
    document.paragraph("")
    document.list([])
    document.table(Table([.words("x")]))
    #expect(document.blocks.isEmpty)
  }
}
