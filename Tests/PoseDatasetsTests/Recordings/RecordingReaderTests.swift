import PoseDatasets
import PoseModel
import PoseRecording
import TestSupport
import Testing

@Suite("Recordings that are read") struct RecordingReaderTests {
  private func read(_ text: String) throws -> RecordingFile {
    try RecordingReader.read(text: text, name: "a")
  }

  @Test("Every header field arrives")
  func header() throws {
    let text = SampleText.header([
      "orientation": "\"landscapeLeft\"", "camera_position": "\"front\"",
      "buffer": "\"fixed\"", "up": "[0,0.995,0]", "subject": #""s\u00f6ren \"1\"""#,
      "body_height_m": "1.7", "height_estimation": "\"measured\"", "nominal_rate_hz": "30",
      "image_width_px": "1080", "image_height_px": "1920", "unknown": "[{}]",
    ])
    let header = try read(text).recording.header
    #expect(header.skeleton == .vision3d)
    #expect(header.joints == [.root, .leftHip])
    #expect(header.frame == .camera)
    #expect(header.orientation == .landscapeLeft)
    #expect(header.cameraPosition == .front)
    #expect(header.buffer == .fixed)
    #expect(header.up == .unitY)
    #expect(header.subject == "sören \"1\"")
    #expect(header.bodyHeight == Meters(1.7))
    #expect(header.heightEstimation == .measured)
    #expect(header.nominalRate == Hertz(30))
    #expect(header.imageWidth == 1080)
    #expect(header.imageHeight == 1920)
  }

  @Test("Null in an optional header field is as if absent")
  func nullFields() throws {
    let text = SampleText.header([
      "orientation": "null", "camera_position": "null", "buffer": "null", "mirrored": "null",
      "up": "null", "subject": "null", "body_height_m": "null", "height_estimation": "null",
      "nominal_rate_hz": "null", "image_width_px": "null",
    ])
    let expected = RecordingHeader(skeleton: .vision3d, joints: [.root, .leftHip], frame: .camera)
    #expect(try read(text).recording.header == expected)
  }

  @Test("Frames bring times, positions, missing joints and missing poses")
  func frames() throws {
    let recording = try read(
      SampleText.text(
        SampleText.header, SampleText.frame("-1", "[0.1,-2,3e2,null,null,null]"),
        SampleText.frame("0.033333", "null"), SampleText.frame("1"))
    ).recording
    #expect(recording.times == [-1, 0.033333, 1])
    #expect(Array(recording.positions[0..<3]) == [0.1, -2, 300])
    #expect(recording.position(of: .leftHip, at: 0) == nil)
    #expect((0..<3).map(recording.hasPose) == [true, false, true])
    #expect(recording.position(of: .leftHip, at: 2) == Vector3(3, 4, 5))
  }

