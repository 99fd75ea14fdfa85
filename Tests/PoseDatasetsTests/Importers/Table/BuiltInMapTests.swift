import Foundation
import PoseModel
import TestSupport
import Testing

@testable import PoseDatasets

/// The files that `scripts/proofs/library_dumps.py` writes of three frames of a recording and one in
/// which nobody was found.
struct LibraryDump: Sendable, CustomTestStringConvertible {
  enum Space: Sendable {
    case meters
    /// The image's unit: bodies come out with the size of the reference body.
    case scaled
    case world(Vector3)
    case shares
    case pixels
  }

  let map: String
  /// The files, without their folder.
  let files: [String]
  let space: Space
  var tick = 0.001
  var showsNobody = true
  var testDescription: String { map }
  static let all = [
    LibraryDump(map: "mediapipe-tasks", files: ["mediapipe.json"], space: .meters),
    LibraryDump(map: "mediapipe-web", files: ["mediapipe_web.jsonl"], space: .meters),
    LibraryDump(map: "mediapipe-ios", files: ["mediapipe_ios.jsonl"], space: .meters),
    LibraryDump(map: "mediapipe-solutions", files: ["mediapipe_solutions.jsonl"], space: .meters),
    LibraryDump(
      map: "mediapipe-csv", files: ["mediapipe_rows.csv"], space: .meters, showsNobody: false),
    LibraryDump(map: "mlkit", files: ["mlkit.jsonl"], space: .scaled),
    LibraryDump(map: "quickpose", files: ["quickpose.jsonl"], space: .scaled, tick: 0.0001),
    LibraryDump(
      map: "coco", files: ["coco_results.json"], space: .pixels, tick: 0, showsNobody: false),
    LibraryDump(
      map: "openpose", files: (0..<4).map { "openpose_00000000000\($0)_keypoints.json" },
      space: .shares, tick: 0),
    LibraryDump(
      map: "arkit", files: ["arkit.jsonl"], space: .world(Vector3(0.4, 0.1, -2.1)), tick: 0.0001),
  ]

  static let imageSize = ImageSize(width: 1080, height: 1920)

  func sources() throws -> [NamedBytes] {
    try files.map { name in
      let url = Repository.file("Tests/FuzzTests/Corpora/table/\(name)")
      return NamedBytes(name: "dumps/\(name)", bytes: Array(try Data(contentsOf: url)))
    }
  }

  func sequence() throws -> ImportedSequence {
    var map = try #require(TableMap.ready.first { $0.name == self.map }?.map)
    if map.skeleton.dimension == 2 { map.imageSize = Self.imageSize }
    let source = TableSource(options: TableOptions(map: map))
    return try #require(try source.sequences(from: sources()).first)
  }

  func diagnosis(imageSize: ImageSize? = Self.imageSize) throws -> PoseDiagnosis {
    let sources = try sources()
    let name = sources.count == 1 ? sources[0].name : "dumps"
    return PoseDoctor.diagnose(sources.map(ExaminedFile.init), called: name, imageSize: imageSize)
  }
}

private struct DumpedBodies {
  private static let frames = [15, 210, 330]
  /// The frame in which nobody was found.
  private static let nobody = 340
  private let recording: Recording
  /// Seconds from the first frame.
  let times: [Double]

  init() throws {
    let path = Repository.file("datasets/scripted/s01-floor.poses.jsonl").path
    let recording = try RecordingReader.read(path: path).recording
    self.recording = recording
    times = (Self.frames + [Self.nobody]).map {
      recording.times[$0] - recording.times[Self.frames[0]]
    }
  }

  /// A joint's position from the middle of the hips, in meters; nil where it is missing.
  func position(_ joint: Joint, _ frame: Int) -> Vector3? {
    guard Self.frames.indices.contains(frame), frame != 2 || joint != .leftWrist else { return nil }
    let index = Self.frames[frame]
    guard let left = recording.position(of: .leftHip, at: index),
      let right = recording.position(of: .rightHip, at: index)
    else { return nil }
    return recording.position(of: joint, at: index).map { $0 - left.midpoint(right) }
  }

