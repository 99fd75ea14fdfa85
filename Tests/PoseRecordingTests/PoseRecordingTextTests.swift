import Foundation
import PoseModel
import PoseRecording
import TestSupport
import Testing

@Suite("Recordings as text") struct PoseRecordingTextTests {
  private static let plain = RecordingHeader(
    skeleton: .vision3d, joints: [.root, .leftHip], frame: .camera)

  private static func header(_ change: (inout RecordingHeader) -> Void) -> RecordingHeader {
    var header = plain
    change(&header)
    return header
  }

  private func lines(_ recording: Recording, decimals: Int? = nil) throws -> [String] {
    let bytes = try PoseRecordingText.bytes(of: recording, decimals: decimals)
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func frame(
    _ time: Double, _ pose: [Float]?, _ extras: FrameExtras = FrameExtras(),
    header: RecordingHeader = plain, decimals: Int? = nil
  ) throws -> String {
    var recording = Recording(header: header)
    recording.append(time: Seconds(time), pose: pose, extras: extras)
    return try lines(recording, decimals: decimals)[1]
  }

  @Test("A plain header has the required fields alone")
  func plainHeader() throws {
    let line = try PoseRecordingText.headerLine(Self.plain)
    #expect(
      String(decoding: line, as: UTF8.self)
        == #"{"format":"planklab-poses","version":1,"skeleton":"vision3d","#
        + #""joints":["root","leftHip"],"frame":"camera"}"# + "\n")
  }

  @Test("A full header has every field")
  func fullHeader() throws {
    var header = Self.plain
    header.orientation = .landscapeLeft
    header.cameraPosition = .front
    header.buffer = .fixed
    header.bufferRotation = BufferRotation(degrees: 270)
    header.isMirrored = true
    header.up = Vector3(-1, 0, 0)
    header.subject = "s\"1\\\u{1}\né"
    header.bodyHeight = Meters(1.8)
    header.heightEstimation = .reference
    header.nominalRate = Hertz(29.97)
    header.imageWidth = 1080
    header.imageHeight = 1920
    let line = try PoseRecordingText.headerLine(header)
    #expect(
      String(decoding: line, as: UTF8.self).hasSuffix(
        #","frame":"camera","orientation":"landscapeLeft","camera_position":"front","#
          + #""buffer":"fixed","buffer_rotation_deg":270,"mirrored":true,"up":[-1.0,0.0,0.0],"nominal_rate_hz":29.97,"#
          + #""image_width_px":1080,"image_height_px":1920,"subject":"s\"1\\\u0001\né","#
          + #""body_height_m":1.8,"height_estimation":"reference"}"# + "\n"))
  }

  @Test(
    "Times have six decimals",
    arguments: [
      (0.0, "0.000000"), (1.0 / 30, "0.033333"), (-0.5, "-0.500000"),
      (1e9 + 0.25, "1000000000.250000"),
      (0.000_000_6, "0.000001"), (12.9999996, "13.000000"),
    ])
  func times(time: Double, text: String) throws {
    #expect(try frame(time, nil) == "{\"t\":\(text),\"p\":null}")
  }

  @Test("Positions are the shortest decimals that read back; a missing joint is null")
  func positions() throws {
    #expect(
      try frame(0, [0.1, -1.5e-7, 3e20, .nan, .nan, .nan])
        == #"{"t":0.000000,"p":[0.1,-1.5e-07,3e+20,null,null,null]}"#)
  }

  @Test(
    "Positions can be rounded",
    arguments: [
      (0, "[0,-1,2,3,100,0]"), (2, "[0.12,-1.01,2,3.1,100,-0.01]"),
      (4, "[0.1234,-1.0051,2,3.1,99.9999,-0.0099]"),
    ])
  func rounded(decimals: Int, text: String) throws {
    let pose: [Float] = [0.12344, -1.0051, 2, 3.1, 99.99991, -0.00992]
    #expect(try frame(0, pose, decimals: decimals) == "{\"t\":0.000000,\"p\":\(text)}")
  }

  @Test("A number too large to be rounded keeps all its digits")
  func largeRounded() throws {
    let line = try frame(0, [3e38, 0, 0, 0, 0, 0], decimals: 9)
    #expect(line == #"{"t":0.000000,"p":[3e+38,0,0,0,0,0]}"#)
  }

  @Test("Extras follow the pose")
  func extras() throws {
    var extras = FrameExtras(
      up: Vector3(0, 0.6, 0.8), camera: CameraMatrix(columnMajor: unit), bodyHeight: Meters(1.75),
      heightEstimation: .measured, answer: DeviceAnswer(plank: .sideLeft, form: .pike))
    #expect(
      try frame(1, nil, extras)
        == #"{"t":1.000000,"p":null,"up":[0.0,0.6,0.8],"camera":[1.0,0.0,0.0,0.0,0.0,1.0,0.0,0.0,"#
        + #"0.0,0.0,1.0,0.0,0.1,0.2,2.0,1.0],"height_m":1.75,"height_estimation":"measured","#
        + #""a":["sideLeft","pike"]}"#)
    extras = FrameExtras(answer: DeviceAnswer(plank: nil, form: nil))
    #expect(try frame(1, nil, extras) == #"{"t":1.000000,"p":null,"a":[null,null]}"#)
  }

  private let unit: [Double] = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.1, 0.2, 2, 1]

  @Test("Confidences follow if a frame has some")
  func confidences() throws {
    var recording = Recording(header: Self.plain)
    recording.append(time: Seconds(0), pose: nil)
    [0.5, Float.nan].withUnsafeBufferPointer {
      recording.append(time: 1, pose: nil, confidences: $0)
    }
    let lines = try lines(recording)
    #expect(lines[1] == #"{"t":0.000000,"p":null}"#)
    #expect(lines[2] == #"{"t":1.000000,"p":null,"c":[0.5,null]}"#)
  }

  @Test(
    "A header that readers would refuse is refused",
    arguments: [
      ("joints", header { $0.joints = [.root, .root] }),
      ("joints", header { $0.joints = [.nose] }),
      ("joints", header { $0.joints = [] }),
      ("frame", header { $0.frame = .image }),
      ("body_height_m", header { $0.bodyHeight = Meters(0) }),
      ("nominal_rate_hz", header { $0.nominalRate = Hertz(.infinity) }),
      ("nominal_rate_hz", header { $0.nominalRate = Hertz(.leastNonzeroMagnitude) }),
      ("image_width_px", header { $0.imageWidth = -1 }),
      (
        "image_width_px",
        header {
          $0 = RecordingHeader(skeleton: .coco17, joints: [.nose], frame: .image)
          $0.isMirrored = true
        }
      ),
    ])
  func badHeader(field: String, header: RecordingHeader) {
    let error = #expect(throws: PoseRecordingError.self) {
      try PoseRecordingText.headerLine(header)
    }
    guard case .invalidHeader(field, _, _)? = error else {
      Issue.record("\(error.map(\.description) ?? "nothing")")
      return
    }
    #expect(error?.remedy.isEmpty == false)
  }

