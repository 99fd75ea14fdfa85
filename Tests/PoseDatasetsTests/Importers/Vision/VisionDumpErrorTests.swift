import PoseDatasets
import PoseModel
import Testing

@Suite("Faults of Vision dumps")
struct VisionDumpErrorTests {
  /// A fault in one frame line, and words that its message must hold.
  struct Fault: Sendable, CustomTestStringConvertible {
    let find: String
    let replacement: String
    let words: [String]
    var testDescription: String { "\(find) -> \(replacement)" }
  }

  static let faults = [
    Fault(find: "\"timestamp\":", replacement: "\"time\":", words: ["`timestamp`", "missing"]),
    Fault(find: "\"joints\":", replacement: "\"points\":", words: ["`joints`", "null"]),
    Fault(
      find: "human_spine_3D", replacement: "human_spline_3D",
      words: ["human_spline_3D", "leftElbow"]),
    Fault(
      find: "human_spine_3D", replacement: "spine\":[0,0],\"x",
      words: ["joints.spine", "2 numbers"]),
    Fault(
      find: "human_spine_3D\":[", replacement: "human_spine_3D\":[\"a\",", words: ["human_spine_3D"]
    ),
    Fault(find: "human_spine_3D", replacement: "root", words: ["root", "each joint once"]),
    Fault(
      find: "\"reference\"", replacement: "\"guessed\"", words: ["heightEstimation", "measured"]),
    Fault(
      find: "\"bodyHeight\":1.8", replacement: "\"bodyHeight\":0", words: ["bodyHeight", "above 0"]),
    Fault(
      find: "\"cameraOriginMatrix\":[", replacement: "\"cameraOriginMatrix\":[1,",
      words: ["17 numbers", "16"]),
    Fault(
      find: "\"cameraOriginMatrix\":[",
      replacement: "\"cameraOriginMatrix\":[2,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],\"x\":[",
      words: ["off a rotation"]),
    Fault(
      find: "\"cameraOriginMatrix\":[",
      replacement: "\"cameraOriginMatrix\":[-1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],\"x\":[",
      words: ["reflection"]),
    Fault(
      find: "\"joints\":", replacement: "\"up\":[0,2,0],\"joints\":", words: ["up", "length 1"]),
    Fault(find: "\"timestamp\":1", replacement: "\"timestamp\":-1", words: ["timestamp", "sort"]),
    Fault(find: "\"timestamp\":", replacement: "timestamp:", words: ["the object", "unreadable"]),
  ]

  @Test(
    "A mistake is reported with file, line, what was found and what is allowed", arguments: faults)
  func fault(_ fault: Fault) throws {
    var lines = DumpText().lines
    let line = lines[4]
    lines[4] = line.replacing(fault.find, with: fault.replacement, maxReplacements: 1)
    #expect(lines[4] != line)
    let error = try #require(throws: PoseSourceError.self) {
      try imported(NamedText(name: "d.jsonl", text: lines.joined(separator: "\n")))
    }
    #expect(error.description.hasPrefix("d.jsonl:5: "), "\(error)")
    #expect(error.description.contains("; give "))
    for word in fault.words { #expect(error.description.contains(word), "\(error)") }
  }

  @Test(
    "An image size beyond any camera's is refused, wherever it stands",
    arguments: ["9223372036854775807", "-1", "0", "1000001"])
  func imageSize(pixels: String) throws {
    let dump = DumpText(noisePixels: 0)
    let lines = dump.lines
    let header = lines[0].replacing("1080", with: pixels)
    let frame = lines[1].replacing(
      "{\"timestamp\"", with: "{\"imageWidth\":\(pixels),\"imageHeight\":1920,\"timestamp\"")
    for changed in [[header] + lines[1...], [lines[0], frame] + lines[2...]] {
      let error = try #require(throws: PoseSourceError.self) {
        try imported(NamedText(name: "d.jsonl", text: changed.joined(separator: "\n")))
      }
      #expect(error.description.contains("imageWidth"), "\(error)")
      #expect(error.description.contains("1 to 1000000 pixels"), "\(error)")
    }
  }

  @Test("16 of 17 joints are refused by name")
  func partial() throws {
    var lines = DumpText().lines
    lines[1] = lines[1].replacing(#/"human_spine_3D":\[[^\]]*\],/#, with: "")
    let error = try #require(throws: PoseSourceError.self) {
      try imported(NamedText(name: "d.jsonl", text: lines.joined(separator: "\n")))
    }
    #expect(error.description.contains("without spine"))
  }

  @Test("An incomplete object is reported with its line")
  func cutOff() throws {
    let text = DumpText().lines.joined(separator: "\n").dropLast(10)
    let error = try #require(throws: PoseSourceError.self) {
      try imported(NamedText(name: "d.jsonl", text: String(text)))
    }
    #expect(error.description.hasPrefix("d.jsonl:\(DumpText().lines.count): "))
    #expect(error.description.contains("cut off"))
  }

  @Test("Text between objects, an empty file and a header alone are refused")
  func text() throws {
    let stray = try #require(throws: PoseSourceError.self) {
      try imported(NamedText(name: "d.jsonl", text: "\n\nframe 1"))
    }
    #expect(stray.description.hasPrefix("d.jsonl:3: "))
    for text in ["", DumpText().lines[0]] {
      #expect(throws: PoseSourceError.emptyTable(file: "d.jsonl")) {
        try imported(NamedText(name: "d.jsonl", text: text))
      }
    }
  }

  @Test("A dump without any matrix is refused: positions alone say nothing")
  func noMatrix() throws {
    let lines = DumpText().lines.map { $0.replacing("cameraOriginMatrix", with: "matrix") }
    let error = try #require(throws: PoseSourceError.self) {
      try imported(NamedText(name: "d.jsonl", text: lines.joined(separator: "\n")))
    }
    #expect(error.description.contains("missing in every frame"))
  }

  @Test(
    "A header of another format or with an unknown word is refused",
    arguments: [
      #"{"format":"poses"}"#, #"{"format":"vision3d-dump","version":2}"#,
      #"{"format":"vision3d-dump","orientation":"sideways"}"#,
      #"{"format":"vision3d-dump","nominalRate":0}"#,
      #"{"format":"vision3d-dump","nominalRate":1e-320}"#,
      #"{"format":"vision3d-dump","imageWidth":"wide"}"#,
    ])
  func header(_ header: String) throws {
    let error = try #require(throws: PoseSourceError.self) {
      try imported(DumpText(header: header))
    }
    #expect(error.description.contains("dumps/anna.jsonl"))
    #expect(error.description.contains("give "))
  }

  @Test("Image points without the image's size are refused with that remedy")
  func noSize() throws {
    let dump = DumpText(noisePixels: 1, header: nil)
    let error = try #require(throws: PoseSourceError.self) { try imported(dump) }
    #expect(error.description.contains("imageWidth"))
  }

  @Test("A sideways dump without a camera side is refused: a sign has no default")
  func noUp() throws {
    let error = try #require(throws: PoseSourceError.self) {
      try imported(DumpText(), options: VisionOptions(orientation: .landscapeLeft))
    }
    #expect(error.description.contains("a sign has no default"))
  }
}
