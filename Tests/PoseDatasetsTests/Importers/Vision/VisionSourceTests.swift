import PoseModel
import TestSupport
import Testing

@testable import PoseDatasets

@Suite("Vision dumps") struct VisionSourceTests {
  @Test(
    "Positions, matrices and heights come back to the bit", arguments: [true, false], [true, false])
  func roundTrip(usesRawKeys: Bool, usesMatrices: Bool) throws {
    let dump = DumpText(usesRawKeys: usesRawKeys, usesMatrices: usesMatrices)
    let sequence = try imported(dump)
    let recording = sequence.recording
    let truth = dump.recording
    #expect(sequence.name == "anna")
    #expect(recording.header.frame == .pelvis)
    #expect(recording.header.orientation == .portrait)
    #expect(recording.header.subject == "s01")
    #expect(recording.header.imageHeight == 1920)
    #expect(recording.frameCount == truth.frameCount)
    for frame in 0..<truth.frameCount {
      #expect(abs(recording.times[frame] - truth.times[frame]) < 1e-6)
      #expect(recording.camera(at: frame) == truth.camera(at: frame))
      #expect(recording.bodyHeight(at: frame) == Meters(1.8))
      #expect(recording.extras(at: frame).heightEstimation == .reference)
      for joint in truth.header.joints {
        let expected = truth.position(of: joint, at: frame)
        #expect(recording.position(of: joint, at: frame) == expected)
      }
    }
    #expect(sequence.labels.segments.isEmpty)
    #expect(!sequence.startsMid)
  }

  @Test("Times start at 0 with a note, or stay on the dump's clock")
  func clock() throws {
    let shifted = try imported(DumpText())
    #expect(shifted.recording.times[0] == 0)
    #expect(shifted.notes.contains { $0.contains("1000.5") })
    let kept = try imported(DumpText(), options: VisionOptions(keepsClock: true))
    #expect(kept.recording.times[0] == 1000.5)
    #expect(!kept.notes.contains { $0.contains("1000.5") })
  }

  @Test("A header is optional, and options win over it")
  func header() throws {
    let bare = try imported(
      DumpText(header: nil),
      options: VisionOptions(
        orientation: .landscapeLeft, cameraPosition: .front, buffer: .fixed, subject: "x"))
    #expect(bare.recording.header.upDirection == .known(-.unitX))
    let both = try imported(DumpText(), options: VisionOptions(subject: "x"))
    #expect(both.recording.header.subject == "x")
    #expect(both.recording.header.orientation == .portrait)
  }

  @Test("A mirrored dump comes out unmirrored, its camera joints as a plain one's")
  func mirrored() throws {
    let plain = DumpText.session.recording(ScriptedCamera(azimuth: Degrees(25)))
    let dump = DumpText(camera: ScriptedCamera(isMirrored: true, azimuth: Degrees(25)))
    let sequence = try imported(dump, options: VisionOptions(isMirrored: true))
    #expect(!sequence.recording.header.isMirrored)
    #expect(sequence.notes.contains { $0.contains("mirrored") })
    for frame in 0..<plain.frameCount {
      for joint in plain.header.joints {
        let seen = try #require(sequence.recording.evaluatedPosition(of: joint, at: frame))
        let expected = try #require(plain.position(of: joint, at: frame))
        #expect((seen - expected).norm < 1e-5)
      }
    }
  }

  @Test("Frames without a pose stay; poses without a matrix stay, are missing and are counted")
  func missing() throws {
    var lines = DumpText().lines
    lines[2] = #"{"timestamp":1000.7,"joints":null}"#
    lines[3] = try #require(lines[3].split(separator: ",\"cameraOriginMatrix\"").first) + "}"
    let sequence = try imported(NamedText(name: "d.jsonl", text: lines.joined(separator: "\n")))
    #expect(!sequence.recording.hasPose(at: 1))
    #expect(sequence.recording.hasPose(at: 2))
    #expect(sequence.recording.isMissing(at: 2))
    #expect(sequence.notes.contains { $0 == "1 pose missing: no camera matrix" })
  }

  @Test("Objects over several lines and in an array are read too")
  func array() throws {
    let lines = DumpText().lines.map { $0.replacing("\"joints\"", with: "\n  \"joints\"") }
    let text = "[\r\n" + lines.joined(separator: ",\r\n") + "\r\n]\n"
    let sequence = try imported(NamedText(name: "d.json", text: text))
    #expect(sequence.recording.frameCount == DumpText().recording.frameCount)
  }