  @Test("A frame's extras arrive, and null ones are as if absent")
  func extras() throws {
    let camera = "[1,0,0,0,0,1,0,0,0,0,1,0,0.5,0.25,2,1]"
    let recording = try read(
      SampleText.text(
        SampleText.header,
        SampleText.frame(
          "0", "null",
          #","up":[0,0,1.01],"camera":\#(camera),"height_m":1.6,"height_estimation":"measured","#
            + #""c":[0.5,null],"a":["high","sag"]"#),
        SampleText.frame(
          "1", "null",
          #","up":null,"camera":null,"height_m":null,"height_estimation":null,"c":null,"a":null"#),
        SampleText.frame("2", "null", #","a":[null,"aligned"],"x":{"t":1,"u":2}"#))
    ).recording
    let extras = recording.extras(at: 0)
    #expect(extras.up == Vector3(0, 0, 1))
    #expect(extras.camera?.translation == Vector3(0.5, 0.25, 2))
    #expect(extras.bodyHeight == Meters(1.6))
    #expect(extras.heightEstimation == .measured)
    #expect(extras.answer == DeviceAnswer(plank: .high, form: .sag))
    #expect(recording.confidences[0] == 0.5)
    #expect(recording.confidences[1].isNaN)
    #expect(recording.extras(at: 1) == FrameExtras())
    #expect(recording.extras(at: 2).answer == DeviceAnswer(plank: nil, form: .aligned))
  }

  @Test("Decimal text becomes the nearest Double and then the nearest Float")
  func rounding() throws {
    // Halfway between two Floats but for a digit that a Double no longer holds.
    let text = "1.00000005960464477540000001"
    let recording = try read(
      SampleText.text(SampleText.header, SampleText.frame("0", "[\(text),0,0,null,null,null]"))
    ).recording
    let double = try #require(Double(text))
    #expect(recording.positions[0] == Float(double))
    #expect(recording.positions[0] != Float(text))
  }

  @Test(
    "Line ends, a byte-order mark and blank last lines are read and noted",
    arguments: [
      ("\u{FEFF}", "\n", "", [TextNote.byteOrderMark]),
      ("", "\r\n", "", [.carriageReturns(firstLine: 1, count: 3)]),
      ("", "\n", "\n \n", [.blankLastLines(firstLine: 4, count: 2)]),
      (
        "", "\n", "\r\n\r\r\n",
        [.carriageReturns(firstLine: 4, count: 2), .blankLastLines(firstLine: 4, count: 2)]
      ),
      (
        "\u{FEFF}", "\r\n", "\r\n",
        [
          .byteOrderMark, .carriageReturns(firstLine: 1, count: 4),
          .blankLastLines(firstLine: 4, count: 1),
        ]
      ),
      ("", "\n", "", []),
    ])
  func notes(mark: String, end: String, last: String, notes: [TextNote]) throws {
    let lines = [SampleText.header, SampleText.frame("0"), SampleText.frame("1")]
    let file = try read(mark + lines.map { $0 + end }.joined() + last)
    #expect(file.notes == notes)
    #expect(file.recording.times == [0, 1])
  }

  @Test("A last line without a line feed is read")
  func noLastLineFeed() throws {
    let file = try read(SampleText.header + "\n" + SampleText.frame("0"))
    #expect(file.recording.frameCount == 1)
    #expect(file.notes == [])
  }

  @Test("A mirrored recording is unmirrored when it is loaded")
  func mirrored() throws {
    let recording = try read(
      SampleText.text(SampleText.header(["mirrored": "true"]), SampleText.frame("0"))
    ).recording
    #expect(!recording.header.isMirrored)
    #expect(recording.position(of: .rightHip, at: 0) == Vector3(-3, 4, 5))
    #expect(recording.position(of: .leftHip, at: 0) == nil)
  }

  @Test("A landscape header without a camera side is accepted if every pose has its own up vector")
  func upByFrame() throws {
    let recording = try read(
      SampleText.text(
        SampleText.header(["orientation": "\"landscapeLeft\""]), SampleText.frame("0", "null"),
        SampleText.frame("1", "[0,1,2,3,4,5]", ",\"up\":[1,0,0]"))
    ).recording
    #expect(recording.axes(at: 1)?.up == .unitX)
  }

  @Test("Pelvis poses without a matrix are counted; a pelvis file without poses is fine")
  func pelvis() throws {
    let camera = ",\"camera\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]"
    let header = SampleText.header(["frame": "\"pelvis\""])
    let file = try read(
      SampleText.text(
        header, SampleText.frame("0", "[0,1,2,3,4,5]", camera), SampleText.frame("1"),
        SampleText.frame("2", "null")))
    #expect(file.posesWithoutMatrix == 1)
    #expect(file.recording.isMissing(at: 1))
    let empty = try read(SampleText.text(header, SampleText.frame("0", "null")))
    #expect(empty.posesWithoutMatrix == 0)
  }

  @Test("2D skeletons have two numbers per joint", arguments: ["image", "camera"])
  func flat(frame: String) throws {
    let header = SampleText.header(["skeleton": "\"vision2d\"", "frame": "\"\(frame)\""])
    let text = SampleText.text(header, SampleText.frame("0", "[0.5,0.25,null,null]"))
    let recording = try read(text).recording
    #expect(recording.position(of: .root, at: 0) == Vector3(0.5, 0.25, 0))
    #expect(recording.position(of: .leftHip, at: 0) == nil)
  }

  @Test("A line of exactly 4 MiB is read")
  func longLine() throws {
    let frame = SampleText.frame("0")
    let padding = String(repeating: " ", count: (4 << 20) - frame.utf8.count)
    let file = try read(SampleText.text(SampleText.header, padding + frame, SampleText.frame("1")))
    #expect(file.recording.frameCount == 2)
  }
}

extension SplitMix64 {
  /// True once in `n` times.
  fileprivate mutating func once(in n: UInt64) -> Bool { next() % n == 0 }

  fileprivate mutating func float() -> Float {
    while true {
      let number = Float(bitPattern: UInt32(truncatingIfNeeded: next()))
      if number.isFinite { return number }
    }
  }
}

@Suite("Written recordings, read back") struct RecordingRoundTripPropertyTests {
  @Test("Every field comes back as it was", arguments: Draws.seeds(24 as UInt64))
  func roundTrip(seed: UInt64) throws {
    let recording = makeRecording(seed: seed)
    let bytes = try PoseRecordingText.bytes(of: recording)
    let read = try RecordingReader.read(bytes: bytes, name: "a").recording
    #expect(read.differences(from: recording) == [])
    #expect(try PoseRecordingText.bytes(of: read) == bytes)
  }

  @Test("Rounded positions come back within half a unit of the last decimal", arguments: 0..<7)
  func rounded(decimals: Int) throws {
    var recording = Recording(
      header: RecordingHeader(skeleton: .vision3d, joints: [.root], frame: .camera))
    var stream = SplitMix64(seed: 7)
    for frame in 0..<200 {
      let pose = (0..<3).map { _ in Float(stream.uniform(-1, 1) * 2) }
      recording.append(time: Seconds(Double(frame)), pose: pose)
    }
    let bytes = try PoseRecordingText.bytes(of: recording, decimals: decimals)
    let read = try RecordingReader.read(bytes: bytes, name: "a").recording
    var half = 0.5
    for _ in 0..<decimals { half /= 10 }
    for (a, b) in zip(read.positions, recording.positions) {
      #expect((Double(a) - Double(b)).magnitude <= half + 1.2e-7)
    }
  }

  private func makeRecording(seed: UInt64) -> Recording {
    var stream = SplitMix64(seed: seed)
    let skeleton = Skeleton.allCases[Int(seed % 3)]
    var header = RecordingHeader(
      skeleton: skeleton, joints: stream.shuffled(skeleton.joints),
      frame: skeleton.dimension == 2 ? .image : [.camera, .world, .pelvis][Int(seed / 3 % 3)])
    header.joints.removeLast(Int(stream.next() % 5))
    if stream.once(in: 2) { header.subject = "s \u{1F4A1}\"\\\t" }
    if stream.once(in: 2) { header.bodyHeight = Meters(1.5 + stream.uniform(-1, 1) / 2) }
    var recording = Recording(header: header)
    for frame in 0..<40 { append(frame, to: &recording, &stream) }
    return recording
  }

  private func append(_ frame: Int, to recording: inout Recording, _ stream: inout SplitMix64) {
    let layout = recording.layout
    var pose = (0..<layout.stride).map { _ in stream.float() }
    for slot in layout.joints.indices where stream.once(in: 6) {
      for axis in 0..<layout.dimension { pose[slot * layout.dimension + axis] = .nan }
    }
    var extras = FrameExtras()
    if stream.once(in: 2) || recording.header.frame == .pelvis {
      extras.camera = CameraMatrix(
        rotation: .identity,
        translation: Vector3(stream.uniform(-1, 1), stream.uniform(-1, 1), stream.uniform(-1, 1)))
    }
    if stream.once(in: 3) { extras.up = Vector3(0, -1, 0) }
    if stream.once(in: 3) { extras.bodyHeight = Meters(1.8 + stream.uniform(-1, 1)) }
    if stream.once(in: 3) { extras.heightEstimation = .reference }
    if stream.once(in: 3) {
      extras.answer = DeviceAnswer(plank: .reverse, form: stream.once(in: 2) ? .sag : nil)
    }
    let confidences = layout.joints.map { _ in Float(stream.uniform(-1, 1)) }
    let hasPose = !stream.once(in: 5)
    let hasConfidences = stream.once(in: 2)
    pose.withUnsafeBufferPointer { pose in
      confidences.withUnsafeBufferPointer { confidences in
        recording.append(
          time: Double(frame * 33_333 - 50_000) / 1e6, pose: hasPose ? pose : nil, extras: extras,
          confidences: hasConfidences ? confidences : nil)
      }
    }
  }
}
