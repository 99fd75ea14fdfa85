import PoseModel
import PoseRecording
import Testing

@testable import PoseDatasets

@Suite("People in names of fields")
struct PersonNameTests {
  private func diagnose(_ text: String, _ name: String = "t.csv") -> PoseDiagnosis {
    PoseDoctor.diagnose(
      NamedBytes(name: name, bytes: Array(text.utf8)),
      imageSize: ImageSize(width: 1080, height: 1920)
    )
  }

  private static let names =
    ["left_shoulder", "right_shoulder", "left_hip", "right_hip"]
    + ["left_knee", "right_knee", "left_ankle", "right_ankle"]

  @Test(
    "Names that say the person are told from those that say the space",
    arguments: [
      (["p1_%_x", "p1_%_y", "p2_%_x", "p2_%_y"], ["p1_*", "p2_*"]),
      (["person0_%_x", "person0_%_y", "person1_%_x", "person1_%_y"], ["person0_*", "person1_*"]),
      (["%_x_1", "%_y_1", "%_x_2", "%_y_2"], ["*_1", "*_2"]),
      (["%_1_x", "%_1_y", "%_2_x", "%_2_y"], ["*_1_*", "*_2_*"]),
      (["body1_%_x", "body1_%_y", "body2_%_x", "body2_%_y"], ["body1_*", "body2_*"]),
      (["ind1/%_x", "ind1/%_y", "ind2/%_x", "ind2/%_y"], ["ind1/*", "ind2/*"]),
      (["image_%_x", "image_%_y", "world_%_x", "world_%_y"], nil),
      (["cam1_%_x", "cam1_%_y", "cam2_%_x", "cam2_%_y"], nil),
      (["%_x", "%_y"], nil),
    ] as [([String], [String]?)])
  func names(patterns: [String], expected: [String]?) {
    let keys = Self.names.flatMap { name in patterns.map { $0.replacing("%", with: name) } }
    let values = keys.map { _ in JSONNode(.number(1), line: 1) }
    #expect(PersonNameSearch.names(keys, values)?.map(\.text) == expected)
  }

  @Test(
    "A field is called without its person",
    arguments: [
      ("p1_*", "p1_left_hip_x", "left_hip_x"), ("*_1", "left_hip_x_1", "left_hip_x"),
      ("*_1_*", "left_hip_1_x", "left_hip_x"), ("person1", "person1", "person"),
      ("p1_*", "p2_left_hip_x", nil), ("*_1", "left_hip_x_2", nil),
    ] as [(String, String, String?)])
  func fields(pattern: String, key: String, expected: String?) throws {
    let name = try #require(PersonName(text: pattern))
    #expect(name.field(key) == expected)
    #expect(name.text == pattern)
  }

  /// Somebody small who stands still, and in further columns somebody larger who moves.
  private static func rows(swapping: Int = 100) -> [String] {
    ImagePoints.frames.enumerated().map { index, frame in
      let small = frame.map { [100 + $0[0] / 8, 100 + $0[1] / 8] }
      let large = frame.map { Array($0.prefix(2)) }
      let people = index < swapping ? [small, large] : [large, small]
      return people.flatMap { $0 }.flatMap { $0 }.map { "\($0)" }.joined(separator: ",")
    }
  }

  @Test("The largest of two people in columns is followed where their columns are exchanged")
  func exchanged() throws {
    let header = ["p1", "p2"].flatMap { person in
      ImagePoints.names.flatMap { ["\(person)_\($0)_x", "\(person)_\($0)_y"] }
    }
    let text = ([header.joined(separator: ",")] + Self.rows(swapping: 20)).joined(separator: "\n")
    let diagnosis = diagnose(text)
    #expect(
      diagnosis.conclusions.contains { $0.topic == "people" && $0.finding.contains("2 people") })
    let map = try #require(diagnosis.map)
    #expect(map.people?.fields.map(\.text) == ["p1_*", "p2_*"])
    #expect(try TableMap(yaml: map.yaml, file: "map.yaml") == map)
    let file = NamedBytes(name: "t.csv", bytes: Array(text.utf8))
    for (person, x) in [(1, 475.0), (2, 100 + 475.0 / 8)] {
      let options = TableOptions(map: map, person: person)
      let recording = try #require(
        try TableSource(options: options).sequences(from: [file]).first?.recording)
      for frame in [0, 19, 20, 39] {
        let wrist = try #require(recording.position(of: .rightWrist, at: frame))
        let moved = Double(frame) / (person == 1 ? 1 : 8)
        #expect(abs(wrist.x * 1080 - x - moved) < 0.01)
      }
    }
  }

  @Test("Objects of people beside each other are people, also where one is absent")
  func objects() throws {
    let lines = ImagePoints.frames.enumerated().map { index, frame in
      func body(_ scale: Double) -> String {
        let joints = zip(ImagePoints.names, frame).map {
          "\"\($0)\":[\($1[0] * scale),\($1[1] * scale)]"
        }
        return "{\(joints.joined(separator: ","))}"
      }
      let second = index % 4 == 0 ? "" : ",\"person2\":\(body(1))"
      return "{\"t\":\(Double(index) / 30),\"person1\":\(body(0.1))\(second)}"
    }
    let map = try #require(diagnose(lines.joined(separator: "\n"), "t.jsonl").map)
    #expect(map.people?.fields.map(\.text) == ["person1", "person2"])
    #expect(map.joints[.leftHip] == .point(FieldPath([.key("person"), .key("left_hip")])))
  }
}
