import Foundation
import TestSupport
import Testing
import Tuning

@testable import Reports

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
}

@Suite("HTML renderer")
struct HTMLRendererTests {
  private var document: Document {
    var document = Document()
    document.heading("A <b>", level: 1)
    document.heading("Numbers")
    var table = Table([.words("name"), .number("n & m")])
    table.row([StyledText("x", .bad), "1"])
    document.table(table)
    document.list(["one", StyledText("two", .dim)])
    return document
  }

  @Test("Names are text, never markup")
  func escaping() {
    let body = HTMLRenderer().body(document)
    #expect(body.contains("<h1>A &lt;b&gt;</h1>"))
    #expect(body.contains("<th class=\"n\">n &amp; m</th>"))
  }

  @Test("Lines to copy can be scrolled by keyboard")
  func code() {
    let body = HTMLRenderer().body(Document([.code(["a < b", "c"])]))
    #expect(body.contains("<pre tabindex=\"0\">a &lt; b\nc</pre>"))
    #expect(body.contains("data-copy=\"a &lt; b&#10;c\""))
  }

  @Test(
    "What stands between backticks is code and still text; a lone backtick stays",
    arguments: [
      ("`a<b` -> `c`", "<p><code>a&lt;b</code> -&gt; <code>c</code></p>"),
      ("it is `x` or ` y", "<p>it is <code>x</code> or ` y</p>"), ("plain", "<p>plain</p>"),
      ("`", "<p>`</p>"),
    ])
  func code(text: String, html: String) {
    var document = Document()
    document.paragraph(StyledText(text))
    #expect(HTMLRenderer().body(document).contains(html))
  }
}

@Suite("Text that turns the text around it")
struct TurnedTextTests {
  @Test("A page writes out what turns the direction of text")
  func directions() {
    let name = "right\u{202E}left\u{2066}to\u{2069}\u{200F}"
    let shown: HTML = "<b>\(name)</b>"
    #expect(shown.text == "<b>right\\u{202E}left\\u{2066}to\\u{2069}\\u{200F}</b>")
  }
}

@Suite("Layout of tables")
struct TableLayoutTests {
  private static func render(_ table: Table, width: Int = 80) -> [Substring] {
    var document = Document()
    document.table(table)
    return TextRenderer(width: width).render(document).split(separator: "\n")
  }

  /// A table of random words and numbers, up to 12 columns of up to 12 words.
  private static func table(seed: UInt64) -> Table {
    var random = SplitMix64(seed: seed)
    func word() -> String {
      String(
        (0..<Int.random(in: 1...14, using: &random)).map { _ in
          "abcdefg_./".randomElement(using: &random) ?? "a"
        })
    }
    let columns = (0..<Int.random(in: 1...12, using: &random)).map { index -> Table.Column in
      let title = (0..<Int.random(in: 1...4, using: &random)).map { _ in word() }
        .joined(separator: " ")
      return index > 0 && Bool.random(using: &random) ? .number(title) : .words(title)
    }
    var table = Table(columns)
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      table.row(
        columns.map { column in
          let words = (0..<Int.random(in: 1...12, using: &random)).map { _ in word() }
          return StyledText(
            column.isNumeric
              ? "\(Int.random(in: 0...99_999_999, using: &random))" : words.joined(separator: " "))
        })
    }
    return table
  }

  @Test("Every table fits, and no character of it is lost", arguments: Draws.seeds(200))
  func fits(seed: Int) {
    let table = Self.table(seed: UInt64(seed))
    let lines = Self.render(table)
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines.joined(separator: "\n"))")
    // A column of the key is repeated in each part: there may be more, never fewer.
    func counts(_ text: some StringProtocol) -> [Character: Int] {
      text.filter { $0 != " " && $0 != "\n" }.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
    let shown = counts(lines.joined())
    let said = counts((table.columns.map(\.title) + table.rows.flatMap { $0.map(\.text) }).joined())
    #expect(said.allSatisfy { shown[$0.key, default: 0] >= $0.value })
  }

  @Test("Cells of words wrap before a column goes below, and a number keeps its unit")
  func wraps() {
    var table = Table([.words("key"), .number("value"), .words("meaning")])
    table.row(["sag", "0.05", "lasts for 2 s at most"])
    #expect(
      Self.render(table, width: 26) == [
        "  key  value  meaning", "  sag   0.05  lasts for", "              2 s at most",
      ])
  }

  @Test("Columns that do not fit follow below, behind those that tell the rows apart")
  func folds() {
    var table = Table([.words("name"), .number("first"), .number("second"), .number("third")])
    table.row(["a", "11111111", "22222222", "33333333"])
    table.row(["b", "44444444", "55555555", "66666666"])
    #expect(
      Self.render(table, width: 28) == [
        "  name     first    second", "  a     11111111  22222222", "  b     44444444  55555555",
        "  name     third", "  a     33333333", "  b     66666666",
      ])
  }

  @Test("A word that is longer than a line breaks behind its punctuation")
  func longWords() {
    #expect(
      WrappedText.lines(of: "plank.excess_transitions", width: 12) == [
        "plank.", "excess_", "transitions",
      ])
    #expect(WrappedText.lines(of: "abcdefgh", width: 3) == ["abc", "def", "gh"])
    #expect(WrappedText.lines(of: "p90 s", width: 4) == ["p90", "s"])
    #expect(WrappedText.lines(of: "lasts 2.5 s", width: 3) == ["las", "ts", "2.5", "s"])
  }
}

