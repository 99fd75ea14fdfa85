import PoseModel
import Testing

@testable import PoseDatasets

@Suite("Faults of landmark tables")
struct MediaPipeErrorTests {
  private static let line1 = SourcePlace(file: "t.csv", line: 1)

  /// A table of two rows in which a piece of text is replaced.
  private func table(replacing old: String, with new: String) -> String {
    TableText(rows: [.init(), .init()]).text.replacing(old, with: new, maxReplacements: 1)
  }

  private func error(_ text: String) throws -> PoseSourceError {
    try #require(throws: PoseSourceError.self) { try read(text: text) }
  }

  @Test("A table without rows is an error", arguments: ["", "\n", "label,nose_x", "label\n\n"])
  func empty(text: String) throws {
    #expect(try error(text) == .emptyTable(file: "t.csv"))
  }

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
    #expect(
      try error(table.text) == .missingLandmarks(Self.line1, ["left_knee", "right_knee"]))
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
    #expect(throws: PoseSourceError.repeatedName("t-001")) {
      try source.sequences(from: files)
    }
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