  @Test("Positions that do not look fixed to the pelvis are noted")
  func suspicion() throws {
    let lines = DumpText().lines.map {
      $0.replacing("\"human_spine_3D\":[", with: "\"human_spine_3D\":[0.2,0.4,0.3],\"x\":[")
    }
    _ = try dumpError(lines)
    let moved = DumpText().lines.map { line in
      line.replacing(#/"human_spine_3D":\[[^\]]*\]/#, with: "\"human_spine_3D\":[0.2,0.4,0.3]")
    }
    let sequence = try imported(NamedText(name: "d.jsonl", text: moved.joined(separator: "\n")))
    #expect(sequence.notes.contains { $0.contains("may not be in pelvis axes") })
  }
}

@Suite("Faults of Vision dumps") struct VisionDumpErrorTests {
  /// A fault in one frame line, and words that its message must hold.
  struct Fault: Sendable, CustomTestStringConvertible {
    let find: String
    let replacement: String
    let words: [String]
    var testDescription: String { "\(find) -> \(replacement)" }

    init(_ find: String, _ replacement: String, _ words: String...) {
      (self.find, self.replacement, self.words) = (find, replacement, words)
    }
  }

  static let faults = [
    Fault("\"timestamp\":", "\"time\":", "`timestamp`", "missing"),
    Fault("\"joints\":", "\"points\":", "`joints`", "null"),
    Fault("human_spine_3D", "human_spline_3D", "human_spline_3D", "leftElbow"),
    Fault("human_spine_3D", "spine\":[0,0],\"x", "joints.spine", "2 numbers"),
    Fault("human_spine_3D\":[", "human_spine_3D\":[\"a\",", "human_spine_3D"),
    Fault("human_spine_3D", "root", "root", "each joint once"),
    Fault("\"reference\"", "\"guessed\"", "heightEstimation", "measured"),
    Fault("\"bodyHeight\":1.8", "\"bodyHeight\":0", "bodyHeight", "above 0"),
    Fault("\"cameraOriginMatrix\":[", "\"cameraOriginMatrix\":[1,", "17 numbers", "16"),
    Fault(
      "\"cameraOriginMatrix\":[",
      "\"cameraOriginMatrix\":[2,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],\"x\":[", "off a rotation"),
    Fault(
      "\"cameraOriginMatrix\":[",
      "\"cameraOriginMatrix\":[-1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],\"x\":[", "reflection"),
    Fault("\"joints\":", "\"up\":[0,2,0],\"joints\":", "up", "length 1"),
    Fault("\"timestamp\":1", "\"timestamp\":-1", "timestamp", "sort"),
    Fault("\"timestamp\":", "timestamp:", "the object", "unreadable"),
  ]

  @Test(
    "A mistake is reported with file, line, what was found and what is allowed", arguments: faults)
  func fault(_ fault: Fault) throws {
    var lines = DumpText().lines
    let line = lines[4]
    lines[4] = line.replacing(fault.find, with: fault.replacement, maxReplacements: 1)
    #expect(lines[4] != line)
    let error = try dumpError(lines)
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
      let error = try dumpError(Array(changed))
      #expect(error.description.contains("imageWidth"), "\(error)")
      #expect(error.description.contains("1 to 1000000 pixels"), "\(error)")
    }
  }

