import Foundation
import PoseModel
import TestSupport
import Testing

@testable import PoseDatasets

@Suite("What the numbers of points are") struct PointNumbersTests {
  private static let coco: [Joint?] = [
    nil, nil, nil, nil, nil, .leftShoulder, .rightShoulder, .leftElbow, .rightElbow, .leftWrist,
    .rightWrist, .leftHip, .rightHip, .leftKnee, .rightKnee, .leftAnkle, .rightAnkle,
  ]

  /// Points of an image of 1920 x 1080 in the order of COCO, from a recording that stands and planks.
  private static func text(
    point: (_ x: Double, _ y: Double, _ frame: Int, _ joint: Int) -> [Double]
  ) throws -> String {
    let path = Repository.file("datasets/scripted/s01-floor.poses.jsonl").path
    let recording = try RecordingReader.read(path: path).recording
    var frames: [String] = []
    for frame in stride(from: 0, to: recording.frameCount, by: 3) {
      let root = recording.position(of: .root, at: frame)
      guard let root else { continue }
      let points = coco.enumerated().map { index, joint -> String in
        let place = joint.flatMap { recording.position(of: $0, at: frame) } ?? root
        let own = point(960 + place.x * 420, 600 - place.y * 420, frame, index)
        return "[" + own.map { "\($0)" }.joined(separator: ",") + "]"
      }
      frames.append(
        "{\"time\":\(recording.times[frame]),\"keypoints\":[\(points.joined(separator: ","))]}")
    }
    return "[" + frames.joined(separator: ",\n") + "]"
  }

  private static let size = ImageSize(width: 1920, height: 1080)

