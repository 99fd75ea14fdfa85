import Foundation
import PoseModel
import Testing

@testable import PlankBench
@testable import Reports

@Suite("The data of the labeling page") struct LabelingDataTests {
  private static func data(
    _ recording: Recording, strips: [LabelingStrip] = [], labels: LabelTrack? = nil
  ) throws -> [String: Any] {
    try LabelingSample.data(
      of: LabelingSample.html([
        LabelingInput(
          name: "a", labelsFileName: "a.labels.csv", recording: recording, strips: strips,
          labels: labels)
      ]))
  }

  @Test("Times keep every bit, the end lies a median interval behind the last frame")
  func timesAreExact() throws {
    let recording = LabelingSample.recording()
    let data = try Self.data(recording)
    #expect(data["times"] as? String == PackedTimes.text([recording.times]))
    #expect(data["frames"] as? Int == 4)
    #expect(data["start"] as? Double == 0)
    #expect(data["end"] as? Double == 0.133333)
  }

  @Test("A single frame lasts what the nominal rate implies")
  func singleFrameHasAnEnd() throws {
    var header = LabelingSample.header()
    header.nominalRate = Hertz(8)
    var recording = Recording(header: header)
    recording.append(time: Seconds(2), pose: nil)
    #expect(try Self.data(recording)["end"] as? Double == 2.125)
  }

  @Test("Positions are in steps of 4 mm; missing joints and far ones are marked or stopped")
  func positionsAreRounded() throws {
    let data = try Self.data(LabelingSample.recording())
    let missing = Int16.min
    #expect(data["unit"] as? Double == 0.004)
    let positions: [Int16] = [
      0, 0, 0, 31, 125, -50, -25, 0, 0,
      missing, missing, missing, missing, missing, missing, missing, missing, missing,
      0, 0, 0, missing, missing, missing, -25, 0, 0,
      0, 0, 0, 32767, -32767, 0, -25, 0, 0,
    ]
    #expect(data["positions"] as? String == PackedSteps.text(positions, stride: 9))
  }
}

/// Small inputs of labeling pages, and the data block of a page read back.
enum LabelingSample {
  /// What a name must not be able to do: end the block, start an element, break a line, fill in.
  static let hostile =
    "</script><img src=x onerror=alert(1)><!--<script>'\"`&lt;\u{2028}\u{2029}\\u003c{{script}}\0"

  static func header(up: Vector3? = nil) -> RecordingHeader {
    var header = RecordingHeader(
      skeleton: .vision3d, joints: [.root, .leftHip, .rightHip], frame: .camera)
    header.up = up
    return header
  }

  /// Four frames at 30 Hz: whole, without a pose, with a missing joint, far away.
  static func recording(up: Vector3? = nil) -> Recording {
    var recording = Recording(header: header(up: up))
    recording.append(time: Seconds(0), pose: [0, 0, 0, 0.1234, 0.5, -0.2, -0.1, 0, 0])
    recording.append(time: Seconds(0.033333), pose: nil)
    recording.append(time: Seconds(0.066667), pose: [0, 0, 0, .nan, .nan, .nan, -0.1, 0, 0])
    recording.append(time: Seconds(0.1), pose: [0, 0, 0, 200, -200, 0, -0.1, 0, 0])
    return recording
  }

  /// The text of a data block: of the first recording, or of the queue.
  static func block(of html: String, id: String = "recording-0") throws -> String {
    let open = try #require(
      html.range(of: "<script type=\"application/json\" id=\"\(id)-data\">"))
    let close = try #require(html.range(of: "</script>", range: open.upperBound..<html.endIndex))
    return String(html[open.upperBound..<close.lowerBound])
  }

  static func data(of html: String, id: String = "recording-0") throws -> [String: Any] {
    let bytes = Data(try block(of: html, id: id).utf8)
    return try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
  }

  static func html(_ inputs: [LabelingInput], dataset: String? = nil) throws -> String {
    try LabelingPage.html(of: inputs.map(LabelingPage.Block.init), dataset: dataset)
  }
}

@Suite("Names on the labeling page") struct LabelingEscapingTests {
  private static func page(name: String, subject: String, other: String) throws -> String {
    let header = LabelingSample.header()
    let strip = LabelingStrip(
      name: other, unit: other, values: [], thresholds: [.init(name: other, value: 1)])
    return try LabelingSample.html(
      [
        LabelingInput(
          name: name, labelsFileName: other + ".csv", recording: Recording(header: header),
          strips: [strip], facts: [LabelingFact(name: "subject", value: subject)])
      ], dataset: other)
  }

