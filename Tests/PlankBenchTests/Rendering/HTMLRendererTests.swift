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

  @Test("A picture stands where its block does, under the name of its heading")
  func figures() throws {
    var pictured = document
    pictured.figure(
      .intervals(
        IntervalFigure(
          title: "<d>",
          rows: [
            .init(
              name: "a & b", unit: "-", value: 0.5, lower: nil, upper: nil, limit: nil, tone: .good)
          ])))
    let body = HTMLRenderer().body(pictured)
    let list = try #require(body.range(of: "</ul>"))
    let figure = try #require(body.range(of: "<figure>\n<div class=\"scroll\""))
    #expect(list.upperBound < figure.lowerBound)
    #expect(body.contains("<title>&lt;d&gt;</title>") && body.contains("a &amp; b: +0.500"))
    #expect(!body.contains("<style>"))
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
}
