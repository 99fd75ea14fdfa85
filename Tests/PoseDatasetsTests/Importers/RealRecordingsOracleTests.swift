import Foundation
import PoseDatasets
import PoseModel
import TestSupport
import Testing

@Suite(
  "Published counts of the motion capture",
  .enabled(if: RealRecordings.isAvailable, "set PLANKLAB_RECORDINGS"))
struct PublishedMotionOracleTests {
  private static let expected: [(String, [String: Int])] = [
    ("crawl", ["forearm": 177]),
    ("getup_facedown", ["reverse": 51, "high": 47, "forearm": 17, "none": 68]),
    ("walk", ["none": 39]),
  ]

  private static let views: [View] = [
    View(), View(isReflected: true), View(rotation: "x=35"), View(rotation: "1,2,3=160"),
    View(rotation: "z=-90", isReflected: true),
  ]

  struct View: Sendable {
    var rotation: String?
    var isReflected = false
  }

  @Test(
    "The published rules give the known answers, also rotated and reflected",
    arguments: expected, views)
  func answers(motion: (String, [String: Int]), view: View) throws {
    let options = DeepMimicOptions(
      rotation: try view.rotation.map { try AxisRotation($0) }, isReflected: view.isReflected)
    let sequence = try #require(try RealRecordings.motion(motion.0, options: options))
    #expect(RealRecordings.publishedAnswers(sequence.recording) == motion.1)
  }

  @Test(
    "Frames follow each other at the published rates", arguments: [("crawl", 60.0), ("walk", 30)])
  func rates(motion: String, rate: Double) throws {
    let sequence = try #require(try RealRecordings.motion(motion, options: DeepMimicOptions()))
    let interval = try #require(sequence.recording.medianFrameInterval)
    #expect(abs(1 / interval.value - rate) < 0.01)
  }
}

@Suite(
  "Published clips of the exercise tables",
  .enabled(if: RealRecordings.isAvailable, "set PLANKLAB_RECORDINGS"))
struct PublishedSegmentOracleTests {
  private static let tables = [
    "history/dataset2_61c2bcbe.csv", "history/bad_data_high_hip_ea8b7740.csv",
    "history/bad_data_73de3907.csv", "history/dataset4_35310590.csv", "kaggle.csv",
  ]

  @Test("Clips end where the published list ends them", arguments: tables)
  func clips(table: String) throws {
    let clips = try RealRecordings.clips(table)
    let published = try PublishedSegment.of(table)
    #expect(clips.map(\.recording.frameCount) == published.map(\.rows))
  }

  @Test("Hip and elbow angles agree with the published ones to their rounding", arguments: tables)
  func angles(table: String) throws {
    for (clip, segment) in zip(try RealRecordings.clips(table), try PublishedSegment.of(table)) {
      // The list has the sides as the mirrored images showed them.
      let side = segment.visibleSide == "left" ? "right" : "left"
      let angles = try #require(SideAngles(clip.recording, side: side))
      #expect(abs(angles.hip - segment.medianHipAngle) <= 0.0501, "\(clip.name)")
      #expect(abs(angles.elbow - segment.medianElbowAngle) <= 0.501, "\(clip.name)")
    }
  }

  @Test(
    "Tables without arms give bodies without arms, which the published rules leave undetermined",
    arguments: ["negatives/squat_train.csv", "negatives/lunge_stage_test.csv"])
  func withoutArms(table: String) throws {
    for clip in try RealRecordings.clips(table) {
      let answers = RealRecordings.publishedAnswers(clip.recording)
      #expect(answers == ["undetermined": clip.recording.frameCount])
    }
  }

  @Test("The stills of 33 landmarks are read one by one, in proportion")
  func stills() throws {
    let stills = try RealRecordings.read(
      "kalatz/train.csv", by: "datasets/pushup-photos.map.yaml")
    #expect(stills.allSatisfy { $0.recording.times == [0] })
    #expect(stills.count { $0.tags["source_label"] == "pushups_up" } == 115)
    #expect(stills.count { $0.labels.segments.first?.plank == .high } == 115)
    #expect(stills.allSatisfy { $0.recording.header.joints.count == 14 })
  }
}

/// A row of the published list of smooth clips.
struct PublishedSegment {
  let rows: Int
  let visibleSide: String
  let medianHipAngle: Double
  let medianElbowAngle: Double

