import PoseModel
import Testing

@testable import PoseDatasets

@Suite("Faults of landmark tables") struct MediaPipeErrorTests {
  private static let line1 = SourcePlace(file: "t.csv", line: 1)

  private func table(replacing old: String, with new: String) -> String {
    TableText(rows: [.init(), .init()]).text.replacing(old, with: new, maxReplacements: 1)
  }

  private func error(_ text: String) throws -> PoseSourceError {
    try #require(throws: PoseSourceError.self) { try read(text: text) }
  }

  @Test("A table without rows is an error", arguments: ["", "\n", "label,nose_x", "label\n\n"])
  func empty(text: String) throws { #expect(try error(text) == .emptyTable(file: "t.csv")) }

  @Test("A repeated column is an error, also with the other order or case of its name")
  func repeatedColumn() throws {
    #expect(
      try error(table(replacing: "nose_v", with: "nose_x"))
        == .repeatedColumn(Self.line1, column: "nose_x"))
    #expect(
      try error(table(replacing: "nose_v", with: "x_nose"))
        == .repeatedColumn(Self.line1, column: "x_nose"))
    #expect(
      try error(table(replacing: "nose_v", with: "LABEL"))
        == .repeatedColumn(Self.line1, column: "LABEL"))
  }

  @Test("A table without a label column is an error that lists the possible columns")
  func noLabel() throws {
    let error = try error(table(replacing: "label", with: "what"))
    guard case .noLabelColumn(Self.line1, let expected, let columns) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(expected == ["label", "pose", "class"])
    #expect(columns.first == "what")
  }

  @Test("A label column of another name can be given")
  func labelColumn() throws {
    let options = try MediaPipeOptions(labels: LabelMap(["*=none"]), labelColumn: "What")
    let text = table(replacing: "label", with: "what")
    let sequences = try MediaPipeSource(options: options)
      .sequences(from: [NamedText(name: "t.csv", text: text)])
    #expect(sequences.count == 1)
  }

  @Test("A joint with only some of its coordinates is an error that lists the others")
  func incomplete() throws {
    #expect(
      try error(table(replacing: "left_wrist_z", with: "left_wrist_depth"))
        == .incompleteLandmark(Self.line1, landmark: "left_wrist", missing: ["z"]))
  }

  @Test("A table whose bodies cannot be scaled is an error that lists the missing joints")
  func noLegs() throws {
    let table = TableText(without: ["left_knee", "right_knee"], rows: [.init()])
    #expect(try error(table.text) == .missingLandmarks(Self.line1, ["left_knee", "right_knee"]))
  }

  @Test("A row with another number of fields is an error with its line")
  func fieldCount() throws {
    let text = TableText(rows: [.init(), .init()]).text
    let place = SourcePlace(file: "t.csv", line: 4)
    #expect(try error(text + "C,1,2\n") == .wrongFieldCount(place, found: 3, expected: 53))
    #expect(try error(text + "\n" + "C,1\n") == .wrongFieldCount(place, found: 1, expected: 53))
  }

  @Test("A coordinate that is not a number is an error with line and column")
  func notANumber() throws {
    let text = table(replacing: "\nC,0.125", with: "\nC,0.1.25")
    let place = SourcePlace(file: "t.csv", line: 2)
    #expect(try error(text) == .notANumber(place, column: "nose_x", found: "0.1.25"))
  }

  @Test("Labels without a class are an error that counts all labels and shows how to map one")
  func unmapped() throws {
    let rows = ["C", "L", "L", "up"].map { TableText.Row(label: $0) }
    let error = try #require(throws: PoseSourceError.self) {
      try read(TableText(rows: rows), labels: ["up=none"])
    }
    #expect(
      error.description
        == "tables/clip.csv: no class is given for `L`, `C`; the labels are `L` (2 rows), "
        + "`C` (1 row), `up` (1 row). Map one as in `L=forearm/sag` or `L=none`, omit one "
        + "with `=ignore`, or give one class to all others with `*=none`")
  }

  @Test("Files of the same name would give sequences of the same name, which is an error")
  func repeatedNames() throws {
    let source = try MediaPipeSource(options: MediaPipeOptions(labels: LabelMap(["*=none"])))
    let text = TableText(rows: [.init()]).text
    let files = ["a/t.csv", "b/t.csv"].map { NamedText(name: $0, text: text) }
    #expect(throws: PoseSourceError.repeatedName("t-001")) { try source.sequences(from: files) }
  }

  @Test(
    "Rates and clip breaks that cannot be are errors", arguments: [0, -1, 2000, .nan, .infinity])
  func rates(value: Double) throws {
    #expect(throws: PoseSourceError.self) {
      try MediaPipeOptions(labels: LabelMap(), frameRate: Hertz(value))
    }
    guard !(value > 0 && value.isFinite) else { return }
    #expect(throws: PoseSourceError.self) {
      try MediaPipeOptions(labels: LabelMap(), division: .clips(stepAbove: value))
    }
  }
}