  @Test("A header's up vector must be about 1 long")
  func badUp() {
    var header = Self.plain
    header.up = Vector3(0, 2, 0)
    #expect(throws: PoseRecordingError.upNotUnit(norm: 2)) {
      try PoseRecordingText.headerLine(header)
    }
  }

  @Test("A frame that readers would refuse is refused")
  func badFrames() {
    let full: [Float] = [0, 1, 2, 3, 4, 5]
    #expect(throws: PoseRecordingError.timeOutOfRange(.infinity)) {
      try frame(.infinity, full)
    }
    #expect(throws: PoseRecordingError.incompleteJoint(joint: "leftHip")) {
      try frame(0, [0, 1, 2, 3, .nan, 5])
    }
    #expect(throws: PoseRecordingError.incompleteJoint(joint: "root")) {
      try frame(0, [0, .infinity, 2, 3, 4, 5])
    }
    #expect(throws: PoseRecordingError.upNotUnit(norm: 3)) {
      try frame(0, full, FrameExtras(up: Vector3(3, 0, 0)))
    }
    #expect(throws: PoseRecordingError.heightOutOfRange(-1)) {
      try frame(0, full, FrameExtras(bodyHeight: Meters(-1)))
    }
    var stretched = unit
    stretched[0] = 2
    #expect(throws: PoseRecordingError.notARotation(error: 3)) {
      try frame(0, full, FrameExtras(camera: CameraMatrix(columnMajor: stretched)))
    }
    var header = Self.plain
    header.orientation = .landscapeRight
    #expect(throws: PoseRecordingError.upUnknown) { try frame(0, full, header: header) }
    #expect(throws: Never.self) { try frame(0, nil, header: header) }
    #expect(throws: Never.self) {
      try frame(0, full, FrameExtras(up: .unitX), header: header)
    }
  }

  @Test("Times that a microsecond cannot tell apart are refused")
  func times() {
    var recording = Recording(header: Self.plain)
    recording.append(time: Seconds(1), pose: nil)
    recording.append(time: Seconds(1.000_000_1), pose: nil)
    #expect(throws: PoseRecordingError.timeNotIncreasing(previous: 1, found: 1.000_000_1)) {
      try PoseRecordingText.bytes(of: recording)
    }
  }
}