@Suite("Times below ribbons")
struct RibbonTimeTests {
  @Test(
    "A time that is rounded up to a minute is one",
    arguments: [
      (59.994, "0:59.99"), (59.997, "1:00.00"), (65.5, "1:05.50"), (0, "0:00.00"), (-1, "0:00.00"),
    ])
  func minutes(seconds: Double, text: String) { #expect(AnswerRibbons.time(seconds) == text) }
}

@Suite("People on pages")
struct PeopleStripTests {
  @Test("The person with the worst result of any stream comes first, and that result is marked")
  func worst() throws {
    let strip = PeopleStrip(
      streams: ["plank", "form"], everyone: [0.98, 0.9],
      people: [
        .init(name: "anna", seconds: 1, shares: [0.97, nil]),
        .init(name: "ben", seconds: 1, shares: [1, 0.71]),
      ])
    let cards = strip.html.text.split(separator: "<li>").dropFirst()
    let first = try #require(cards.first)
    #expect(cards.count == 2 && first.contains("ben") && first.contains("▼ worst"))
    #expect(first.contains("share worst\"><span>form") && first.contains("share\"><span>plank"))
    #expect(!cards[2].contains("worst"))
  }
}

@Suite("The page of a sweep")
struct SweepPageTests {
  private static let hostile = "</b><img src=x onerror=alert(1)>"

  private static func cell(
    _ id: Int, _ angle: Int, _ accuracy: Double, _ latency: Double, isFeasible: Bool = true
  ) -> String {
    """
    {"configuration": \(id), "detector": "gravity", "smoothing": "none", "feasible": \(isFeasible),
     "parameters": [{"parameter": "elbow_split", "unit": "deg", "value": \(angle),
                     "default": 140}],
     "values": {"plank.balanced_accuracy": \(accuracy),
                "plank.detection_latency_p50_s": \(latency)}}
    """
  }

  /// A saved sweep of the plank stream.
  private static func saved(
    _ cells: [String], question: String = "Which?"
  ) throws -> ResultEnvelope<SweepSummary> {
    let title = String(decoding: try JSONEncoder().encode(question), as: UTF8.self)
    let text = """
      {"schema_version": 2, "program": "planklab", "command": "sweep", "provenance": {},
       "result": {"run": "r1", "question": \(title), "frames": 100,
        "configurations": 12, "engine": "scalar", "streams": [{"stream": "plank", "configurations": 12,
         "rejected": 0, "feasible": 12, "tolerance": 0.01,
         "constraints": [{"metric": "plank.hit_rate", "side": ">=", "bound": 0.5}],
         "metrics": ["plank.balanced_accuracy", "plank.detection_latency_p50_s"],
         "best": [\(cells.joined(separator: ","))]}]}}
      """
    return try JSONDecoder().decode(ResultEnvelope<SweepSummary>.self, from: Data(text.utf8))
  }

  @Test("Cells say what they gain and lose against the best, which no listed cell beats")
  func trades() throws {
    let html = try Self.saved([
      Self.cell(0, 100, 0.9, 0.125), Self.cell(5, 105, 0.9, 0.125), Self.cell(9, 140, 0.9, 0),
      Self.cell(7, 150, 0.85, 0),
    ]).page.html.text
    #expect(html.contains("<h1>Best on this data: gravity, elbow_split 140 deg for plank.</h1>"))
    #expect(html.contains("▼ worse: <code>detection_latency_p50_s</code> 0.000 → 0.125 s"))
    #expect(html.contains("▼ worse: <code>balanced_accuracy</code> 0.900 → 0.850"))
    #expect(html.contains("1 more configuration with the same numbers"))
    #expect(html.contains(">0.9000<") && html.contains("✓ the best"))
    #expect(html.contains("plank: no listed configuration beats the defaults."))
  }

