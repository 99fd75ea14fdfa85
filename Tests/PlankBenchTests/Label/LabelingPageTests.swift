import Foundation
import PoseModel
import TestSupport
import Testing

@testable import PlankBench

@Suite("The labeling page")
struct LabelingPageTests {
  private let html: String

  init() throws {
    html = try LabelingSample.html([
      LabelingInput(name: "a.poses.jsonl", recording: LabelingSample.recording())
    ])
  }

  @Test(
    "The page refers to nothing outside itself",
    arguments: [
      "http:", "https:", "//www", " src=", " href=", "url(", "@import", "fetch(", "XMLHttpRequest",
      "WebSocket", "EventSource", "sendBeacon", "import(", "serviceWorker",
    ])
  func isSelfContained(reference: String) {
    #expect(!html.contains(reference))
  }

  @Test("The policy allows the page's own script and style and nothing else")
  func policyNamesTheContents() throws {
    let policy = try text(between: "Content-Security-Policy\" content=\"", and: "\"")
    let script = try text(between: "\n<script>", and: "</script>")
    let style = try text(between: "<style>", and: "</style>")
    #expect(
      policy
        == "default-src 'none'; script-src 'sha256-\(try OfflinePage.digest(of: script))'; "
        + "style-src 'sha256-\(try OfflinePage.digest(of: style))'; media-src blob:; base-uri 'none'; "
        + "form-action 'none'")
  }

  @Test(
    "The page sets texts and never markup, and has no handlers or styles in attributes",
    arguments: [
      "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function",
      " onclick=", " onload=", " onerror=", " style=\"",
    ])
  func hasNoMarkupSinks(sink: String) {
    #expect(!html.contains(sink))
  }

  @Test("Every placeholder of the template is filled")
  func isFilled() {
    #expect(!html.contains("{{"))
  }

  @Test("Every script of the page's folder is built in", arguments: ["Page"])
  func scriptsAreBuiltIn(folder: String) throws {
    let page = Repository.file("Sources/PlankBench/Label/\(folder)")
    let scripts = try FileManager.default.contentsOfDirectory(atPath: page.path)
      .filter { $0.hasSuffix(".js") }
    #expect(scripts.count > 10)
    for script in scripts {
      let source = try String(contentsOf: page.appendingPathComponent(script), encoding: .utf8)
      #expect(html.contains(source), "\(script) is not in the page")
    }
  }

  @Test("The same input gives the same page")
  func isPure() throws {
    let again = try LabelingSample.html([
      LabelingInput(name: "a.poses.jsonl", recording: LabelingSample.recording())
    ])
    #expect(html == again)
  }

  @Test("A recording without frames has a page")
  func acceptsNothing() throws {
    let empty = Recording(header: LabelingSample.header())
    let page = try LabelingSample.html([LabelingInput(name: "empty", recording: empty)])
    let data = try LabelingSample.data(of: page)
    #expect(data["frames"] as? Int == 0)
    #expect(data["times"] as? String == PackedTimes.text([[]]))
  }

  @Test("The page may load the videos that a manifest names, from where it is, and no others")
  func namedVideos() throws {
    let recording = LabelingSample.recording()
    let page = try LabelingSample.html([
      LabelingInput(name: "a", recording: recording, video: "./videos/a%20b.mp4"),
      LabelingInput(name: "b", recording: recording),
    ])
    #expect(page.contains("media-src blob: 'self';"))
    let data = try (0...1).map { try LabelingSample.data(of: page, id: "recording-\($0)") }
    #expect(data[0]["video"] as? String == "./videos/a%20b.mp4")
    #expect(data[1]["video"] == nil)
  }

  private func text(between open: String, and close: String) throws -> String {
    let start = try #require(html.range(of: open))
    let end = try #require(html.range(of: close, range: start.upperBound..<html.endIndex))
    return String(html[start.upperBound..<end.lowerBound])
  }
}