  @Test("16 of 17 joints are refused by name")
  func partial() throws {
    var lines = DumpText().lines
    lines[1] = lines[1].replacing(#/"human_spine_3D":\[[^\]]*\],/#, with: "")
    let error = try dumpError(lines)
    #expect(error.description.contains("without spine"))
  }

  @Test("An incomplete object is reported with its line")
  func cutOff() throws {
    let text = DumpText().lines.joined(separator: "\n").dropLast(10)
    let error = try dumpError([String(text)])
    #expect(error.description.hasPrefix("d.jsonl:\(DumpText().lines.count): "))
    #expect(error.description.contains("cut off"))
  }

  @Test("Text between objects, an empty file and a header alone are refused")
  func text() throws {
    #expect(try dumpError(["\n\nframe 1"]).description.hasPrefix("d.jsonl:3: "))
    for text in ["", DumpText().lines[0]] {
      #expect(try dumpError([text]) == .emptyTable(file: "d.jsonl"))
    }
  }

  @Test("A dump without any matrix is refused: positions alone say nothing")
  func noMatrix() throws {
    let lines = DumpText().lines.map { $0.replacing("cameraOriginMatrix", with: "matrix") }
    let error = try dumpError(lines)
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

/// A dump of a scripted session as an app would write it, with the changes that tests want.
struct DumpText {
  var convention = CameraConvention.standard
  /// The standard deviation of the image points, in pixels; nil logs no points.
  var noisePixels: Double?
  var usesRawKeys = true
  var usesMatrices = false
  /// The header line, or nil for none.
  var header: String? =
    #"{"format":"vision3d-dump","version":1,"orientation":"portrait","imageWidth":1080,"#
    + #""imageHeight":1920,"subject":"s01"}"#
  /// The clock at the first frame.
  var clock = 1000.5
  /// Changes an image point in pixels before it is written.
  var distort: @Sendable (Double, Double) -> (Double, Double) = { ($0, $1) }
  var camera = ScriptedCamera(azimuth: Degrees(25))
  var seed: UInt64 = 1
  static let width = 1080.0
  static let height = 1920.0

  /// Standing, lying on one side and on the belly: seen from many sides of the body.
  static let session = ScriptedSession([.standing: 1, .sideLeft: 1, .high: 1], rate: 5)

  var recording: Recording { Self.session.pelvisRecording(camera) }
  var file: NamedText { NamedText(name: "dumps/anna.jsonl", text: lines.joined(separator: "\n")) }

  var lines: [String] {
    let recording = recording
    var random = SplitMix64(seed: seed)
    let frames = (0..<recording.frameCount).map { line(recording, frame: $0, &random) }
    return [header].compactMap(\.self) + frames
  }

  private func line(_ recording: Recording, frame: Int, _ random: inout SplitMix64) -> String {
    let time = recording.times[frame] + clock
    guard let matrix = recording.camera(at: frame) else {
      return #"{"timestamp":\#(time),"joints":null}"#
    }
    var joints: [String] = []
    for joint in recording.header.joints {
      guard let p = recording.position(of: joint, at: frame) else { continue }
      let name = usesRawKeys ? Skeleton.vision3d.visionKey(of: joint) ?? "" : joint.name
      let text =
        usesMatrices
        ? "[[1,0,0,0],[0,1,0,0],[0,0,1,0],[\(p.x),\(p.y),\(p.z),1]]" : "[\(p.x),\(p.y),\(p.z)]"
      joints.append("\"\(name)\":\(value(text, point: image(of: matrix(p), &random)))")
    }
    let logged = logged(matrix).columnMajor.map { "\($0)" }.joined(separator: ",")
    return #"{"timestamp":\#(time),"joints":{\#(joints.joined(separator: ","))},"bodyHeight":1.8,"#
      + #""heightEstimation":"reference","cameraOriginMatrix":[\#(logged)]}"#
  }

  private func value(_ position: String, point: (Double, Double)?) -> String {
    guard let point else { return position }
    return #"{"position":\#(position),"pointInImage":[\#(point.0),\#(point.1)]}"#
  }

  private func image(of point: Vector3, _ random: inout SplitMix64) -> (Double, Double)? {
    guard let noisePixels else { return nil }
    let intrinsics = CameraIntrinsics(
      focalLengthPixels: 1400, principalXPixels: 531, principalYPixels: 967,
      imageWidthPixels: Int(Self.width), imageHeightPixels: Int(Self.height))
    guard let image = intrinsics.project(point) else { return nil }
    let u = image.x * Self.width + random.normal() * noisePixels
    let v = image.y * Self.height + random.normal() * noisePixels
    let distorted = distort(u, v)
    return (distorted.0 / Self.width, distorted.1 / Self.height)
  }

  /// A standard matrix in a file with the other convention, worked out by hand.
  private func logged(_ matrix: CameraMatrix) -> CameraMatrix {
    let signs: (Double, Double, Double) =
      switch (convention.view, convention.isTurnedOver) {
      case (.negativeZ, false): (1, 1, 1)
      case (.negativeZ, true): (-1, -1, 1)
      case (.positiveZ, false): (1, -1, -1)
      case (.positiveZ, true): (-1, 1, -1)
      }
    func turned(_ v: Vector3) -> Vector3 { Vector3(signs.0 * v.x, signs.1 * v.y, signs.2 * v.z) }
    let (x, y, z) = matrix.rotation.columns
    let (a, b, c) = (turned(x), turned(y), turned(z))
    let t = turned(matrix.translation)
    guard convention.direction == .cameraToPelvis else {
      return CameraMatrix(rotation: Rotation3(a, b, c), translation: t)
    }
    let back = Rotation3(Vector3(a.x, b.x, c.x), Vector3(a.y, b.y, c.y), Vector3(a.z, b.z, c.z))
    return CameraMatrix(rotation: back, translation: Vector3(-a.dot(t), -b.dot(t), -c.dot(t)))
  }
}

extension VisionSource {
  /// What a dump's image points say about its camera matrices; nil if none were logged.
  func conventionCheck(of file: NamedText) throws -> ConventionCheck? {
    try VisionClip(try VisionDump(file), options: options).conventionCheck()
  }
}

func imported(
  _ dump: DumpText, options: VisionOptions = VisionOptions()
) throws -> ImportedSequence {
  try imported(dump.file, options: options)
}

/// The error of a dump of these lines.
func dumpError(_ lines: [String]) throws -> PoseSourceError {
  try #require(throws: PoseSourceError.self) {
    try imported(NamedText(name: "d.jsonl", text: lines.joined(separator: "\n")))
  }
}

func imported(
  _ file: NamedText, options: VisionOptions = VisionOptions()
) throws -> ImportedSequence {
  let sequences = try VisionSource(options: options).sequences(from: [file])
  return sequences[0]
}
