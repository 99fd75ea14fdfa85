import PoseModel
import Testing

@testable import PoseDatasets

@Suite("Sequences of 3DYoga90")
struct Yoga90SourceTests {
  private static let table = NamedText(
    name: "3DYoga90.csv",
    text: """
      sequence_id,url_id,url,frame_start,frame_end,sequence_duration,source_id,source,l1_pose_id,\
      l1_pose,l2_pose_id,l2_pose,l3_pose_id,l3_pose,collector_id,split
      1700,1530,https://example.org/a,159,163,4,1089,Alo Yoga,5,reclining,27,\
      reclining-plank-balance,178,plank,3,train
      1701,1531,https://example.org/b,46,49,3,1168,"Yoga, daily",1,standing,11,standing-straight,101,\
      mountain,3,test

      """)

  /// The twelve joints of a person who stands before the camera, as MediaPipe's world landmarks of a
  /// flipped image: y down, the person's left side at the left.
  private static func rows(frame: Int, dropping: Set<Int> = []) -> String {
    let sides: [(Int, Double, Double)] = [
      (11, 0.2, -0.5), (13, 0.3, -0.2), (15, 0.3, 0.1), (23, 0.1, 0), (25, 0.1, 0.4),
      (27, 0.1, 0.8),
    ]
    let joints = sides.flatMap { index, x, y in [(index, -x, y), (index + 1, x, y)] }
    return joints.filter { !dropping.contains($0.0) }
      .map { "\(frame),\(frame)-pose-\($0.0),pose,\($0.0),\($0.1),\($0.2),-0.25" }
      .joined(separator: "\n") + "\n"
  }

  private static let header = "frame,row_id,type,landmark_index,x,y,z\n"

  private static func landmarks(_ text: String, name: String = "landmarks/1700.csv") -> NamedText {
    NamedText(name: name, text: header + text)
  }

  private func sequences(
    _ files: [NamedText], isMirrored: Bool = true
  ) throws -> [ImportedSequence] {
    let labels = try LabelMap(["plank=high", "*=none"])
    return try Yoga90Source(options: Yoga90Options(labels: labels, isMirrored: isMirrored))
      .sequences(from: files)
  }

  private func error(_ files: [NamedText]) throws -> String {
    "\(try #require(throws: PoseSourceError.self) { try sequences(files) })"
  }

  @Test("A sequence is labeled by its pose, with its split and its channel as the person")
  func labels() throws {
    let standing = Self.landmarks(Self.rows(frame: 0), name: "1701.csv")
    let found = try sequences([
      Self.landmarks(Self.rows(frame: 0) + Self.rows(frame: 1)), Self.table, standing,
    ])
    #expect(found.map(\.name) == ["1700", "1701"])
    #expect(found.map { $0.labels.segments.map(\.plank) } == [[.high], [PlankClass.none]])
    #expect(found.map(\.split) == ["train", "test"])
    #expect(found.map(\.recording.header.subject) == ["channel-1089", "channel-1168"])
    #expect(
      found[0].tags == ["source": "3DYoga90", "pose": "plank", "kind": "reclining-plank-balance"])
    #expect(found[0].startsMid)
  }

  @Test("Axes become x right, y up, z toward the camera, and a flip is undone")
  func axes() throws {
    let recording = try #require(
      try sequences([Self.table, Self.landmarks(Self.rows(frame: 0))]).first
    ).recording
    // The path of 0.5, 0.4 and 0.4 becomes that of the reference body.
    let scale = 0.779 * 1.8 / 1.3
    let wrist = Vector3(0.3 * scale, -0.1 * scale, 0)
    #expect(distance(recording.position(of: .leftWrist, at: 0), wrist) > 0.1)
    #expect(distance(recording.position(of: .rightWrist, at: 0), wrist) < 1e-6)
    let shoulder = recording.position(of: .centerShoulder, at: 0)
    #expect(distance(shoulder, Vector3(0, 0.5 * scale, 0)) < 1e-6)
    let asIs = try #require(
      try sequences([Self.table, Self.landmarks(Self.rows(frame: 0))], isMirrored: false).first
    )
    .recording
    #expect(
      distance(asIs.position(of: .rightWrist, at: 0), wrist) < 1e-6)
  }

  @Test("Times follow the frame numbers, and what is missing stays missing")
  func missing() throws {
    let rows =
      Self.rows(frame: 4) + Self.rows(frame: 7, dropping: [15])
      + "9,9-pose-0,pose,0,0,0,0\n" + "9,9-face-1,face,1,0,0,0\n"
    let recording = try #require(
      try sequences([Self.table, Self.landmarks(rows)]).first
    ).recording
    #expect(recording.times == [0, 0.1, 0.166667])
    // Landmark 15 of a flipped image is the right wrist.
    #expect(recording.position(of: .rightWrist, at: 1) == nil)
    #expect(recording.position(of: .leftWrist, at: 1) != nil)
    #expect((0..<3).map(recording.hasPose) == [true, true, false])
  }

  @Test("Faults are named with their place and the nearest column")
  func faults() throws {
    let good = Self.landmarks(Self.rows(frame: 0))
    #expect(try error([good]).contains("without the table of sequences"))
    #expect(try error([Self.table]).contains("without landmarks"))
    #expect(try error([Self.table, Self.table]).contains("a second table"))
    let unknown = Self.landmarks(Self.rows(frame: 0), name: "99.csv")
    #expect(try error([Self.table, unknown]).contains("99.csv: the file's name is no number"))
    let misspelled = NamedText(
      name: "3DYoga90.csv", text: Self.table.text.replacing("l3_pose,", with: "13_pose,"))
    #expect(try error([misspelled, good]).contains("without `l3_pose` (did you mean "))
    let again = Self.landmarks(Self.rows(frame: 0) + "0,0-pose-11,pose,11,0,0,0\n")
    #expect(try error([Self.table, again]).contains("1700.csv:14: `landmark_index` is 11 again"))
    let short = Self.landmarks(Self.rows(frame: 0) + "1,2,pose\n")
    #expect(
      try error([Self.table, short]).contains("1700.csv:14: 3 fields, but the header has 7"))
    let text = Self.landmarks(Self.rows(frame: 0) + "x,0,pose,11,0,0,0\n")
    #expect(
      try error([Self.table, text]).contains("1700.csv:14: `frame` is `x`; give a whole number"))
    let legless = Self.landmarks(Self.rows(frame: 0, dropping: [27, 28]))
    #expect(try error([Self.table, legless]).contains("1700.csv:2: no frame of lines 2 to 11"))
  }
}