@Suite("Missing values in landmark tables") struct MissingValueTests {
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

@Suite("Division of tables into sequences") struct TableDivisionTests {
  private func counts(_ rows: [TableText.Row], above step: Double) throws -> [Int] {
    try read(TableText(rows: rows), division: .clips(stepAbove: step)).map(\.recording.frameCount)
  }

  /// A row whose body is moved by the same distance in x and in y.
  private func moved(by distance: Double, except kept: Int = 0) -> TableText.Row {
    var replaced: [String: String] = [:]
    for (name, position) in TableText.body.dropFirst(kept) {
      replaced[name + "_x"] = "\(position.x + distance)"
      replaced[name + "_y"] = "\(position.y + distance)"
    }
    return TableText.Row(replaced: replaced)
  }

  @Test("A clip ends where the median step is above the limit, not where it equals it")
  func limit() throws {
    let rows = [moved(by: 0), moved(by: 0.25), moved(by: 0.75), moved(by: 0.75)]
    #expect(try counts(rows, above: 0.25) == [2, 2])
    #expect(try counts(rows, above: 0.5) == [4])
    #expect(try counts(rows, above: 0.125) == [1, 1, 2])
  }

  @Test("The median is over x and y of all landmarks, those without a joint included")
  func median() throws {
    // 13 landmarks have 26 steps; 12 or 14 of them are large here.
    #expect(try counts([moved(by: 0), moved(by: 0.5, except: 7)], above: 0.125) == [2])
    #expect(try counts([moved(by: 0), moved(by: 0.5, except: 6)], above: 0.125) == [1, 1])
  }

  @Test("An even number of steps has the mean of the two in the middle as its median")
  func evenMedian() throws {
    // Only x moves: 13 of 26 steps are 0.5, the middle ones are 0 and 0.5.
    let rows = [TableText.Row(), TableText.Row(shift: 0.5)]
    #expect(try counts(rows, above: 0.25) == [2])
    #expect(try counts(rows, above: 0.2) == [1, 1])
  }

  @Test("A missing value hides no jump behind it")
  func missingRow() throws {
    let nothing = Dictionary(
      uniqueKeysWithValues: TableText.body.flatMap { body in
        ["x", "y", "z"].map { ("\(body.name)_\($0)", "") }
      })
    let rows = [moved(by: 0), TableText.Row(replaced: nothing), moved(by: 0.5)]
    #expect(try counts(rows, above: 0.125) == [2, 1])
  }

