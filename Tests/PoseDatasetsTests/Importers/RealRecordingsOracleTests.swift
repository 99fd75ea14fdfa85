import Foundation
import PoseModel
import TestSupport
import Testing

@testable import PoseDatasets

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

/// The landmarks of the films as programs of others would save them.
@Suite(
  "Films as other programs write them",
  .enabled(if: RealRecordings.isAvailable, "set PLANKLAB_RECORDINGS"))
struct FilmDumpTests {
  enum Form: String, CaseIterable {
    case tasks
    case named3D
    case pixels
  }

  private static let size = ImageSize(width: 1280, height: 720)
  private static let named: [(column: String, name: String)] = [
    ("nose", "nose"), ("left_shoulder", "leftShoulder"), ("right_shoulder", "rightShoulder"),
    ("left_elbow", "leftElbow"), ("right_elbow", "rightElbow"), ("left_wrist", "leftWrist"),
    ("right_wrist", "rightWrist"), ("left_hip", "leftHip"), ("right_hip", "rightHip"),
    ("left_knee", "leftKnee"), ("right_knee", "rightKnee"), ("left_ankle", "leftAnkle"),
    ("right_ankle", "rightAnkle"),
  ]

  /// A table of landmarks: x, y, z and visibility of 33 points after three other columns.
  struct Film {
    let names: [String]
    let rows: [(seconds: String, points: [[Substring]]?)]

    init(_ path: String) throws {
      let lines = try RealRecordings.file(path).text.split(whereSeparator: \.isNewline)
        .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
      let names = lines[0].dropFirst(3).filter { $0.hasSuffix("_x") }.map { String($0.dropLast(2)) }
      self.names = names
      rows = lines.dropFirst().map { fields in
        let points = names.indices.map { Array(fields[(3 + 4 * $0)..<(7 + 4 * $0)]) }
        return (String(fields[1]), points[0][0].isEmpty ? nil : points)
      }
    }

    func list(_ points: [[Substring]]?) -> String {
      guard let points else { return "[]" }
      let texts = points.map {
        "{\"x\":\($0[0]),\"y\":\($0[1]),\"z\":\($0[2]),\"visibility\":\($0[3])}"
      }
      return "[[\(texts.joined(separator: ","))]]"
    }
  }

  private func text(_ form: Form, _ name: String) throws -> String {
    let (world, image) = (
      try Film("films/landmarks/\(name)"), try Film("films/image-landmarks/\(name)")
    )
    let frames = zip(world.rows, image.rows).map { world3D, image2D -> String in
      guard form != .tasks else {
        let milliseconds = ((Double(world3D.seconds) ?? 0) * 1000).rounded()
        return "{\"timestamp_ms\":\(milliseconds),\"pose_landmarks\":\(image.list(image2D.points)),"
          + "\"pose_world_landmarks\":\(world.list(world3D.points))}"
      }
      let points = form == .pixels ? image2D.points : world3D.points
      let joints = Self.named.compactMap { column, name -> String? in
        guard let index = world.names.firstIndex(of: column), let point = points?[index] else {
          return nil
        }
        let numbers =
          form == .named3D
          ? point.prefix(3).map(String.init)
          : [
            "\((Double(point[0]) ?? 0) * Double(Self.size.width))",
            "\((Double(point[1]) ?? 0) * Double(Self.size.height))",
          ]
        return "\"\(name)\":[\(numbers.joined(separator: ","))]"
      }
      return "{\"t\":\(world3D.seconds),\"joints\":{\(joints.joined(separator: ","))}}"
    }
    return form == .tasks
      ? "[\(frames.joined(separator: ","))]" : frames.map { $0 + "\n" }.joined()
  }

  @Test("Up is never wrong and sure; where it is unsure, the right one is listed, mostly first")
  func up() throws {
    let all = try RealRecordings.names("films/landmarks")
    let step = all.count / Draws.seeds(all.count).count
    let names = all.indices.filter { $0.isMultiple(of: step) }.map { all[$0] }
    #expect(all.count == 85)
    for form in Form.allCases {
      var (sure, first) = (0, 0)
      for name in names {
        let diagnosis = PoseDoctor.diagnose(
          NamedBytes("dump.json", try text(form, name)),
          imageSize: form == .pixels ? Self.size : nil)
        let up = try #require(
          diagnosis.conclusions.first { $0.topic == "up" }, "\(form) \(name)")
        let isRight = ["the file's -y", "y points down"].contains(up.finding)
        sure += isRight && up.certainty == .sure ? 1 : 0
        first += isRight ? 1 : 0
        #expect(isRight || up.certainty != .sure, "\(form) \(name): \(up.finding)")
        #expect(up.alternatives.count <= 3)
        #expect(
          isRight || up.alternatives.contains { $0.hasPrefix("-y:") },
          "\(form) \(name): \(up.alternatives)")
        if form == .tasks {
          #expect(diagnosis.map?.axes.map(\.text) == ["x", "-y", "-z"], "\(name)")
        }
      }
      print("films as \(form): \(first) of \(names.count) right, \(sure) sure")
      #expect(all.count * first >= (form == .tasks ? all.count : 80) * names.count, "\(form)")
    }
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

  static func names(_ path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: (folder ?? "") + "/" + path)
      .filter { $0.hasSuffix(".csv") }.sorted()
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
    let file = NamedBytes(path, try file(path).text)
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
