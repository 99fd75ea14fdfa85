import PoseModel
import Testing

@testable import PoseDatasets

@Suite("What stands for joints that were not found")
struct FillerTests {
  private static let joints: [Joint] = [.leftWrist, .rightWrist, .leftElbow, .leftHip]

  private static func frames(_ filler: Vector3) -> [[Joint: Vector3]] {
    (0..<20).map { frame in
      var pose: [Joint: Vector3] = [.root: Vector3(0, 0, 0)]
      for (index, joint) in joints.enumerated() {
        let isMissing = (frame + index).isMultiple(of: 5)
        pose[joint] = isMissing ? filler : Vector3(0.1 * Double(index) + 0.01, Double(frame), 0.3)
      }
      return pose
    }
  }

  @Test(
    "A value that several joints share exactly is a filler",
    arguments: [(Vector3(9999, 9999, 9999), "9999"), (Vector3(0, 0, -1), "[0, 0, -1]")])
  func values(filler: Vector3, text: String) {
    #expect(FillerSearch(Self.frames(filler)).found.map(\.filler.text) == [text])
  }

  @Test("Positions of bodies, and a root at the origin, are none")
  func bodies() {
    let frames = Self.frames(Vector3(0.5, 0.5, 0.5)).map { $0.filter { $0.value.x != 0.5 } }
    #expect(FillerSearch(frames).found.isEmpty)
  }

  @Test("A map keeps them, and what repeats")
  func map() throws {
    let text = "table: 1\nmissing: [9999, [0, 1, 0]]\nrepeats: 3\njoints: {leftHip: a}\n"
    let map = try TableMap(yaml: text, file: "map.yaml")
    #expect(map.fillers == [PoseFiller([9999]), PoseFiller([0, 1, 0])])
    #expect(map.longestRepeat == 3)
    #expect(try TableMap(yaml: map.yaml, file: "map.yaml") == map)
  }
}