  @Test("A percentage is a score and no depth, with its scale in the map")
  func percent() throws {
    let text = try Self.text { x, y, frame, joint in
      frame % 10 == 0 ? [x + 300, y, 2] : [x, y, Double(80 + (frame * 7 + joint * 5) % 19)]
    }
    let blocked = diagnose(text)
    #expect(
      !blocked.isImportable && blocked.problems.first?.remedy.contains("--image-size") == true)
    let map = try #require(diagnose(text, size: Self.size).map)
    #expect(map.skeleton == .coco17)
    #expect(map.confidence?.scale == .number(100))
    #expect(map.confidence.map { (0.03...0.79).contains($0.floor) } == true)
    #expect(try TableMap(yaml: map.yaml, file: "map").confidence == map.confidence)
  }

  @Test("Logarithms of odds are unsure, and unlikely joints are missing")
  func logits() throws {
    let text = try Self.text { x, y, frame, joint in
      joint == 9
        ? [x, y, -6 - Double(frame % 7) / 7] : [x, y, 3 + Double((frame + joint) % 9) / 9]
    }
    let diagnosis = diagnose(text, size: Self.size)
    let map = try #require(diagnosis.map)
    #expect(map.confidence?.scale == .logit)
    #expect(map.confidence.map { (0.01...0.9).contains($0.floor) } == true)
    #expect(diagnosis.found("confidence")?.certainty == .unsure)
  }

  @Test("A score of -1 stands for a missing joint, wherever its coordinates are")
  func negative() throws {
    let text = try Self.text { x, y, frame, joint in
      joint == 9 && frame % 2 == 0
        ? [x * 3, y, -1] : [x, y, 0.8 + Double((frame + joint) % 9) / 50]
    }
    let map = try #require(diagnose(text, size: Self.size).map)
    #expect(map.skeleton == .coco17)
    #expect(map.confidence?.scale == .number(1))
  }

  @Test("Levels of confidence are scores, and 0 is missing")
  func levels() throws {
    let text = try Self.text { x, y, frame, joint in
      joint == 9 && frame % 2 == 0 ? [x * 3, y, 0] : [x, y, Double(1 + joint % 2)]
    }
    #expect(try #require(diagnose(text, size: Self.size).map).confidence?.scale == .number(2))
  }

  @Test("Points around 0 are refused")
  func centered() throws {
    let text = try Self.text { x, y, _, _ in [(x - 960) / 960, (y - 540) / 540] }
    let problem = diagnose(text, size: Self.size).problems.first
    #expect(problem?.remedy.contains("(x + 1) / 2") == true, "\(problem?.found ?? "")")
  }

  @Test("A score in front of the coordinates is found")
  func first() throws {
    let text = try Self.text { x, y, frame, joint in
      [0.7 + Double((frame * 3 + joint) % 11) / 50, x, y]
    }
    let map = try #require(diagnose(text, size: Self.size).map)
    guard case .fields(let fields)? = map.joints[.leftHip] else {
      Issue.record("no fields")
      return
    }
    #expect(fields.map(\.text) == ["keypoints[11][1]", "keypoints[11][2]", "keypoints[11][0]"])
  }

  @Test("Row and column are told from images that are turned, with the other as an alternative")
  func rowFirst() throws {
    let text = try Self.text { x, y, _, joint in [y / 1080, x / 1920, 0.9 - Double(joint) / 100] }
    let diagnosis = diagnose(text, size: Self.size)
    let map = try #require(diagnosis.map)
    #expect(map.axes.map(\.text) == ["y", "-x"])
    #expect(diagnosis.found("up")?.certainty == .unsure)
    #expect(diagnosis.found("up")?.alternatives.first?.contains("[-y, -x]") == true)
    #expect(map.uprightImageSize == Self.size)
  }

  @Test("Sides of the image that were exchanged are seen in stretched bodies")
  func exchanged() throws {
    let text = try Self.text { x, y, _, joint in [x / 1920, y / 1080, 0.9 - Double(joint) / 100] }
    let right = diagnose(text, size: Self.size)
    #expect(right.isImportable && right.found("proportions") == nil)
    let wrong = diagnose(text, size: ImageSize(width: 1080, height: 1920)).found("proportions")
    #expect(wrong?.certainty == .unsure)
    #expect(wrong?.alternatives.first?.contains("--image-size 1920x1080") == true)
  }

  @Test("Shares of a person's own box are refused")
  func crops() throws {
    var boxes: [Int: (low: (Double, Double), high: (Double, Double))] = [:]
    _ = try Self.text { x, y, frame, _ in
      let box = boxes[frame] ?? ((x, y), (x, y))
      boxes[frame] = (
        (min(box.low.0, x), min(box.low.1, y)), (max(box.high.0, x), max(box.high.1, y))
      )
      return [x, y]
    }
    let text = try Self.text { x, y, frame, joint in
      let box = boxes[frame] ?? ((0, 0), (1, 1))
      let (width, height) = (box.high.0 - box.low.0, box.high.1 - box.low.1)
      return [(x - box.low.0) / width, (y - box.low.1) / height, 0.9 - Double(joint) / 99]
    }
    let diagnosis = diagnose(text, size: Self.size)
    #expect(!diagnosis.isImportable)
    #expect(diagnosis.problems.first?.found.contains("box") == true)
  }

  /// A table of named joints in meters, y up.
  private static func table(_ change: (Int, Vector3) -> Vector3) throws -> String {
    let path = Repository.file("datasets/scripted/s01-floor.poses.jsonl").path
    let recording = try RecordingReader.read(path: path).recording
    var lines = [
      (["t"] + Skeleton.vision3d.joints.flatMap { joint in "xyz".map { "\(joint.name)_\($0)" } })
        .joined(separator: ",")
    ]
    for frame in stride(from: 0, to: recording.frameCount, by: 2) {
      let cells = Skeleton.vision3d.joints.flatMap { joint -> [String] in
        guard let place = recording.position(of: joint, at: frame) else { return ["", "", ""] }
        let p = change(frame, place)
        return ["\(p.x)", "\(p.y)", "\(p.z)"]
      }
      lines.append((["\(recording.times[frame])"] + cells).joined(separator: ","))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  @Test("A unit that changes half-way is refused with the frame")
  func unitChange() throws {
    let text = try Self.table { frame, p in frame < 300 ? p : p * 100 }
    let diagnosis = diagnose(text)
    #expect(diagnosis.problems.first?.found.contains("unit changes") == true)
    #expect(!diagnosis.isImportable)
    #expect(diagnose(try Self.table { $1 }).isImportable)
  }

  @Test(
    "A floor that leans is unsure, with the direction of those who stand",
    arguments: [(0.0, ""), (20, "-0.3"), (45, "-0.7")])
  func lean(degrees: Double, x: String) throws {
    let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
    let text = try Self.table { Vector3(c * $1.x - s * $1.y, s * $1.x + c * $1.y, $1.z) }
    let floor = diagnose(text).found("floor")
    #expect((floor?.certainty == .unsure) == (degrees > 0))
    #expect(degrees == 0 || floor?.alternatives.first?.contains("`up: [\(x)") == true)
  }

  @Test(
    "Words for no number, and units behind names",
    arguments: ["NA", "#N/A", "-1.#IND", "1.#QNAN"])
  func spellings(nothing: String) throws {
    let text = try Self.table { frame, p in frame.isMultiple(of: 9) ? Vector3(0, 0, .nan) : p }
      .replacing("0.0,0.0,nan", with: [nothing, nothing, nothing].joined(separator: ","))
    #expect(text.contains(nothing))
    #expect(diagnose(text).isImportable)
    for unit in [" (m)", "[m]"] {
      var lines = try Self.table { $1 }.split(separator: "\n").map(String.init)
      lines[0] = lines[0].replacing(",", with: unit + ",") + unit
      #expect(diagnose(lines.joined(separator: "\n")).isImportable, "\(unit)")
    }
  }

  @Test("Frames in another order than their clock are refused")
  func shuffled() throws {
    var lines = try Self.table { $1 }.split(separator: "\n")
    let frames = lines.dropFirst()
    let count = frames.count
    lines = [lines[0]] + (0..<count).map { frames[1 + $0 * 113 % count] }
    #expect(!count.isMultiple(of: 113))
    let diagnosis = diagnose(lines.joined(separator: "\n"))
    #expect(!diagnosis.isImportable)
    #expect(diagnosis.problems.contains { $0.remedy.contains("sort them by `t`") })
  }

  @Test("Sides in different units are refused")
  func sides() throws {
    var lines = try Self.table { $1 }.split(separator: "\n").map(String.init)
    let isLeft = lines[0].split(separator: ",").map { $0.hasPrefix("left") }
    lines =
      [lines[0]]
      + lines.dropFirst().map { line in
        let cells = line.split(separator: ",", omittingEmptySubsequences: false)
        return zip(cells, isLeft).map { cell, isLeft in
          isLeft ? Double(cell).map { "\(1000 * $0)" } ?? "" : String(cell)
        }.joined(separator: ",")
      }
    let diagnosis = diagnose(lines.joined(separator: "\n"))
    #expect(!diagnosis.isImportable)
    #expect(diagnosis.problems.contains { $0.found.contains("different units") })
  }

  @Test("Ticks of a clock are no microseconds for sure")
  func ticks() throws {
    let lines = try Self.table { $1 }.split(separator: "\n").enumerated().map { index, line in
      let rest = line.drop { $0 != "," }
      // Steps that are all the same would be a counter's.
      let ticks = 24_000_000_000 + 800_000 * index + 9_000 * (index % 3)
      return index == 0 ? "machTime" + rest : "\(ticks)" + rest
    }
    let time = diagnose(lines.joined(separator: "\n")).found("time")
    #expect(time?.certainty == .unsure)
    #expect(time?.alternatives.contains { $0.contains("timescale") } == true)
  }

  @Test("Noise around 0 is no joint")
  func noise() throws {
    let text = try Self.text { x, y, frame, joint in
      (frame + joint) % 9 == 0 ? [Double(frame % 7) * 1e-7, Double(joint) * 1e-7] : [x, y]
    }
    let map = try #require(diagnose(text, size: Self.size).map)
    #expect(map.fillers.contains(.zero))
  }

  @Test("Huge lines and headers are refused at once", arguments: [2_000_000, 20_000])
  func huge(count: Int) {
    let diagnosis = diagnose(String(repeating: ",", count: count))
    #expect(!diagnosis.isImportable)
    #expect(
      diagnosis.problems.first?.found.contains(count > 1 << 20 ? "line of" : "columns") == true)
  }
}

