import Foundation
import PoseModel
import TestSupport
import Testing

@testable import PoseDatasets

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

  private func diagnose(_ text: String) -> PoseDiagnosis {
    PoseDoctor.diagnose(NamedBytes(name: "dump.jsonl", bytes: Array(text.utf8)))
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
      ("trackingState", "\"Tracked\"", "\"NotTracked\""), ("confidence", "\"high\"", "\"none\""),
    ])
  func states(name: String, good: String, bad: String) throws {
    let dump = text(joint: { frame, index, position in
      "{\"position\":\(position),\"\(name)\":\(index == 11 && frame % 3 == 0 ? bad : good)}"
    })
    let diagnosis = diagnose(dump)
    let map = try #require(diagnosis.map)
    let source = TableSource(options: TableOptions(map: map))
    let sequences = try source.sequences(
      from: [NamedBytes(name: "dump.jsonl", bytes: Array(dump.utf8))])
    let recording = try #require(sequences.first?.recording)
    #expect(recording.position(of: .leftWrist, at: 0) == nil)
    #expect(recording.position(of: .leftWrist, at: 1) != nil)
  }

  @Test("A flag of a frame says whether it has a pose")
  func presence() throws {
    let dump = text {
      ",\"poseDetected\":\($0 % 4 != 0)"
    } joint: { _, _, position in
      position
    }
    let map = try #require(diagnose(dump).map)
    #expect(map.presence?.text == "poseDetected")
    #expect(try TableMap(yaml: map.yaml, file: "map.yml").presence == map.presence)
  }

  @Test("Frames of two cameras are two recordings")
  func cameras() throws {
    let dump = text {
      ",\"camera\":\"\($0 % 2 == 0 ? "left" : "right")\""
    } joint: {
      $2
    }
    let map = try #require(diagnose(dump).map)
    #expect(map.layout.recordings?.text == "camera")
    let source = TableSource(options: TableOptions(map: map))
    let sequences = try source.sequences(
      from: [NamedBytes(name: "dump.jsonl", bytes: Array(dump.utf8))])
    #expect(sequences.map(\.recording.frameCount) == [30, 30])
  }

  @Test("Bodies in frames of their own are people")
  func bodies() throws {
    let dump = text {
      ",\"body_id\":\($0 % 3 == 0 ? 7 : 4)"
    } joint: {
      $2
    }
    let map = try #require(diagnose(dump).map)
    let source = TableSource(options: TableOptions(map: map))
    let sequences = try source.sequences(
      from: [NamedBytes(name: "dump.jsonl", bytes: Array(dump.utf8))])
    #expect(sequences.map(\.recording.frameCount) == [40])
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
