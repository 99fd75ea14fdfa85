import PoseDatasets
import PoseModel
import Testing

@Suite("Label files")
struct LabelsReaderTests {
  private static let header = "start,end,plank,form\n"

  @Test("Segments arrive with their lines; gaps are legal")
  func segments() throws {
    let text = Self.header + "0,1.5,none,\n1.5,2,high,sag\n3,4e0,ignore,\n4,5.25,sideLeft,\n"
    let file = try LabelsReader.read(text: text, name: "a")
    #expect(
      file.track.segments == [
        LabeledSegment(start: Seconds(0), end: Seconds(1.5), plank: PlankClass.none),
        LabeledSegment(start: Seconds(1.5), end: Seconds(2), plank: .high, form: .sag),
        LabeledSegment(start: Seconds(3), end: Seconds(4), plank: nil),
        LabeledSegment(start: Seconds(4), end: Seconds(5.25), plank: .sideLeft),
      ])
    #expect(file.lines == [2, 3, 4, 5])
    #expect(file.notes == [])
  }

  @Test("Every class name is read", arguments: PlankClass.allCases)
  func planks(plank: PlankClass) throws {
    let file = try LabelsReader.read(text: Self.header + "0,1,\(plank.name),\n", name: "a")
    #expect(file.track.segments.first?.plank == plank)
  }

  @Test("A header without rows is a track without segments")
  func headerOnly() throws {
    #expect(try LabelsReader.read(text: Self.header, name: "a").track.segments == [])
  }

  @Test("A byte-order mark, carriage returns and a blank last line are read and noted")
  func notes() throws {
    let text = "\u{FEFF}start,end,plank,form\r\n0,1,high,\r\n\r\n"
    let file = try LabelsReader.read(text: text, name: "a")
    #expect(
      file.notes == [
        .byteOrderMark, .carriageReturns(firstLine: 1, count: 3),
        .blankLastLines(firstLine: 3, count: 1),
      ])
    #expect(file.track.segments.count == 1)
  }

  @Test(
    "Blank last lines may hold spaces, tabs and carriage returns", arguments: ["\r\r\n", "\t \r"])
  func blankEnd(line: String) throws {
    let file = try LabelsReader.read(text: Self.header + "0,1,high,\n" + line, name: "a")
    #expect(file.track.segments.count == 1)
    #expect(file.notes.last == .blankLastLines(firstLine: 3, count: 1))
  }

  @Test(
    "A bad row is reported with its line and problem",
    arguments: [
      ("0,1,high,\n0.5,2,none,\n", 3, LabelsProblem.segment(.overlaps)),
      ("1,2,high,\n0,1,none,\n", 3, .segment(.outOfOrder)),
      ("1,1,high,\n", 2, .segment(.endsBeforeItStarts)),
      ("1e999,2,high,\n", 2, .segment(.notFinite)),
      ("0,1,none,sag\n", 2, .segment(.formWithoutPlank)),
      ("0,1,ignore,sag\n", 2, .segment(.formWithoutPlank)),
      ("0,1,,sag\n", 2, .unknownName(column: "plank", found: "", allowed: allowedPlanks)),
      ("0,1,High,\n", 2, .unknownName(column: "plank", found: "High", allowed: allowedPlanks)),
      (
        "0,1,high,flat\n", 2,
        .unknownName(column: "form", found: "flat", allowed: ["aligned", "sag", "pike", "nothing"])
      ),
      ("0,1,high\n", 2, .wrongFieldCount(found: 3)),
      ("0,1,high,sag,\n", 2, .wrongFieldCount(found: 5)),
      ("0x1,2,high,\n", 2, .notANumber(column: "start", found: "0x1")),
      ("0,nan,high,\n", 2, .notANumber(column: "end", found: "nan")),
      ("0, 1,high,\n", 2, .notANumber(column: "end", found: " 1")),
    ])
  func badRow(rows: String, line: Int, problem: LabelsProblem) {
    let error = #expect(throws: DatasetError.self) {
      try LabelsReader.read(text: Self.header + rows, name: "a")
    }
    #expect(error == .invalidLabels(file: "a", line: line, problem: problem))
    #expect(error?.description.hasPrefix("a:\(line): ") == true)
    #expect(error?.remedy.isEmpty == false)
  }

  @Test(
    "Any other header is refused",
    arguments: ["start,end,plank", "start, end, plank, form", "0,1,high,", "Start,End,Plank,Form"])
  func badHeader(header: String) {
    let error = #expect(throws: DatasetError.self) {
      try LabelsReader.read(text: header + "\n", name: "a")
    }
    #expect(error == .invalidLabels(file: "a", line: 1, problem: .wrongHeader(found: header)))
  }

  @Test("An empty file, a blank line and bytes that are not UTF-8 are refused")
  func badText() {
    let empty = #expect(throws: DatasetError.self) { try LabelsReader.read(text: "", name: "a") }
    #expect(empty == .invalidLabels(file: "a", line: nil, problem: .empty()))
    let blank = #expect(throws: DatasetError.self) {
      try LabelsReader.read(text: Self.header + "\n0,1,high,\n", name: "a")
    }
    #expect(blank == .invalidText(file: "a", line: 2, problem: .blankLine))
    let bytes = #expect(throws: DatasetError.self) {
      try LabelsReader.read(bytes: Array(Self.header.utf8) + [0xFF], name: "a")
    }
    #expect(bytes == .invalidText(file: "a", line: 2, problem: .notUTF8))
  }

  @Test("A missing label file and a folder are different errors")
  func missing() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/a.labels.csv"
    #expect(throws: DatasetError.missingFile(path: path)) { try LabelsReader.read(path: path) }
    #expect(throws: DatasetError.directoryForFile(path: folder.path)) {
      try LabelsReader.read(path: folder.path)
    }
  }

  @Test("What is written is read back as it was")
  func roundTrip() throws {
    let track = try LabelTrack([
      LabeledSegment(start: Seconds(-0.1), end: Seconds(0.1 + 0.2), plank: .reverse, form: .pike),
      LabeledSegment(start: Seconds(0.1 + 0.2), end: Seconds(1e-5 + 1), plank: nil),
      LabeledSegment(start: Seconds(2), end: Seconds(3), plank: PlankClass.none),
    ])
    let text = LabelsWriter.text(of: track)
    #expect(try LabelsReader.read(text: text, name: "a").track == track)
    #expect(text.hasPrefix("start,end,plank,form\n-0.1,0.30000000000000004,reverse,pike\n"))
  }
}

private let allowedPlanks = PlankClass.allCases.map(\.name) + ["ignore"]
