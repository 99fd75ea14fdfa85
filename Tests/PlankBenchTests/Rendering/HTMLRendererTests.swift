import Foundation
import Testing

@testable import PlankBench

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
    let page = HTMLRenderer().render(document, title: "t <script>")
    #expect(page.contains("<h1>A &lt;b&gt;</h1>"))
    #expect(page.contains("<title>t &lt;script&gt;</title>"))
    #expect(page.contains("<th class=\"n\">n &amp; m</th>"))
    #expect(!page.contains("<script>"))
  }

  @Test("A figure follows its heading")
  func figures() throws {
    let page = HTMLRenderer().render(document, title: "t", figures: ["Numbers": "<svg></svg>\n"])
    let heading = try #require(page.range(of: "<h2>Numbers</h2>"))
    let figure = try #require(page.range(of: "<svg></svg>"))
    let table = try #require(page.range(of: "<table>"))
    #expect(heading.upperBound < figure.lowerBound && figure.upperBound < table.lowerBound)
  }

  @Test("All text is in the main landmark")
  func landmark() throws {
    let page = HTMLRenderer().render(document, title: "t")
    let start = try #require(page.range(of: "<main>\n<h1>"))
    let end = try #require(page.range(of: "</ul>\n</main>\n</html>"))
    #expect(start.upperBound < end.lowerBound)
  }

  @Test("A table scrolls by the keyboard, under the name of its heading")
  func scrolling() {
    var hostile = Document()
    hostile.heading("a \"b\" <i>")
    var table = Table([.words("name")])
    table.row(["x"])
    hostile.table(table)
    let page = HTMLRenderer().body(document) + HTMLRenderer().body(hostile)
    let open = "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label="
    #expect(page.contains(open + "\"Numbers\">\n<table>"))
    #expect(page.contains(open + "\"a &quot;b&quot; &lt;i&gt;\">\n<table>"))
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

  @Test("The page asks for nothing")
  func selfContained() {
    let page = HTMLRenderer().render(document, title: "t")
    #expect(!page.contains("http") && !page.contains("src="))
    #expect(page.contains("<span class=\"bad\">x</span>") && page.hasSuffix("</html>\n"))
  }
}