@Suite("Points that are not positions") struct PointMeaningTests {
  private static let body: [(name: String, x: Double, y: Double)] = [
    ("rightHip", -0.1, 0), ("leftHip", 0.1, 0), ("rightKnee", -0.1, -0.4), ("leftKnee", 0.1, -0.4),
    ("rightAnkle", -0.1, -0.8), ("leftAnkle", 0.1, -0.8), ("rightShoulder", -0.2, 0.5),
    ("leftShoulder", 0.2, 0.5), ("rightElbow", -0.2, 0.2), ("leftElbow", 0.2, 0.2),
    ("rightWrist", -0.2, 0), ("leftWrist", 0.2, 0),
  ]

  /// Frames with the fields that `joint` writes for every joint of a standing body.
  private func text(
    frame fields: (Int) -> String = { _ in "" },
    joint: (_ frame: Int, _ index: Int, _ position: String) -> String
  ) -> String {
    (0..<60).map { frame in
      let joints = Self.body.enumerated().map { index, one in
        let sway = 0.01 * sin(Double(frame) / 5)
        let position = "[\(one.x + sway),\(one.y),\(0.1 * one.y)]"
        return "\"\(one.name)\":" + joint(frame, index, position)
      }
      let time = "\"t\":\(Double(frame) / 30)"
      return "{\(time)\(fields(frame)),\"joints\":{\(joints.joined(separator: ","))}}\n"
    }.joined()
  }

  private func quaternion(_ number: Int) -> String {
    let angle = 1.7 * Double(number)
    return "[\(0.6 * sin(angle)),\(0.6 * cos(angle)),\(0.8 * sin(angle)),\(0.8 * cos(angle))]"
  }

