import ArgumentParser
import Foundation
import PoseDatasets
import PoseModel
import Testing

@testable import PlankBench

@Suite("Joints of a moment")
struct DatasetJointsTests {
  private let folder = ScriptedDatasetFiles.folder.path

  @Test("A joint is at its parent's place plus its bone; all 17 are listed")
  func bones() throws {
    let joints = try listed("--at", "9")
    #expect(joints.count == 17)
    var positions: [String: Vector3] = [:]
    for joint in joints { positions[joint.name] = joint.position }
    for joint in joints where joint.name != joint.parent {
      let parent = try #require(positions[joint.parent])
      #expect((parent + joint.bone - joint.position).norm < 1e-6, "\(joint.name)")
    }
  }

  @Test("A point of the image is f x / -z and f y / -z pixels from the middle")
  func imagePoints() throws {
    let size = ["--focal-length", "1500", "--image-size", "1080x1920"]
    for joint in try listed(["--at", "9"] + size) {
      let (point, place) = (try #require(joint.image), joint.beforeCamera)
      #expect(abs(point[0] - (0.5 - 1500 * place.x / place.z / 1080)) < 1e-9, "\(joint.name)")
      #expect(abs(point[1] - (0.5 - 1500 * place.y / place.z / 1920)) < 1e-9, "\(joint.name)")
    }
    #expect(try listed("--at", "9").allSatisfy { $0.image == nil })
  }

  @Test("The groups of a joint are those of Vision that have it; a shoulder has two")
  func groups() throws {
    let joints = try listed("--at", "9")
    var members: [String: Set<String>] = [:]
    for joint in joints {
      for group in joint.groups { members[group, default: []].insert(joint.name) }
    }
    #expect(
      members == [
        "head": ["topHead", "centerHead"],
        "torso": [
          "leftShoulder", "centerShoulder", "rightShoulder", "spine", "leftHip", "root", "rightHip",
        ],
        "leftArm": ["leftShoulder", "leftElbow", "leftWrist"],
        "rightArm": ["rightShoulder", "rightElbow", "rightWrist"],
        "leftLeg": ["leftHip", "leftKnee", "leftAnkle"],
        "rightLeg": ["rightHip", "rightKnee", "rightAnkle"],
      ])
    #expect(joints.first { $0.name == "leftShoulder" }?.groups == ["torso", "leftArm"])
  }

  @Test("The picture has each joint at its point of the image, in the image's shape")
  func picture() throws {
    let file = NSTemporaryDirectory() + "joints-\(UUID().uuidString).svg"
    defer { try? FileManager.default.removeItem(atPath: file) }
    let joints = try listed([
      "--at", "9", "--focal-length", "1500", "--image-size", "1080x1920", "--picture", file,
    ])
    let svg = try String(contentsOfFile: file, encoding: .utf8)
    #expect(svg.contains("width=\"360\" height=\"640\""))
    let numbers = /cx="(?<x>[-0-9.]+)" cy="(?<y>[-0-9.]+)"/
    let drawn = svg.matches(of: numbers).compactMap { match in
      Double(match.x).flatMap { x in Double(match.y).map { (x: x, y: $0) } }
    }
    #expect(drawn.count == 17)
    for joint in joints {
      let point = try #require(joint.image)
      // Vision counts from the lower left corner, a picture from the upper left one.
      let (x, y) = (360 * point[0], 640 * (1 - point[1]))
      #expect(drawn.contains { abs($0.x - x) < 0.1 && abs($0.y - y) < 0.1 }, "\(joint.name)")
    }
  }

  @Test(
    "What cannot be listed is refused with what to do",
    arguments: [
      (["--sequence", "s04-pelvis"], 64 as Int32, "--at"),
      (["--at", "9"], 64, "--sequence"),
      (["--sequence", "s04-pelvis", "--at", "9", "--focal-length", "1500"], 64, "1080x1920"),
      (["--sequence", "s04-pelvis", "--at", "9", "--focal-length", "0"], 64, "pixels"),
      (["--sequence", "s04-pelvis", "--at", "9", "--picture", "a.svg"], 64, "--focal-length"),
      (["--sequence", "s01-floor", "--at", "9"], 65, "pelvis"),
    ])
  func refused(arguments: [String], status: Int32, word: String) throws {
    let command = try DatasetShow.parse([folder, "--joints"] + arguments)
    let error = try #require(throws: (any Error).self) { try command.outcome() }
    let failure = WorkflowFailure(translating: error)
    #expect(failure.status.rawValue == status && failure.message.contains(word), "\(failure)")
  }

  @Test("A size of an image is two whole numbers from 1 to 100,000 with an x between them")
  func sizes() {
    #expect(ImageSize("1080x1920") == ImageSize(width: 1080, height: 1920))
    for text in ["", "1080", "1080x", "x1920", "0x1920", "1080x1920x3", "a x b", "1080x100001"] {
      #expect(ImageSize(text) == nil, "\(text)")
    }
  }

  /// A joint as the JSON has it.
  private struct Joint: Decodable {
    let joint: String
    let groups: [String]
    let parent: String
    let positions: [Double]
    let localPositions: [Double]
    let places: [Double]
    let image: [Double]?

    enum CodingKeys: String, CodingKey {
      case joint
      case groups
      case parent
      case positions = "position_m"
      case localPositions = "local_position_m"
      case places = "before_camera_m"
      case image = "point_in_image"
    }

    var name: String { joint }
    var position: Vector3 { Vector3(positions[0], positions[1], positions[2]) }
    var bone: Vector3 { Vector3(localPositions[0], localPositions[1], localPositions[2]) }
    var beforeCamera: Vector3 { Vector3(places[0], places[1], places[2]) }
  }

  private struct Listing: Decodable { let joints: [Joint] }

  private func listed(_ arguments: String...) throws -> [Joint] { try listed(arguments) }

  private func listed(_ arguments: [String]) throws -> [Joint] {
    let start = [folder, "--sequence", "s04-pelvis", "--joints", "--format", "json"]
    let text = try DatasetShow.parse(start + arguments).outcome().text
    return try JSONDecoder().decode(Listing.self, from: Data(text.utf8)).joints
  }
}
