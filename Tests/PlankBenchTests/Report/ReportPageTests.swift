import Foundation
import Testing

@testable import PlankBench

@Suite("The report page")
struct ReportPageTests {
  static let hostile = "</script><img src=x onerror=alert(1)> \" & {{script}}"

  private let html: String

  init() throws { html = try ReportPage.html([Self.saved(name: Self.hostile)]) }

  /// A result of two true frames of `none`, one of which is answered with a hostile class.
  private static func saved(name: String) throws -> SavedResult {
    let matrix = Document.Matrix(
      title: "plank", side: name, labels: ["none", name], frames: [[1, 1], [0, 0]],
      seconds: [[0.5, 0.25], [0, 0]])
    var document = Document()
    document.heading(name, level: 1)
    document.list([StyledText(name, .bad)])
    document.matrix(try #require(matrix))
    var table = Table([.words(name)])
    table.row([StyledText(name)])
    document.table(table)
    document.code([name])
    return SavedResult(name: name, ResultPage(document, name: name))
  }

  @Test("Names that are made to do harm stay texts, also in attributes")
  func hostileNames() {
    #expect(!html.contains("<img"))
    #expect(
      html.contains("&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt; &quot; &amp; {{script}}"))
  }

  @Test("A matrix is a table with both numbers of every cell, without a script too")
  func matrix() {
    #expect(html.contains("<td class=\"wrong\" data-frames=\"1\" data-seconds=\"0.25\">0.3</td>"))
    #expect(html.contains("<th scope=\"row\">none</th>"))
  }

  @Test(
    "The page refers to nothing outside itself, and sets texts and never markup",
    arguments: [
      "http:", "https:", " href=", "url(", "@import", "fetch(", "innerHTML", "outerHTML",
      "insertAdjacentHTML", "document.write", "eval(", " onclick=", " style=", "wasm",
    ])
  func isSelfContained(reference: String) {
    #expect(!html.contains(reference))
  }

  @Test("The same result gives the same page")
  func isPure() throws {
    #expect(html == (try ReportPage.html([Self.saved(name: Self.hostile)])))
  }
}