  @Test(
    "Positions are taken, not rotations or velocities beside them",
    arguments: [
      "rotation", "orientation", "quat", "eulerAngles", "acceleration", "velocity", "direction",
    ])
  func positionsBesideOthers(name: String) throws {
    let diagnosis = diagnose(
      text(joint: { "{\"\(name)\":\(quaternion($0 + $1)),\"position\":\($2)}" }))
    let place = try #require(diagnosis.map?.joints[.leftWrist])
    #expect(place == .point(try #require(FieldPath("joints.leftWrist.position"))))
  }

  @Test("Quaternions alone are refused")
  func quaternionsOnly() {
    let diagnosis = diagnose(text(joint: { frame, index, _ in quaternion(frame + index) }))
    #expect(!diagnosis.isImportable)
    #expect(diagnosis.problems.contains { $0.found.contains("quaternions") })
  }

  @Test("Angles alone are refused")
  func anglesOnly() {
    let diagnosis = diagnose(text(joint: { _, _, position in "{\"angles\":\(position)}" }))
    #expect(diagnosis.problems.contains { $0.isBlocking && $0.found.contains("angles") })
  }

  @Test("The head of a bone is its joint, its tail is not")
  func headsAndTails() throws {
    let diagnosis = diagnose(text(joint: { "{\"tail\":[0,\($1),\($0)],\"head\":\($2)}" }))
    let place = try #require(diagnosis.map?.joints[.leftKnee])
    #expect(place.paths.first?.text == "joints.leftKnee.head")
  }

  @Test(
    "A flag or state beside a position makes a joint missing",
    arguments: [
      ("isTracked", "true", "false"), ("trackingState", "2", "0"), ("occluded", "false", "true"),
      ("trackingState", "\"Tracked\"", "\"NotTracked\""), ("confidence", "\"High\"", "\"None\""),
      ("confidence", "2", "0"), ("confidence", "\"80%\"", "\"0%\""),
    ])
  func states(name: String, good: String, bad: String) throws {
    let dump = text(joint: { frame, index, position in
      "{\"position\":\(position),\"\(name)\":\(index == 11 && frame % 3 == 0 ? bad : good)}"
    })
    let diagnosis = diagnose(dump)
    let map = try #require(diagnosis.map)
    let recording = try map.recording(in: dump)
    #expect(recording.position(of: .leftWrist, at: 0) == nil)
    #expect(recording.position(of: .leftWrist, at: 1) != nil)
  }

  @Test("A flag of a frame says whether it has a pose")
  func presence() throws {
    let dump = text(frame: { ",\"poseDetected\":\($0 % 4 != 0)" }, joint: { $2 })
    let map = try #require(diagnose(dump).map)
    #expect(map.presence?.text == "poseDetected")
    #expect(try TableMap(yaml: map.yaml, file: "map.yml").presence == map.presence)
  }

  @Test("Frames of two cameras are two recordings")
  func cameras() throws {
    let dump = text(frame: { ",\"camera\":\"\($0 % 2 == 0 ? "left" : "right")\"" }, joint: { $2 })
    let map = try #require(diagnose(dump).map)
    #expect(map.layout.recordings?.text == "camera")
    #expect(try map.recordings(in: dump).map(\.frameCount) == [30, 30])
  }

  @Test("Trials, views and kinds of frames within one clock are one recording")
  func oneClock() throws {
    let trials = text(frame: { ",\"trial\":\($0 / 20)" }, joint: { $2 })
    let kinds = text(frame: { ",\"type\":\"\($0 % 5 == 0 ? "I" : "P")\"" }, joint: { $2 })
    for dump in [trials, kinds] {
      #expect(try #require(diagnose(dump).map).layout.recordings == nil)
    }
  }

  @Test("Bodies in frames of their own are people")
  func bodies() throws {
    let dump = text(frame: { ",\"body_id\":\($0 % 3 == 0 ? 7 : 4)" }, joint: { $2 })
    let map = try #require(diagnose(dump).map)
    #expect(try map.recordings(in: dump).map(\.frameCount) == [40])
  }

  @Test(
    "In a rig, the arm's bone begins at the shoulder",
    arguments: [
      ["LeftShoulder", "LeftUpperArm", "LeftLowerArm"], ["LShoulder", "LUArm", "LFArm"],
      ["LeftShoulder", "LeftArm", "LeftForeArm"],
    ])
  func rigs(names: [String]) {
    let joints = JointNames(names + ["LHipJoint", "LeftUpLeg"])
    #expect(names.map { joints[$0] } == [nil, .leftShoulder, .leftElbow])
    #expect(joints["LeftUpLeg"] == .leftHip)
  }
}