  @Test("No name leaves the data blocks or becomes markup")
  func namesStayInside() throws {
    let hostile = LabelingSample.hostile
    let html = try Self.page(name: hostile, subject: hostile, other: hostile)
    let plain = try Self.page(name: "a", subject: "b", other: "c")
    var (rest, plainRest) = (html, plain)
    for id in ["queue", "recording-0"] {
      let block = try LabelingSample.block(of: html, id: id)
      for sign in ["<", ">", "&", "\u{2028}", "\u{2029}", "\0"] { #expect(!block.contains(sign)) }
      rest = rest.replacing(block, with: "")
      plainRest = plainRest.replacing(try LabelingSample.block(of: plain, id: id), with: "")
    }
    #expect(rest == plainRest && rest.count > 1000)
  }

  @Test("Every name reads back as it was")
  func namesReadBack() throws {
    let hostile = LabelingSample.hostile
    let html = try Self.page(name: hostile, subject: hostile, other: hostile)
    let data = try LabelingSample.data(of: html)
    #expect(data["name"] as? String == hostile)
    #expect(data["labels_file"] as? String == hostile + ".csv")
    #expect(data["facts"] as? [[String]] == [["subject", hostile]])
    let strip = try #require((data["strips"] as? [[String: Any]])?.first)
    #expect(strip["name"] as? String == hostile)
    #expect(strip["unit"] as? String == hostile)
    let threshold = try #require((strip["thresholds"] as? [[String: Any]])?.first)
    #expect(threshold["name"] as? String == hostile)
  }

  @Test(
    "The labels file is named after the recording",
    arguments: [
      ("s01.poses.jsonl", "s01.labels.csv"), ("s01.poses.jsonl.gz", "s01.labels.csv"),
      ("s01", "s01.labels.csv"), (".poses.jsonl", ".labels.csv"),
    ])
  func labelsAreNamed(recording: String, labels: String) {
    #expect(LabelingInput.labelsFileName(of: recording) == labels)
  }
}

@Suite("The labeling page") struct LabelingPageTests {
  private let html: String

  init() throws {
    html = try LabelingSample.html([
      LabelingInput(
        name: "a.poses.jsonl", labelsFileName: "a.labels.csv",
        recording: LabelingSample.recording())
    ])
  }

  @Test(
    "The page refers to nothing outside itself, and sets texts and never markup",
    arguments: PageText.forbidden)
  func isSelfContained(word: String) { #expect(!html.contains(word)) }

  @Test("The policy allows the page's own script and style and nothing else")
  func policyNamesTheContents() throws {
    let page = try PageText(html)
    #expect(
      page.policy
        == "default-src 'none'; script-src 'sha256-\(try OfflinePage.digest(of: page.script))'; "
        + "style-src 'sha256-\(try OfflinePage.digest(of: page.style))'; media-src blob:; base-uri 'none'; "
        + "form-action 'none'")
  }

  @Test("A recording without frames has a page")
  func acceptsNothing() throws {
    let empty = Recording(header: LabelingSample.header())
    let page = try LabelingSample.html([
      LabelingInput(name: "empty", labelsFileName: "empty.labels.csv", recording: empty)
    ])
    let data = try LabelingSample.data(of: page)
    #expect(data["frames"] as? Int == 0)
    #expect(data["times"] as? String == PackedTimes.text([[]]))
  }

  @Test("The page may load the videos that a manifest names, from where it is, and no others")
  func namedVideos() throws {
    let recording = LabelingSample.recording()
    let page = try LabelingSample.html([
      LabelingInput(
        name: "a", labelsFileName: "a.labels.csv", recording: recording,
        video: "./videos/a%20b.mp4"),
      LabelingInput(name: "b", labelsFileName: "b.labels.csv", recording: recording),
    ])
    #expect(page.contains("media-src blob: 'self';"))
    let data = try (0...1).map { try LabelingSample.data(of: page, id: "recording-\($0)") }
    #expect(data[0]["video"] as? String == "./videos/a%20b.mp4")
    #expect(data[1]["video"] == nil)
  }
}

/// The parts of a page that its policy is about.
struct PageText {
  /// What would load something, or make markup of a text.
  static let forbidden = [
    "http:", "https:", "//www", " src=", " href=", "url(", "@import", "fetch(", "XMLHttpRequest",
    "WebSocket", "EventSource", "sendBeacon", "import(", "serviceWorker", "innerHTML", "outerHTML",
    "insertAdjacentHTML", "document.write", "eval(", "new Function", " onclick=", " onload=",
    " onerror=", " style=\"",
  ]

  let policy: String
  let script: String
  let style: String

  init(_ html: String) throws {
    func text(between open: String, and close: String) throws -> String {
      let start = try #require(html.range(of: open)).upperBound
      let end = try #require(html[start...].range(of: close)).lowerBound
      return String(html[start..<end])
    }
    policy = try text(between: "Content-Security-Policy\" content=\"", and: "\"")
    script = try text(between: "\n<script>", and: "</script>")
    style = try text(between: "<style>", and: "</style>")
  }
}
