import PoseDatasets
import PoseModel
import Testing

@Suite("Tables of landmarks with times")
struct TableTimesTests {
  /// A table with a column of times before the label.
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
