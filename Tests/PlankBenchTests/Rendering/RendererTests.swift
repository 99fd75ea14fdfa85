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

  @Test("Empty tables, lists and paragraphs leave no trace")
  func emptyBlocks() {
    var document = Document()
    document.paragraph("")
    document.list([])
    document.table(Table([.words("x")]))
    #expect(document.blocks.isEmpty)
  }
}