  /// The factor by which bodies get the size of the reference body.
  func scale() throws -> Double {
    let bodies = Self.frames.indices.map { frame in
      var limbs: [Joint: Vector3] = [:]
      for joint in Skeleton.vision3d.joints { limbs[joint] = position(joint, frame) }
      return BodyPose(limbs: limbs)
    }
    return try #require(ReferenceBody.metersPerUnit(of: bodies))
  }

  func expected(_ joint: Joint, _ frame: Int, in space: LibraryDump.Space) throws -> Vector3? {
    guard let p = position(joint, frame) else { return nil }
    let pixel = Vector3(540 + 500 * p.x, 960 - 500 * p.y, 0)
    return switch space {
    case .meters: p
    case .scaled: p * (try scale())
    case .world(let hips): p + hips
    case .shares: Vector3(pixel.x / 1080, 1 - pixel.y / 1920, 0)
    case .pixels: pixel
    }
  }
}

@Suite("Built-in maps, on files as libraries write them") struct BuiltInMapTests {
  @Test("Every built-in map has a file")
  func all() {
    let ready = TableMap.ready.filter { $0.map.poseNet == nil }
    #expect(Set(LibraryDump.all.map(\.map)) == Set(ready.map(\.name)))
  }

  @Test(
    "Joints are where they were within rounding, and missing where they were missing",
    arguments: LibraryDump.all)
  func positions(dump: LibraryDump) throws {
    let recording = try dump.sequence().recording
    let bodies = try DumpedBodies()
    let map = try #require(TableMap.ready.first { $0.name == dump.map }?.map)
    #expect(recording.frameCount == (dump.showsNobody ? 4 : 3))
    var compared = 0
    for frame in 0..<recording.frameCount {
      #expect(recording.hasPose(at: frame) == (frame < 3))
      for joint in map.joints.keys {
        let found = recording.position(of: joint, at: frame)
        guard let expected = try bodies.expected(joint, frame, in: dump.space) else {
          #expect(found == nil, "\(joint.name), frame \(frame)")
          continue
        }
        let tolerance = if case .pixels = dump.space { 0.01 } else { 0.0003 }
        #expect(distance(found, expected) < tolerance, "\(joint.name), frame \(frame)")
        compared += 1
      }
    }
    #expect(compared >= 35)
  }

  @Test("Times start at 0 and are those of the file's clock", arguments: LibraryDump.all)
  func times(dump: LibraryDump) throws {
    let times = try dump.sequence().recording.times
    // Without a clock, frames come 30 times a second.
    let expected = dump.tick == 0 ? (0..<4).map { Double($0) / 30 } : try DumpedBodies().times
    for (time, expected) in zip(times, expected) {
      #expect((time - expected).magnitude <= max(dump.tick, 1e-6), "\(time), \(expected)")
    }
  }

  @Test("Points of images keep their confidence", arguments: ["coco", "openpose"])
  func confidences(name: String) throws {
    let dump = try #require(LibraryDump.all.first { $0.map == name })
    let recording = try dump.sequence().recording
    #expect(recording.confidence(of: .leftElbow, at: 1) == 0.9)
    #expect(recording.position(of: .nose, at: 1) == nil)
  }

  @Test("Axes are the camera's or a world's, with sides as they are", arguments: LibraryDump.all)
  func header(dump: LibraryDump) throws {
    let header = try dump.sequence().recording.header
    let expected: FrameOfReference =
      switch dump.space {
      case .meters, .scaled: .camera
      case .world: .world
      case .shares, .pixels: .image
      }
    #expect(header.frame == expected && !header.isMirrored)
    if case .scaled = dump.space { #expect(header.bodyHeight == ReferenceBody.height) }
  }

  @Test("Doctor names the map of the file", arguments: LibraryDump.all)
  func doctor(dump: LibraryDump) throws {
    let diagnosis = try dump.diagnosis()
    #expect(diagnosis.builtInName == dump.map)
    #expect(diagnosis.isImportable, "\(diagnosis.problems)")
    #expect(
      diagnosis.conclusions.contains { $0.topic == "format" && $0.finding.contains(dump.map) })
  }

