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

  /// A header of two joints, and a line below it that is wrong.
  init(_ title: String, _ frame: String, _ problem: RecordingProblem) {
    self.init(title, [SampleText.header, frame], line: 2, problem)
  }

  /// A header with wrong fields.
  init(
    _ title: String, header: KeyValuePairs<String, String>, _ problem: RecordingProblem
  ) {
    self.init(title, [SampleText.header(header)], line: 1, problem)
  }
}

@Suite("Recordings that are refused") struct RecordingReaderErrorTests {
  private static let header = SampleText.header
  private static let positions =
    "6 numbers (2 joints, 3 each), null for a missing joint, or null without a pose"

  private static func frame(
    _ time: String, _ pose: String = "[0,1,2,3,4,5]", _ more: String = ""
  ) -> String { SampleText.frame(time, pose, more) }

  @Test(
    "A bad frame is reported with its line and problem",
    arguments: [
      BadRecording("NaN", frame("0", "[NaN,1,2,3,4,5]"), .notJSON(.literal)),
      BadRecording("1e999", frame("0", "[1e999,1,2,3,4,5]"), .notJSON(.number)),
      BadRecording(
        "1e39", frame("0", "[0,1,2,3,1e39,5]"), .notFinite(field: "p", joint: "leftHip")),
      BadRecording(
        "too few numbers", [header, frame("0"), frame("1", "[0,1,2,3,4]")], line: 3,
        .wrongCount(field: "p", found: 5, allowed: positions)),
      BadRecording(
        "a joint partly null", frame("0", "[0,1,2,3,null,5]"), .partlyNull(joint: "leftHip")),
      BadRecording(
        "a time that goes back", [header, frame("0.5"), frame("0.4")], line: 3,
        .timeNotIncreasing(previous: 0.5, found: 0.4)),
      BadRecording(
        "a time that stands", [header, frame("0.5", "null"), frame("0.5")], line: 3,
        .timeNotIncreasing(previous: 0.5, found: 0.5)),
      BadRecording("no pose", #"{"t":1}"#, .missingField("p")),
      BadRecording("no time", #"{"p":null}"#, .missingField("t")),
      BadRecording("a key twice", #"{"t":1,"p":null,"t":1}"#, .repeatedKey("t")),
      BadRecording("an unknown key twice", #"{"t":1,"x":1,"p":null,"x":2}"#, .repeatedKey("x")),
      BadRecording(
        "a key twice inside an unknown one", #"{"t":1,"p":null,"x":{"t":1,"t":2}}"#,
        .repeatedKey("t")),
      BadRecording(
        "a key twice, once escaped", #"{"t":1,"\u0070":null,"p":null}"#, .repeatedKey("p")),
      BadRecording(
        "null for a time", frame("null"),
        .wrongType(field: "t", element: nil, found: "null", allowed: "a number of seconds")),
      BadRecording(
        "text for a position", frame("0", "[0,1,2,\"3\",4,5]"),
        .wrongType(field: "p", element: 3, found: "text", allowed: positions)),
      BadRecording("a list for a frame", "[1]", .notAnObject),
      BadRecording("two objects a line", "{}{}", .notJSON(.structure)),
      BadRecording(
        "a long up vector", frame("0", "null", ",\"up\":[0,1.02,0]"), .upNotUnit(norm: 1.02)),
      BadRecording(
        "an up vector of two", frame("0", "null", ",\"up\":[0,1]"),
        .wrongCount(field: "up", found: 2, allowed: "3 numbers, or null")),
      BadRecording(
        "a matrix of fifteen", frame("0", "null", ",\"camera\":[1,0,0,0,0,1,0,0,0]"),
        .wrongCount(field: "camera", found: 9, allowed: "16 numbers column by column, or null")),
      BadRecording(
        "a matrix that is no rotation",
        frame("0", "null", ",\"camera\":[1.1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]"),
        .notARotation(error: 1.1 * 1.1 - 1, isReflection: false)),
      BadRecording(
        "a reflection", frame("0", "null", ",\"camera\":[-1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]"),
        .notARotation(error: 0, isReflection: true)),
      BadRecording(
        "an unknown answer", frame("0", "null", ",\"a\":[\"plank\",null]"),
        .unknownWord(
          field: "a", found: "plank",
          allowed: ["none", "forearm", "high", "sideLeft", "sideRight", "reverse"])),
      BadRecording(
        "a height of zero", frame("0", "null", ",\"height_m\":0"),
        .outOfRange(field: "height_m", found: 0, allowed: "a number above 0, or null")),
      BadRecording(
        "confidences of the wrong number", frame("0", "null", ",\"c\":[1]"),
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
      BadRecording("version 2", header: ["version": "2"], .unsupportedVersion(found: "version 2")),
      BadRecording(
        "version as text", header: ["version": "\"1\""], .unsupportedVersion(found: "version \"1\"")
      ),
      BadRecording(
        "another format", header: ["format": "\"x\""], .unsupportedVersion(found: "format \"x\"")),
      BadRecording("a frame first", [frame("0")], line: 1, .missingField("format")),
      BadRecording("no joints", header: ["joints": ""], .missingField("joints")),
      BadRecording(
        "a joint twice", header: ["joints": #"["root","root"]"#], .repeatedJoint("root")),
      BadRecording(
        "a joint of another skeleton", header: ["joints": #"["nose"]"#],
        .unknownJoint("nose", skeleton: "vision3d")),
      BadRecording(
        "an empty list of joints", header: ["joints": "[]"],
        .wrongType(
          field: "joints", element: nil, found: "no joint", allowed: "a list of joint names")),
      BadRecording(
        "a key twice", [#"{"format":"planklab-poses","\u0066ormat":"planklab-poses"}"#], line: 1,
        .repeatedKey("format")),
      BadRecording(
        "an unknown orientation", header: ["orientation": "\"up\""],
        .unknownWord(
          field: "orientation", found: "up",
          allowed: ["portrait", "portraitUpsideDown", "landscapeLeft", "landscapeRight"])),
      BadRecording(
        "text for a truth value", header: ["mirrored": "\"yes\""],
        .wrongType(field: "mirrored", element: nil, found: "\"yes\"", allowed: "true or false")),
      BadRecording(
        "a negative height", header: ["body_height_m": "-1"],
        .outOfRange(field: "body_height_m", found: -1, allowed: "a number above 0")),
      BadRecording(
        "half a pixel", header: ["image_width_px": "1.5"],
        .outOfRange(field: "image_width_px", found: 1.5, allowed: "a whole number of pixels")),
      BadRecording(
        "an eighth of a turn", header: ["buffer_rotation_deg": "45"],
        .outOfRange(
          field: "buffer_rotation_deg", found: 45, allowed: "0, 90, 180 or 270, clockwise")),
      BadRecording("a short up vector", header: ["up": "[0,0.5,0]"], .upNotUnit(norm: 0.5)),
      BadRecording(
        "image axes in 3D", header: ["frame": "\"image\""],
        .wrongFrame(found: "image", skeleton: "vision3d", allowed: ["camera", "world", "pelvis"])),
      BadRecording(
        "pelvis axes in 2D", header: ["skeleton": "\"vision2d\"", "frame": "\"pelvis\""],
        .wrongFrame(found: "pelvis", skeleton: "vision2d", allowed: ["image", "camera"])),
      BadRecording(
        "mirrored pixels without width",
        [
          SampleText.header([
            "skeleton": "\"coco17\"", "joints": "[\"nose\"]", "frame": "\"image\"",
            "mirrored": "true",
          ])
        ], line: nil, .mirroredPixels),
      BadRecording("nothing at all", [], line: nil, .empty),
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

  /// The reader of datasets and the one that apps link report the same line and problem.
  private func expectRefusal(_ bad: BadRecording) {
    let error = #expect(throws: DatasetError.self) {
      try RecordingReader.read(text: bad.text, name: "a")
    }
    let appError = #expect(throws: PoseRecordingError.self) {
      try PoseRecordingReader.recording(from: Array(bad.text.utf8), name: "a")
    }
    guard case .invalidRecording("a", bad.line, let problem)? = error,
      case .invalidRecording("a", bad.line, let appProblem)? = appError
    else {
      Issue.record("\(String(describing: error)), \(String(describing: appError))")
      return
    }
    #expect(Self.rounded(problem) == Self.rounded(bad.problem))
    #expect(Self.rounded(appProblem) == Self.rounded(bad.problem))
    #expect(error?.isMissingInput == false)
    #expect(error?.message.isEmpty == false && error?.remedy.isEmpty == false)
    #expect(appError?.message.contains(appProblem.message) == true)
    #expect(appError?.remedy == appProblem.remedy)
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