@Suite("Recording writer") struct PoseRecordingWriterTests {
  private static let header = RecordingHeader(
    skeleton: .vision3d, joints: [.leftHip, .root], frame: .camera)

  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("a.poses.jsonl")
  }

  private func contents() throws -> String { try folder.text("a.poses.jsonl") }

  @Test("After every frame the file ends with a complete line")
  func completeLines() throws {
    let writer = try PoseRecordingWriter(path: path, header: Self.header)
    #expect(try contents().hasSuffix("}\n"))
    var pose = Pose()
    pose[.root] = Vector3(0, 1, 2)
    for frame in 0..<3 {
      try writer.append(time: Seconds(Double(frame)), pose: frame == 1 ? nil : pose)
      let lines = try contents().split(separator: "\n")
      #expect(lines.count == frame + 2)
      #expect(try contents().hasSuffix("}\n"))
    }
    #expect(writer.frameCount == 3)
    try writer.close()
    #expect(
      try contents().hasSuffix(
        """
        {"t":0.000000,"p":[null,null,null,0.0,1.0,2.0]}
        {"t":1.000000,"p":null}
        {"t":2.000000,"p":[null,null,null,0.0,1.0,2.0]}

        """))
  }

  @Test("A frame that is refused leaves no trace, and the next one is written")
  func refused() throws {
    let writer = try PoseRecordingWriter(path: path, header: Self.header)
    try writer.append(time: Seconds(1), pose: nil)
    let before = try contents()
    #expect(throws: PoseRecordingError.timeNotIncreasing(previous: 1, found: 0.5)) {
      try writer.append(time: Seconds(0.5), pose: nil)
    }
    let four: [Float] = [0, 1, 2, 3]
    #expect(throws: PoseRecordingError.wrongCount(field: "positions", found: 4, expected: 6)) {
      try four.withUnsafeBufferPointer { try writer.append(time: Seconds(2), pose: $0) }
    }
    #expect(throws: PoseRecordingError.wrongCount(field: "confidences", found: 4, expected: 2)) {
      try four.withUnsafeBufferPointer {
        try writer.append(time: Seconds(2), pose: nil, confidences: $0)
      }
    }
    #expect(try contents() == before)
    try writer.append(time: Seconds(1.5), pose: nil)
    #expect(writer.frameCount == 2)
  }

  @Test("A file that is there is kept unless it is overwritten on purpose")
  func overwriting() throws {
    try "old".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(throws: PoseRecordingError.fileExists(path: path)) {
      try PoseRecordingWriter(path: path, header: Self.header)
    }
    #expect(try contents() == "old")
    try PoseRecordingWriter(path: path, header: Self.header, overwriting: true).close()
    #expect(try contents().hasPrefix("{\"format\""))
  }

  @Test("A bad header makes no file; a bad folder is reported")
  func noFile() throws {
    var header = Self.header
    header.joints = []
    #expect(throws: PoseRecordingError.self) { try PoseRecordingWriter(path: path, header: header) }
    #expect(!FileManager.default.fileExists(atPath: path))
    let error = #expect(throws: PoseRecordingError.self) {
      try PoseRecordingWriter(path: path + "/x/y", header: Self.header)
    }
    guard case .cannotCreate? = error else {
      Issue.record("\(error.map(\.description) ?? "nothing")")
      return
    }
  }

  @Test("A closed writer refuses frames; closing twice is fine")
  func closed() throws {
    let writer = try PoseRecordingWriter(path: path, header: Self.header)
    try writer.close()
    try writer.close()
    #expect(throws: PoseRecordingError.closed(path: path)) {
      try writer.append(time: Seconds(0), pose: nil)
    }
  }

  #if os(Linux)
    @Test("A full disk is reported")
    func fullDisk() throws {
      let error = #expect(throws: PoseRecordingError.self) {
        try PoseRecordingWriter(path: "/dev/full", header: Self.header, overwriting: true)
      }
      guard case .writeFailed("/dev/full", _)? = error else {
        Issue.record("\(error.map(\.description) ?? "nothing")")
        return
      }
    }
  #endif

  @Test("A whole recording is written as its text")
  func whole() throws {
    var recording = Recording(header: Self.header)
    recording.append(time: Seconds(0), pose: [0.1, 0.2, 0.3, .nan, .nan, .nan])
    recording.append(time: Seconds(0.5), pose: nil)
    try PoseRecordingWriter.write(recording, to: path, decimals: 4)
    let text = try PoseRecordingText.bytes(of: recording, decimals: 4)
    #expect(try contents() == String(decoding: text, as: UTF8.self))
  }
}
