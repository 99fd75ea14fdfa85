import Foundation
import Testing

@testable import PlankBench

@Suite("The report page")
struct ReportPageTests {
  static let hostile = "</script><img src=x onerror=alert(1)> \" & {{script}}"

  private let html: String

  init() throws { html = try ReportPage.html([Self.saved(name: Self.hostile)]) }

  /// A result of two true frames of `none`, one of which is answered with a hostile class.
  private static func saved(name: String) -> SavedResult {
    let labels = JSONValue.array([.string("none"), .string(name)])
    let plank = JSONValue.object([
      "labels": labels,
      "confusion": .array([
        .array([.integer(1), .integer(1)]), .array([.integer(0), .integer(0)]),
      ]),
      "confusion_seconds": .array([
        .array([.number(0.5), .number(0.25)]), .array([.number(0), .number(0)]),
      ]),
      "metrics": .object(["accuracy": .number(2.0 / 3), "balanced_accuracy": .null]),
      "metrics_remarks": .object(["balanced_accuracy": .string(name)]),
      "worst_moments": .array([
        .object(["sequence": .string(name), "truth": .string("none"), "answer": .string(name)])
      ]),
    ])
    let result = JSONValue.object([
      "dataset": .object(["name": .string(name)]), "detector": .object(["name": .string(name)]),
      "verdict": .object([
        "facts": .array([.string(name)]), "sentences": .array([.string("One of two is wrong.")]),
      ]),
      "plank": plank, "notes": .array([.string(name)]),
      "provenance": .object([name: .string(name)]),
    ])
    return SavedResult(name: name, evaluation: result)
  }

  @Test("Names that are made to do harm stay texts, also in attributes")
  func hostileNames() {
    #expect(!html.contains("<img"))
    #expect(
      html.contains("&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt; &quot; &amp; {{script}}"))
  }

  @Test("The page says what is wrong first")
  func verdict() throws {
    let verdict = try #require(html.range(of: "One of two is wrong."))
    let matrix = try #require(html.range(of: "<table class=\"matrix\""))
    #expect(verdict.lowerBound < matrix.lowerBound)
  }

  @Test("A matrix is a table with both numbers of every cell, without a script too")
  func matrix() {
    #expect(html.contains("<td class=\"wrong\" data-frames=\"1\" data-seconds=\"0.25\">1</td>"))
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