  @Test("Stills are sequences of one frame at time 0 with one label")
  func stills() throws {
    let rows = ["up", "down", "up"].map { TableText.Row(label: $0) }
    let sequences = try read(
      TableText(labelColumn: "pose", rows: rows), labels: ["up=high", "*=none"], division: .stills)
    #expect(sequences.map(\.name) == ["clip-001", "clip-002", "clip-003"])
    #expect(sequences.allSatisfy { $0.recording.times == [0] })
    let planks = sequences.flatMap { $0.labels.segments.map(\.plank) }
    #expect(planks == [.high, PlankClass.none, .high])
    #expect(sequences.allSatisfy { $0.labels.segments.first?.end == Seconds(0.033333) })
    #expect(sequences.allSatisfy { !$0.notes.contains { $0.hasPrefix("times") } })
  }

  @Test("Every still is scaled by its own body")
  func stillSizes() throws {
    let sequences = try read(
      TableText(rows: [.init(), moved(by: 0.125)]), division: .stills)
    let shoulders = sequences.map { $0.recording.position(of: .centerShoulder, at: 0) }
    #expect(distance(shoulders[0], shoulders[1]) < 1e-6)
  }
}

@Suite("Tables of landmarks with times")
struct TableTimesTests {
  private func file(
    _ times: [String], name: String = "tables/clip.csv", shifts: [Double] = []
  ) -> NamedText {
    let rows = times.indices.map {
      TableText.Row(shift: shifts.isEmpty ? Double($0) / 1000 : shifts[$0])
    }
    let lines = TableText(rows: rows).text.split(separator: "\n")
    let timed = zip(["Seconds"] + times, lines).map { "\($0),\($1)\n" }
    return NamedText(name: name, text: timed.joined())
  }

  private func read(
    _ file: NamedText, column: String? = "seconds", output: LandmarkOutput = .positions
  ) throws -> [ImportedSequence] {
    try MediaPipeSource(
      options: try MediaPipeOptions(
        labels: LabelMap(["*=none"]), timeColumn: column, output: output)
    ).sequences(from: [file])
  }

  @Test("Frames have the times of their rows, and the labels end with the last frame")
  func times() throws {
    for output in [LandmarkOutput.positions, .imagePoints] {
      let sequence = try #require(try read(file(["1.5", "1.75", "2.0"]), output: output).first)
      #expect(sequence.recording.times == [1.5, 1.75, 2])
      #expect(sequence.recording.header.nominalRate == nil)
      #expect(sequence.labels.segments.map(\.start.value) == [1.5])
      #expect(sequence.labels.segments.map(\.end.value) == [2.25])
    }
  }

  @Test("Without the option, the column is one of those that are not read")
  func unread() throws {
    let sequence = try #require(try read(file(["9", "x", "1"]), column: nil).first)
    #expect(sequence.recording.times.map { $0 * 30 }.map { $0.rounded() } == [0, 1, 2])
  }

  @Test("Another clip may begin at any time")
  func clips() throws {
    let sequences = try read(file(["5", "6", "1", "2"], shifts: [0, 0.001, 0.5, 0.501]))
    #expect(sequences.map(\.recording.times) == [[5, 6], [1, 2]])
  }

  @Test(
    "A row without a usable time is an error with its line",
    arguments: [("x", 3), ("", 3), ("nan", 3), ("1e99", 3), ("1", 3), ("0.5", 3)])
  func mistakes(time: String, line: Int) {
    let error = #expect(throws: PoseSourceError.self) { try read(file(["1", time, "2"])) }
    #expect(error?.description.hasPrefix("tables/clip.csv:\(line): `seconds`") == true, "\(error)")
  }

  @Test("A column that is not there is an error that suggests one")
  func unknownColumn() {
    let error = #expect(throws: PoseSourceError.self) {
      try read(file(["1", "2"]), column: "secnds")
    }
    #expect(error?.description.contains("did you mean `Seconds`?") == true)
    #expect(throws: PoseSourceError.self) { try read(file(["1", "2"]), column: "label") }
  }

  @Test("A packed table has the name of the table")
  func packedName() throws {
    let sequence = try #require(try read(file(["1", "2"], name: "a/film.csv.gz")).first)
    #expect(sequence.name == "film-001" && sequence.tags["source"] == "film")
  }
}
