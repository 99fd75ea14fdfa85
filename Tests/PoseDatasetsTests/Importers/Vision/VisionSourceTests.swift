import PoseDatasets
import PoseModel
import TestSupport
import Testing

@Suite("Vision dumps")
struct VisionSourceTests {
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

  @Test("Without image points nothing can check the matrices, and a note says so")
  func unchecked() throws {
    #expect(try imported(DumpText()).notes.contains { $0.contains("without pointInImage") })
    #expect(try VisionSource().conventionCheck(of: DumpText().file) == nil)
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
    #expect(throws: PoseSourceError.self) {
      try imported(NamedText(name: "d.jsonl", text: lines.joined(separator: "\n")))
    }
    let moved = DumpText().lines.map { line in
      line.replacing(#/"human_spine_3D":\[[^\]]*\]/#, with: "\"human_spine_3D\":[0.2,0.4,0.3]")
    }
    let sequence = try imported(NamedText(name: "d.jsonl", text: moved.joined(separator: "\n")))
    #expect(sequence.notes.contains { $0.contains("may not be in pelvis axes") })
  }

  @Test("Two dumps become two sequences; two of one name are refused")
  func several() throws {
    let one = DumpText().file
    let other = NamedText(name: "dumps/ben.jsonl", text: one.text)
    #expect(try VisionSource().sequences(from: [one, other]).map(\.name) == ["anna", "ben"])
    #expect(throws: PoseSourceError.repeatedName("anna")) {
      try VisionSource().sequences(from: [one, one])
    }
  }
}
