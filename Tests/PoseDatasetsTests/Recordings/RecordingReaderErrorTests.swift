import PoseDatasets
import PoseModel
import PoseRecording
import Testing

/// A text that must be refused, with the expected line and problem.
struct BadRecording: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let text: String
  let line: Int?
  let problem: RecordingProblem

  init(_ title: String, _ lines: [String], line: Int?, _ problem: RecordingProblem) {
    testDescription = title
    text = lines.map { $0 + "\n" }.joined()
    self.line = line
    self.problem = problem
  }
}

@Suite("Recordings that are refused") struct RecordingReaderErrorTests {
  private static let header = SampleText.header
  private static func frame(
    _ time: String, _ pose: String = "[0,1,2,3,4,5]", _ more: String = ""
  ) -> String { SampleText.frame(time, pose, more) }

  @Test(
    "A bad frame is reported with its line and problem",
    arguments: [
      BadRecording("NaN", [header, frame("0", "[NaN,1,2,3,4,5]")], line: 2, .notJSON(.literal)),
      BadRecording("1e999", [header, frame("0", "[1e999,1,2,3,4,5]")], line: 2, .notJSON(.number)),
      BadRecording(
        "1e39", [header, frame("0", "[0,1,2,3,1e39,5]")], line: 2,
        .notFinite(field: "p", joint: "leftHip")),
      BadRecording(
        "too few numbers", [header, frame("0"), frame("1", "[0,1,2,3,4]")], line: 3,
        .wrongCount(
          field: "p", found: 5,
          allowed: "6 numbers (2 joints, 3 each), null for a missing joint, or null without a "
            + "pose")),
      BadRecording(
        "a joint partly null", [header, frame("0", "[0,1,2,3,null,5]")], line: 2,
        .partlyNull(joint: "leftHip")),
      BadRecording(
        "a time that goes back", [header, frame("0.5"), frame("0.4")], line: 3,
        .timeNotIncreasing(previous: 0.5, found: 0.4)),
      BadRecording(
        "a time that stands", [header, frame("0.5", "null"), frame("0.5")], line: 3,
        .timeNotIncreasing(previous: 0.5, found: 0.5)),
      BadRecording("no pose", [header, #"{"t":1}"#], line: 2, .missingField("p")),
      BadRecording("no time", [header, #"{"p":null}"#], line: 2, .missingField("t")),
      BadRecording(
        "a key twice", [header, #"{"t":1,"p":null,"t":1}"#], line: 2, .repeatedKey("t")),
      BadRecording(
        "an unknown key twice", [header, #"{"t":1,"x":1,"p":null,"x":2}"#], line: 2,
        .repeatedKey("x")),
      BadRecording(
        "a key twice inside an unknown one", [header, #"{"t":1,"p":null,"x":{"t":1,"t":2}}"#],
        line: 2, .repeatedKey("t")),
      BadRecording(
        "a key twice, once escaped", [header, #"{"t":1,"\u0070":null,"p":null}"#], line: 2,
        .repeatedKey("p")),
      BadRecording(
        "null for a time", [header, frame("null")], line: 2,
        .wrongType(field: "t", element: nil, found: "null", allowed: "a number of seconds")),
      BadRecording(
        "text for a position", [header, frame("0", "[0,1,2,\"3\",4,5]")], line: 2,
        .wrongType(
          field: "p", element: 3, found: "text",
          allowed: "6 numbers (2 joints, 3 each), null for a missing joint, or null without a "
            + "pose")), BadRecording("a list for a frame", [header, "[1]"], line: 2, .notAnObject),
      BadRecording("two objects a line", [header, "{}{}"], line: 2, .notJSON(.structure)),
      BadRecording(
        "a long up vector", [header, frame("0", "null", ",\"up\":[0,1.02,0]")], line: 2,
        .upNotUnit(norm: 1.02)),
      BadRecording(
        "an up vector of two", [header, frame("0", "null", ",\"up\":[0,1]")], line: 2,
        .wrongCount(field: "up", found: 2, allowed: "3 numbers, or null")),
      BadRecording(
        "a matrix of fifteen", [header, frame("0", "null", ",\"camera\":[1,0,0,0,0,1,0,0,0]")],
        line: 2,
        .wrongCount(field: "camera", found: 9, allowed: "16 numbers column by column, or null")),
      BadRecording(
        "a matrix that is no rotation",
        [header, frame("0", "null", ",\"camera\":[1.1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]")], line: 2,
        .notARotation(error: 1.1 * 1.1 - 1, isReflection: false)),
      BadRecording(
        "a reflection",
        [header, frame("0", "null", ",\"camera\":[-1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]")], line: 2,
        .notARotation(error: 0, isReflection: true)),
      BadRecording(
        "an unknown answer", [header, frame("0", "null", ",\"a\":[\"plank\",null]")], line: 2,
        .unknownWord(
          field: "a", found: "plank",
          allowed: ["none", "forearm", "high", "sideLeft", "sideRight", "reverse"])),
      BadRecording(
        "a height of zero", [header, frame("0", "null", ",\"height_m\":0")], line: 2,
        .outOfRange(field: "height_m", found: 0, allowed: "a number above 0, or null")),
      BadRecording(
        "confidences of the wrong number", [header, frame("0", "null", ",\"c\":[1]")], line: 2,
        .wrongCount(field: "c", found: 1, allowed: "2 numbers, one per joint, or null")),
      BadRecording(
        "landscape without camera side",
        [SampleText.header(["orientation": "\"landscapeLeft\""]), frame("0", "null"), frame("1")],
        line: 3, .upUnknown),
      BadRecording(
        "landscape without buffer",
        [
          SampleText.header(["orientation": "\"landscapeRight\"", "camera_position": "\"back\""]),
          frame("0"),
        ], line: 2, .upUnknown),
      BadRecording(
        "pelvis without matrices",
        [SampleText.header(["frame": "\"pelvis\""]), frame("0"), frame("1")], line: nil,
        .noMatrices(poses: 2)),
    ])
  func badFrame(bad: BadRecording) { expectRefusal(bad) }

  @Test(
    "A bad header is reported with line 1 and its problem",
    arguments: [
      BadRecording(
        "version 2", [SampleText.header(["version": "2"])], line: 1,
        .unsupportedVersion(found: "version 2")),
      BadRecording(
        "version as text", [SampleText.header(["version": "\"1\""])], line: 1,
        .unsupportedVersion(found: "version \"1\"")),
      BadRecording(
        "another format", [SampleText.header(["format": "\"x\""])], line: 1,
        .unsupportedVersion(found: "format \"x\"")),
      BadRecording("a frame first", [frame("0")], line: 1, .missingField("format")),
      BadRecording(
        "no joints", [SampleText.header(["joints": ""])], line: 1, .missingField("joints")),
      BadRecording(
        "a joint twice", [SampleText.header(["joints": #"["root","root"]"#])], line: 1,
        .repeatedJoint("root")),
      BadRecording(
        "a joint of another skeleton", [SampleText.header(["joints": #"["nose"]"#])], line: 1,
        .unknownJoint("nose", skeleton: "vision3d")),
      BadRecording(
        "an empty list of joints", [SampleText.header(["joints": "[]"])], line: 1,
        .wrongType(
          field: "joints", element: nil, found: "no joint", allowed: "a list of joint names")),
      BadRecording(
        "a key twice", [#"{"format":"planklab-poses","\u0066ormat":"planklab-poses"}"#], line: 1,
        .repeatedKey("format")),
      BadRecording(
        "an unknown orientation", [SampleText.header(["orientation": "\"up\""])], line: 1,
        .unknownWord(
          field: "orientation", found: "up",
          allowed: ["portrait", "portraitUpsideDown", "landscapeLeft", "landscapeRight"])),
      BadRecording(
        "text for a truth value", [SampleText.header(["mirrored": "\"yes\""])], line: 1,
        .wrongType(field: "mirrored", element: nil, found: "\"yes\"", allowed: "true or false")),
      BadRecording(
        "a negative height", [SampleText.header(["body_height_m": "-1"])], line: 1,
        .outOfRange(field: "body_height_m", found: -1, allowed: "a number above 0")),
      BadRecording(
        "half a pixel", [SampleText.header(["image_width_px": "1.5"])], line: 1,
        .outOfRange(field: "image_width_px", found: 1.5, allowed: "a whole number of pixels")),
      BadRecording(
        "an eighth of a turn", [SampleText.header(["buffer_rotation_deg": "45"])], line: 1,
        .outOfRange(
          field: "buffer_rotation_deg", found: 45, allowed: "0, 90, 180 or 270, clockwise")),
      BadRecording(
        "a short up vector", [SampleText.header(["up": "[0,0.5,0]"])], line: 1,
        .upNotUnit(norm: 0.5)),
      BadRecording(
        "image axes in 3D", [SampleText.header(["frame": "\"image\""])], line: 1,
        .wrongFrame(found: "image", skeleton: "vision3d", allowed: ["camera", "world", "pelvis"])),
      BadRecording(
        "pelvis axes in 2D",
        [SampleText.header(["skeleton": "\"vision2d\"", "frame": "\"pelvis\""])], line: 1,
        .wrongFrame(found: "pelvis", skeleton: "vision2d", allowed: ["image", "camera"])),
      BadRecording(
        "mirrored pixels without width",
        [
          SampleText.header([
            "skeleton": "\"coco17\"", "joints": "[\"nose\"]", "frame": "\"image\"",
            "mirrored": "true",
          ])
        ], line: nil, .mirroredPixels), BadRecording("nothing at all", [], line: nil, .empty),
      BadRecording("blank lines only", ["", " "], line: nil, .empty),
    ])
  func badHeader(bad: BadRecording) { expectRefusal(bad) }

  @Test("A last line that breaks off is called truncated", arguments: 1..<40)
  func truncated(length: Int) {
    let frame = Self.frame("1", "[0,1,2,3,4,5]", ",\"a\":[\"high\",null]")
    let text = SampleText.text(Self.header, Self.frame("0")) + frame.prefix(length)
    let error = #expect(throws: DatasetError.self) {
      try RecordingReader.read(text: text, name: "a")
    }
    #expect(error == .invalidRecording(file: "a", line: 3, problem: .truncated))
    #expect(throws: PoseRecordingError.invalidRecording(name: "a", line: 3, problem: .truncated)) {
      try PoseRecordingReader.recording(from: Array(text.utf8), name: "a")
    }
  }

  private func expectRefusal(_ bad: BadRecording) {
    let error = #expect(throws: DatasetError.self) {
      try RecordingReader.read(text: bad.text, name: "a")
    }
    guard case .invalidRecording("a", bad.line, let problem)? = error else {
      Issue.record("\(error.map(\.description) ?? "nothing")")
      return
    }
    #expect(Self.rounded(problem) == Self.rounded(bad.problem))
    #expect(error?.isMissingInput == false)
    #expect(error?.message.isEmpty == false)
    #expect(error?.remedy.isEmpty == false)
    expectRefusalByApps(bad)
  }

  /// The reader that apps link reports the same line and the same problem.
  private func expectRefusalByApps(_ bad: BadRecording) {
    let error = #expect(throws: PoseRecordingError.self) {
      try PoseRecordingReader.recording(from: Array(bad.text.utf8), name: "a")
    }
    guard case .invalidRecording("a", bad.line, let problem)? = error else {
      Issue.record("\(error.map(\.description) ?? "nothing")")
      return
    }
    #expect(Self.rounded(problem) == Self.rounded(bad.problem))
    #expect(error?.message.contains(problem.message) == true)
    #expect(error?.remedy == problem.remedy)
  }

  /// The problem with its measured numbers rounded, because their last digits do not matter.
  private static func rounded(_ problem: RecordingProblem) -> RecordingProblem {
    func short(_ number: Double) -> Double { (number * 1e9).rounded() / 1e9 }
    return switch problem {
    case .upNotUnit(let norm): .upNotUnit(norm: short(norm))
    case .notARotation(let error, let isReflection):
      .notARotation(error: short(error), isReflection: isReflection)
    default: problem
    }
  }
}
