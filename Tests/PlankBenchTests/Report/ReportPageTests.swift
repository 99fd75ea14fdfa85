import Evaluation
import Foundation
import PlankDetection
import PoseModel
import TestSupport
import Testing
import Tuning

@testable import PlankBench
@testable import Reports

@Suite("Files that are built in") struct PageFileTests {
  /// The folders of pages and scripts, in both modules that have any.
  private static func folders() throws -> [URL] {
    try ["Sources/Reports", "Sources/PlankBench"].flatMap { module in
      try FileManager.default.contentsOfDirectory(atPath: Repository.file(module).path).flatMap {
        [Repository.file("\(module)/\($0)/Page"), Repository.file("\(module)/\($0)/Script")]
      }
    }
  }

  @Test("Every file of a page's or a script's folder is built in as it is")
  func builtIn() throws {
    var count = 0
    for folder in try Self.folders() {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      for name in names where !name.hasPrefix(".") {
        let bytes = try Data(contentsOf: folder.appendingPathComponent(name))
        #expect(PageFile.bytes(name) == Array(bytes), "\(folder.path)/\(name)")
        count += 1
      }
    }
    #expect(count > 40)
  }

  @Test("No script or style ends the element that it is in", arguments: ["js", "css"])
  func endsNoElement(kind: String) throws {
    var count = 0
    for folder in try Self.folders() {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      for name in names where name.hasSuffix(".\(kind)") {
        let text = PageFile.text(name).lowercased()
        for end in ["</script", "<script", "</style", "<!--"] {
          #expect(!text.contains(end), "\(name) has \(end)")
        }
        count += 1
      }
    }
    #expect(count > 4)
  }
}

@Suite("The page of several results") struct ResultTabsTests {
  @Test("Every id occurs once, and every result leads to its own parts")
  func ids() throws {
    var page = ResultPage(title: "one", command: "evaluate")
    page.append(.init("Numbers", id: "numbers", body: "<p>1</p>"))
    let html = try ReportPage.html(["before", "after"].map { SavedResult(name: $0, page) })
    for id in ["numbers", "result-1-numbers"] {
      for part in ["id=\"\(id)\"", "href=\"#\(id)\""] {
        #expect(html.ranges(of: part).count == 1, "\(part)")
      }
    }
  }
}

@Suite("The thresholds page") struct ThresholdsPageTests {
  /// A name that would end the data block, load a picture and fill a placeholder.
  static let hostile = "</script><img src=x onerror=alert(1)> {{script}} & \u{2028}\u{2029}é"

  private let html: String

  init() throws { html = try Self.html(name: "d") }

  private static func html(name: String, times: [Double] = [0, 0.033333, 0.066667]) throws -> String
  {
    let bench = try BenchDetector(.init(detector: "gravity"))
    let members = bench.detector.definition.measurements
    let sequence = MeasuredSequence(
      name: name, subject: nil, times: times,
      truth: FrameTruth(count: times.count), startsMid: false, frameWeight: Seconds(0.033333),
      columns: MeasurementColumns(measurements: members, frameCount: times.count))
    let identity = Evaluation.DatasetIdentity(
      name: name, hash: "h", posesHash: "p", labelsHash: "l", manifestHash: "m", split: nil)
    return try ThresholdsPage.html(
      ThresholdsData(
        sequences: [sequence], bench: bench, base: bench.detector.parameters, identity: identity,
        command: ["planklab", "evaluate", name]))
  }

  private static func data(_ html: String) throws -> [String: Any] {
    let open = "<script type=\"application/json\" id=\"data\">"
    let start = try #require(html.range(of: open)).upperBound
    let end = try #require(html[start...].range(of: "</script>")).lowerBound
    let json = try JSONSerialization.jsonObject(with: Data(html[start..<end].utf8))
    return try #require(json as? [String: Any])
  }

  @Test(
    "The page refers to nothing outside itself, and sets texts and never markup",
    arguments: PageText.forbidden + ["{{"])
  func isSelfContained(word: String) { #expect(!html.contains(word)) }

  @Test("The policy allows the page's own script, its style, and WebAssembly")
  func policy() throws {
    let page = try PageText(html)
    #expect(
      page.policy
        == "default-src 'none'; script-src 'sha256-\(try OfflinePage.digest(of: page.script))' "
        + "'wasm-unsafe-eval'; style-src 'sha256-\(try OfflinePage.digest(of: page.style))'; "
        + "base-uri 'none'; form-action 'none'")
  }

  @Test("A name that is made to do harm stays a text")
  func hostileNames() throws {
    let page = try Self.html(name: Self.hostile)
    #expect(!page.contains("<img") && !page.contains("\u{2028}") && !page.contains("\u{2029}"))
    #expect(try Self.data(page)["dataset"] as? String == Self.hostile)
  }

  @Test("The copied command quotes the dataset's path for a shell")
  func command() throws {
    let data = try Self.data(try Self.html(name: "it's $HOME"))
    #expect(data["command"] as? String == "planklab evaluate 'it'\\''s $HOME'")
  }

  static let timings: [(times: [Double], kind: String)] = [
    ([0, 0.033333, 0.066667], "steps:"), ([0, 1.0 / 3, 2.0 / 3], "bits:"),
  ]

  @Test(
    "Times that are whole microseconds travel as steps, others as bits", arguments: timings.indices)
  func times(index: Int) throws {
    let (times, kind) = Self.timings[index]
    let data = try Self.data(try Self.html(name: "d", times: times))
    #expect((data["times"] as? String)?.hasPrefix(kind) == true)
  }

  @Test("Steps and the start give every time back to the bit")
  func steps() {
    let times = (0..<5000).map { (1_700_000_000e6 + Double($0) * 33_367).rounded() / 1e6 }
    let steps = MicrosecondSteps(times)
    #expect(steps.isExact)
    var whole = (times[0] * 1e6).rounded()
    for (step, time) in zip(steps.steps, times) {
      whole += Double(step)
      #expect(whole / 1e6 == time)
    }
  }
}