  @Test("Without a cell that keeps the constraints, or any cell, the page says so")
  func empty() throws {
    let broken = try Self.saved([Self.cell(0, 100, 0.9, 0.1, isFeasible: false)])
    #expect(
      broken.page.html.text.contains("plank: no configuration meets plank.hit_rate &gt;= 0.5."))
    #expect(broken.page.html.text.contains("✕ constraints broken"))
    let none = try Self.saved([]).page.html.text
    #expect(none.contains("No configuration has a score; label the recordings first."))
  }

  @Test("Names that are made to do harm stay texts")
  func hostileNames() throws {
    let html = try Self.saved([], question: Self.hostile).page.html.text
    #expect(!html.contains("<img") && html.contains("&lt;img src=x"))
  }
}

@Suite("Screens of documents")
struct ScreenTests {
  private var document: Document {
    var table = Table([.words("rule"), .number("n")])
    for name in ["a", "b", "c"] { table.row([StyledText(name), "1"]) }
    var document = Document()
    document.heading("Detail")
    document.paragraph("Answer", .plain, .answer)
    document.table(table, .reason)
    document.list(["first", "second"], .remark)
    document.code(["# one", "run 1", "# two", "run 2"], .remark)
    return document
  }

  private func screen(_ lines: Int) -> String {
    TextRenderer().render(document.screen(lines: lines, closing: ["# more"]))
  }

  @Test("A screen without limit has everything but details")
  func whole() {
    let expected = """
      Answer

        rule  n
        a     1
        b     1
        c     1

        - first
        - second

        # one
        run 1
        # two
        run 2

        # more

      """
    #expect(screen(.max) == expected)
    #expect(TextRenderer().render(document).hasPrefix("Detail\n\nAnswer\n"))
  }

  @Test("Remarks go first, from the last; then reasons; what goes from a list or table is counted")
  func shortened() {
    #expect(screen(14).hasSuffix("  - second\n\n  # one\n  run 1\n\n  # more\n"))
    #expect(screen(12).hasSuffix("  c     1\n\n  - first\n  - second\n\n  # more\n"))
    #expect(screen(8).hasSuffix("  b     1\n  c     1\n\n  # more\n"))
    let few = """
      Answer

        rule        n
        a           1
        and 2 more

        # more

      """
    #expect(screen(7) == few)
  }

  @Test("Answers stay, whatever the limit", arguments: [0, 1, 3])
  func answers(lines: Int) { #expect(screen(lines) == "Answer\n\n  # more\n") }

  @Test(
    "The lines of a screen are those of the document, in order, for every limit", arguments: 0..<20)
  func limits(lines: Int) {
    func contents(_ text: String) -> [String] {
      text.split(separator: "\n").map { line in
        line.split(separator: " ").joined(separator: " ").replacing(#/ \([0-9]+ more\)$/#, with: "")
      }.filter { $0.wholeMatch(of: /and [0-9]+ more/) == nil }
    }
    let text = screen(lines)
    #expect(
      text.split(separator: "\n", omittingEmptySubsequences: false).count - 1 <= max(3, lines))
    var rest = contents(screen(.max))[...]
    for line in contents(text) {
      guard let place = rest.firstIndex(of: line) else {
        Issue.record("\(line) is not next in the document: \(text)")
        return
      }
      rest = rest[(place + 1)...]
    }
  }

  @Test("A list or table longer than the screen is cut at once, and what is cut is counted")
  func long() {
    var document = Document()
    document.list((1...5000).map { StyledText("item \($0)") }, .reason)
    let text = TextRenderer().render(document.screen(lines: 10, closing: ["# more"]))
    #expect(text.hasSuffix("  - item 8 (4992 more)\n\n  # more\n"), "\(text)")
  }

  @Test("A heading that is longer than a line is wrapped, so that a screen keeps its size")
  func heading() {
    var document = Document()
    document.heading(
      Array(repeating: "word", count: 40).joined(separator: " "), level: 1, .answer)
    let text = TextRenderer().render(document)
    #expect(text.split(separator: "\n").map(\.count) == [79, 79, 39, 80])
    #expect(document.lineCount == 4)
  }
}