  @Test("A known format stays where bodies lie across it")
  func turned() throws {
    let dump = try #require(LibraryDump.all.first { $0.map == "mediapipe-ios" })
    let text = String(decoding: try dump.sources()[0].bytes, as: UTF8.self)
    // The camera was held on its side: what was x is y.
    let turned = text.replacing("\"x\":", with: "\"w\":").replacing("\"y\":", with: "\"x\":")
      .replacing("\"w\":", with: "\"y\":")
    let diagnosis = PoseDoctor.diagnose(NamedBytes("a.jsonl", turned))
    #expect(diagnosis.builtInName == "mediapipe-ios")
    #expect(diagnosis.problems.contains { !$0.isBlocking && $0.found.contains("rotated") })
  }

  @Test("Where bodies do not show which way is up, it is as the format has it")
  func lying() throws {
    let points = (0..<33).map { #"{"x":\#(Double($0) / 50),"y":0.01,"z":0.02,"visibility":1}"# }
    let lines = (0..<20).map {
      #"{"timestamp":\#($0 * 33),"worldLandmarks":[[\#(points.joined(separator: ","))]]}"#
    }
    let bytes = Array(lines.joined(separator: "\n").utf8)
    let diagnosis = PoseDoctor.diagnose(NamedBytes(name: "a.jsonl", bytes: bytes))
    let up = try #require(diagnosis.conclusions.first { $0.topic == "up" })
    #expect(up.finding == "the file's -y" || up.certainty != .unsure)
    #expect(diagnosis.map?.joints.count == 12)
  }
}

@Suite("Maps") struct TableMapTests {
  @Test(
    "A built-in map reads back as it was, and is known by its contents",
    arguments: TableMap.ready.map(\.name))
  func ready(name: String) throws {
    let map = try #require(TableMap.ready.first { $0.name == name }?.map)
    var expected = map
    let again = try TableMap(yaml: map.yaml, file: "m.yaml")
    expected.coordinates = again.coordinates
    #expect(again == expected)
    #expect(map.readyName == name)
    #expect(map.poseNet != nil || map.joints.count >= 12)
  }

  @Test(
    "A mistake is an error with its line",
    arguments: [
      ("table: 2\njoints: {root: r}", 1, "write the map again"),
      ("table: 1\nunit: m\njoints: {root: r}", 2, "did you mean `units`?"),
      ("table: 1\nunits: yards\njoints: {root: r}", 2, "m, cm, mm"),
      ("table: 1\naxes: [x, x, z]\njoints: {root: r}", 2, "different axes"),
      ("table: 1\naxes: [x, up, z]\njoints: {root: r}", 2, "each once"),
      ("table: 1\njoints:\n  leftHand: r", 3, "leftWrist"),
      ("table: 1\njoints:\n  root: \"a[\"", 3, "path of a field"),
      ("table: 1\njoints:\n  root: [x, y]", 3, "3 fields"),
      ("table: 1\njoints: {}", 1, "at least one joint"),
      ("table: 1\nframe: pelvis\njoints: {root: r}", 1, "camera_matrix"),
      ("table: 1\nlayout: rows\njoints: {root: r}", 1, "group"),
      ("table: 1\nrate_hz: 0\njoints: {root: r}", 2, "0.1 to 1000"),
      ("table: 1\nimage_size: big\njoints: {root: r}", 2, "1080x1920"),
      ("table: 1\nlabels: {field: l, classes: {C: plonk}}\njoints: {root: r}", 2, "plonk"),
    ])
  func mistakes(text: String, line: Int, words: String) throws {
    let error = try #require(throws: FieldError.self) { try TableMap(yaml: text, file: "m.yaml") }
    #expect(error.line == line, "\(error)")
    #expect("\(error)".contains(words), "\(error)")
  }
}
