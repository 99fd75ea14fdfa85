import PoseDatasets
import PoseModel
import Testing

@Suite("Division of tables into sequences")
struct TableDivisionTests {
  private func counts(_ rows: [TableText.Row], above step: Double) throws -> [Int] {
    try read(TableText(rows: rows), division: .clips(stepAbove: step))
      .map(\.recording.frameCount)
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
