import PoseDatasets
import PoseModel
import Testing

@Suite("Missing values in landmark tables")
struct MissingValueTests {
  @Test(
    "A value that is empty or not finite makes its joint missing, in that frame alone",
    arguments: ["", "nan", "NaN", "inf", "-inf", "1e999", " "])
  func missingJoint(field: String) throws {
    let rows = [TableText.Row(replaced: ["left_wrist_z": field]), TableText.Row()]
    let sequence = try #require(try read(TableText(rows: rows)).first)
    #expect(sequence.recording.position(of: .leftWrist, at: 0) == nil)
    #expect(sequence.recording.position(of: .leftWrist, at: 1) != nil)
    #expect(sequence.recording.position(of: .rightWrist, at: 0) != nil)
    #expect(sequence.recording.hasPose(at: 0))
    #expect(sequence.notes.contains { $0.hasPrefix("1 joint positions are missing") })
  }

  @Test("A position too large for storage is missing and counted")
  func overflow() throws {
    let rows = [TableText.Row(replaced: ["left_wrist_z": "1e300"]), TableText.Row()]
    let sequence = try #require(try read(TableText(rows: rows)).first)
    #expect(sequence.recording.position(of: .leftWrist, at: 0) == nil)
    #expect(sequence.notes.contains { $0.hasPrefix("1 joint positions are missing") })
  }

  @Test("Without a hip the root is missing and the other joints stay where they were")
  func missingHip() throws {
    let gone = TableText.Row(shift: 0.001, replaced: ["left_hip_x": ""])
    let rows = [TableText.Row(), gone, TableText.Row(shift: 0.001)]
    let recording = try #require(try read(TableText(rows: rows)).first).recording
    #expect(recording.position(of: .root, at: 1) == nil)
    let moved = 0.001 * 0.779 * 1.8 / 0.5
    let expected = try #require(recording.position(of: .leftKnee, at: 0)) + Vector3(moved, 0, 0)
    #expect(distance(recording.position(of: .leftKnee, at: 1), expected) < 1e-6)
  }

  @Test("A clip that starts without a root takes the first root as its origin")
  func missingFirstRoot() throws {
    let rows = [TableText.Row(replaced: ["left_hip_x": ""]), TableText.Row()]
    let recording = try #require(try read(TableText(rows: rows)).first).recording
    let knees = (0...1).map { recording.position(of: .leftKnee, at: $0) }
    #expect(distance(knees[0], knees[1]) < 1e-6)
  }

  @Test("The size is the median over the frames that show the whole body")
  func medianSize() throws {
    let outlier = TableText.Row(replaced: ["left_ankle_x": "0.9", "right_ankle_x": "0.9"])
    let hidden = TableText.Row(replaced: ["left_ankle_x": "nan"])
    let rows = [outlier, hidden, TableText.Row(), TableText.Row()]
    let recording = try #require(try read(TableText(rows: rows)).first).recording
    let knee = try #require(recording.position(of: .leftKnee, at: 3))
    #expect(abs(knee.x - 0.125 * 0.779 * 1.8 / 0.5) < 1e-6)
  }

  @Test("A clip without a whole body is an error that reports its lines")
  func unscalable() throws {
    let hidden = TableText.Row(shift: 0.5, replaced: ["left_ankle_z": ""])
    let rows = [TableText.Row(), hidden, hidden]
    #expect(throws: PoseSourceError.unscalableBody(file: "tables/clip.csv", lines: 3...4)) {
      try read(TableText(rows: rows))
    }
  }

  @Test("A row without a landmark is a frame without a pose, also where no row has one")
  func nobody() throws {
    let gone = TableText.Row(
      replaced: Dictionary(
        uniqueKeysWithValues: TableText.body.flatMap { body in
          ["x", "y", "z"].map { ("\(body.name)_\($0)", "") }
        }))
    let some = try #require(try read(TableText(rows: [TableText.Row(), gone])).first)
    #expect(some.recording.hasPose(at: 0) && !some.recording.hasPose(at: 1))
    #expect(some.notes.contains("rows without a landmark, frames without a pose: 1"))
    #expect(!some.notes.contains { $0.contains("are missing") })
    let none = try #require(try read(TableText(rows: [gone, gone])).first)
    #expect(none.recording.frameCount == 2)
    #expect(!none.recording.hasPose(at: 0) && !none.recording.hasPose(at: 1))
    #expect(!none.notes.contains { $0.hasPrefix("scaled") })
  }

  @Test("A body without length is an error")
  func pointBody() throws {
    let point = Dictionary(
      uniqueKeysWithValues: TableText.body.flatMap { body in
        ["x", "y", "z"].map { ("\(body.name)_\($0)", "0.5") }
      })
    #expect(throws: PoseSourceError.unscalableBody(file: "tables/clip.csv", lines: 2...2)) {
      try read(TableText(rows: [.init(replaced: point)]))
    }
  }
}