  static func of(_ file: String) throws -> [PublishedSegment] {
    let text = try RealRecordings.file("exercise-correction/segments.csv").text
    return text.split(separator: "\n").map { $0.split(separator: ",") }
      .filter { $0[0] == file }.compactMap { fields in
        guard let rows = Int(fields[3]), let hip = Double(fields[7]), let elbow = Double(fields[8])
        else { return nil }
        return PublishedSegment(
          rows: rows, visibleSide: String(fields[6]), medianHipAngle: hip, medianElbowAngle: elbow)
      }
  }
}

/// The angles of the published list: of one side, not between middles as in our measurements.
struct SideAngles {
  let hip: Double
  let elbow: Double

  /// The medians over a recording.
  ///
  /// The hip angle is the one between shoulder and ankle, 360 minus it where the hip stands above
  /// the straight line from shoulder to ankle.
  init?(_ recording: Recording, side: String) {
    var hips: [Double] = []
    var elbows: [Double] = []
    for frame in 0..<recording.frameCount {
      func joint(_ part: String) -> Vector3? {
        Joint(name: side + part).flatMap { recording.position(of: $0, at: frame) }
      }
      guard let shoulder = joint("Shoulder"), let elbow = joint("Elbow"),
        let wrist = joint("Wrist"), let hip = joint("Hip"), let ankle = joint("Ankle")
      else { return nil }
      let angle = (shoulder - hip).angleDegrees(to: ankle - hip)
      let line = ankle - shoulder
      let foot = shoulder + line * ((hip - shoulder).dot(line) / line.dot(line))
      hips.append(hip.y > foot.y ? 360 - angle : angle)
      elbows.append((shoulder - elbow).angleDegrees(to: wrist - elbow))
    }
    self.hip = Self.median(hips)
    self.elbow = Self.median(elbows)
  }

  private static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}

/// Public recordings beside the project, found through `PLANKLAB_RECORDINGS`.
///
/// The variable names a folder with `exercise-correction`, `kalatz` and `deepmimic`; without it
/// the tests that need them are skipped.
enum RealRecordings {
  static let folder = ProcessInfo.processInfo.environment["PLANKLAB_RECORDINGS"]
  static var isAvailable: Bool { folder != nil }

  static func file(_ path: String) throws -> NamedText {
    let url = URL(fileURLWithPath: folder ?? "").appendingPathComponent(path)
    return try NamedText(name: path, bytes: Array(Data(contentsOf: url)))
  }

  static func clips(_ path: String) throws -> [ImportedSequence] {
    try read(
      "exercise-correction/" + path, by: "datasets/exercise-correction/clips.map.yaml",
      labels: ["*=none"])
  }

  static func read(
    _ path: String, by map: String, labels: [String] = []
  ) throws -> [ImportedSequence] {
    let map = try TableMap(yaml: Repository.text(map), file: map)
    let options = TableOptions(map: map, labels: try LabelMap(labels))
    let file = NamedBytes(name: path, bytes: Array(try file(path).text.utf8))
    return try TableSource(options: options).sequences(from: [file])
  }

  static func motion(_ name: String, options: DeepMimicOptions) throws -> ImportedSequence? {
    let files = try ["skeleton", name].map { try file("deepmimic/humanoid3d_\($0).txt") }
    return try DeepMimicSource(options: options).sequences(from: files).first
  }

  /// How often the published rules answer what, frame by frame, with gravity's axes.
  static func publishedAnswers(_ recording: Recording) -> [String: Int] {
    var counts: [String: Int] = [:]
    for frame in 0..<recording.frameCount {
      let joints = recording.header.joints.compactMap { joint in
        recording.position(of: joint, at: frame).map { p in (joint.name, SIMD3(p.x, p.y, p.z)) }
      }
      let up = recording.axes(at: frame).map { SIMD3($0.up.x, $0.up.y, $0.up.z) }
      let pose = OraclePose(
        time: recording.times[frame], joints: Dictionary(uniqueKeysWithValues: joints), up: up,
        height: recording.bodyHeight(at: frame)?.value)
      let detector = OracleDetector.gravity
      let label = detector.label(detector.plank, OracleMeasurements(pose, axes: .gravity))
      counts[label ?? "undetermined", default: 0] += 1
    }
    return counts
  }
}
