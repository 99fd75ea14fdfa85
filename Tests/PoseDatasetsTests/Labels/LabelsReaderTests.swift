import PoseDatasets
import PoseModel
import TestSupport
import Testing

@Suite("Label files") struct LabelsReaderTests {
  private static let header = "start,end,plank,form\n"

  @Test("Segments arrive with their lines; gaps are legal")
  func segments() throws {
    let text = Self.header + "0,1.5,none,\n1.5,2,high,sag\n3,4e0,ignore,\n4,5.25,sideLeft,\n"
    let file = try LabelsReader.read(text: text, name: "a")
    #expect(
      file.track.segments == [
        LabeledSegment(0, 1.5, PlankClass.none),
        LabeledSegment(1.5, 2, .high, .sag),
        LabeledSegment(3, 4, nil),
        LabeledSegment(4, 5.25, .sideLeft),
      ])
    #expect(file.lines == [2, 3, 4, 5])
    #expect(file.notes == [])
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
      ), ("0,1,high\n", 2, .wrongFieldCount(found: 3)),
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
      LabeledSegment(-0.1, 0.1 + 0.2, .reverse, .pike),
      LabeledSegment(0.1 + 0.2, 1e-5 + 1, nil),
      LabeledSegment(2, 3, PlankClass.none),
    ])
    let text = LabelsWriter.text(of: track)
    #expect(try LabelsReader.read(text: text, name: "a").track == track)
    #expect(text.hasPrefix("start,end,plank,form\n-0.1,0.30000000000000004,reverse,pike\n"))
  }
}

private let allowedPlanks = PlankClass.allCases.map(\.name) + ["ignore"]

@Suite("Reading onsets") struct OnsetsReaderTests {
  private let labels: LabelTrack

  init() throws {
    let text = "start,end,plank,form\n0,1,none,\n2,3,high,aligned\n4,5,high,sag\n"
    labels = try LabelsReader.read(text: text, name: "l").track
  }

  private func read(_ rows: String) throws -> [LabelOnset] {
    try OnsetsReader.read(text: OnsetsReader.header + "\n" + rows, name: "o", of: labels).onsets
  }

  @Test("A row has a plank, a form or both, and is written as it was read")
  func rows() throws {
    let text = "1.25,high,\n3.5,,sag\n"
    let onsets = try read(text)
    #expect(
      onsets == [
        LabelOnset(time: Seconds(1.25), plank: .high), LabelOnset(time: Seconds(3.5), form: .sag),
      ])
    #expect(OnsetsWriter.text(of: onsets) == OnsetsReader.header + "\n" + text)
  }

  @Test(
    "What is wrong with a row is said with its line",
    arguments: [
      ("1.5,high\n", 2, LabelsProblem.wrongFieldCount(found: 2, header: OnsetsReader.header)),
      ("x,high,\n", 2, .notANumber(column: "time", found: "x")),
      (
        "1.5,ignore,\n", 2,
        .unknownName(
          column: "plank", found: "ignore", allowed: PlankClass.allCases.map(\.name) + ["nothing"])
      ),
      (
        "1.5,high,bad\n", 2,
        .unknownName(
          column: "form", found: "bad", allowed: FormClass.allCases.map(\.name) + ["nothing"])
      ), ("1.25,high,\n2.5,,sag\n", 3, .onset(.labeled)),
      ("1.25,reverse,\n", 2, .onset(.otherClass)),
    ])
  func wrongRows(rows: String, line: Int, problem: LabelsProblem) {
    #expect(throws: DatasetError.invalidLabels(file: "o", line: line, problem: problem)) {
      try read(rows)
    }
  }

  @Test("Another header is an error that states the right one")
  func header() {
    let error = #expect(throws: DatasetError.self) {
      try OnsetsReader.read(text: "start,end,plank,form\n", name: "o", of: labels)
    }
    #expect(
      error
        == .invalidLabels(
          file: "o", line: 1,
          problem: .wrongHeader(found: "start,end,plank,form", allowed: OnsetsReader.header)))
    #expect(error?.description.contains("allowed: `time,plank,form`") == true)
  }
}

@Suite("Datasets with onsets") struct DatasetOnsetsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      "sequences:\n  - {poses: a.poses.jsonl, labels: a.labels.csv, subject: s}\n",
      to: "dataset.yaml")
    try folder.write(
      SampleText.text(
        SampleText.header, SampleText.frame("0"), SampleText.frame("1"), SampleText.frame("2")),
      to: "a.poses.jsonl")
    try folder.write("start,end,plank,form\n0,1,none,\n2,3,high,\n", to: "a.labels.csv")
  }

  @Test("A file of onsets beside the labels is read with them, and is part of the labels' hash")
  func besideLabels() throws {
    let before = try DatasetHashes(of: DatasetReader(path: folder.path))
    try folder.write("time,plank,form\n1,high,\n", to: "a.onsets.csv")
    let dataset = try DatasetReader(path: folder.path)
    let sequence = try dataset.load(dataset.manifest.sequences[0])
    #expect(sequence.truth().codesWithOnsets(.plank) == [0, 2, 2])
    #expect(sequence.truth().plank == [0, FrameTruth.unlabeled, 2])
    let after = try DatasetHashes(of: dataset)
    #expect(after.labels != before.labels && after.poses == before.poses)
    #expect(try DatasetLint.findings(datasetAt: folder.path) == [])
  }

  @Test("An onset that does not fit is an error of the dataset, with file and line")
  func misfit() throws {
    try folder.write("time,plank,form\n1,reverse,\n", to: "a.onsets.csv")
    let findings = try DatasetLint.findings(datasetAt: folder.path)
    #expect(findings.map(\.code) == [.invalidLabels])
    #expect(findings.first?.line == 2 && findings.first?.file.hasSuffix("a.onsets.csv") == true)
    let dataset = try DatasetReader(path: folder.path)
    #expect(throws: DatasetError.self) { try dataset.load(dataset.manifest.sequences[0]) }
  }
}

@Suite("Reading activities") struct ActivitiesReaderTests {
  private static let entries = [
    SequenceEntry(posesPath: "a.poses.jsonl"), SequenceEntry(posesPath: "one/b.poses.jsonl"),
    SequenceEntry(posesPath: "two/b.poses.jsonl.gz"),
  ]

  private func read(_ rows: String) throws -> ActivitiesReader.File {
    try ActivitiesReader.read(
      text: ActivitiesReader.header + "\n" + rows, name: "activities.csv", of: Self.entries)
  }

  @Test("Rows of several sequences may be mixed, and a short name is enough where only one has it")
  func rows() throws {
    let file = try read("a,0,1,sitting\none/b,0.5,2,lying prone\na,1,1.5,standing\n")
    #expect(file.tracks.keys.sorted() == ["a", "one/b"])
    #expect(
      file.tracks["a"]?.segments == [
        ActivitySegment(start: Seconds(0), end: Seconds(1), name: "sitting"),
        ActivitySegment(start: Seconds(1), end: Seconds(1.5), name: "standing"),
      ])
    #expect(file.lines["a"] == [2, 4] && file.lines["one/b"] == [3])
  }

  @Test("A frame has the activity of the segment that covers it, up to its end and no further")
  func frames() throws {
    let track = try #require(try read("a,0,1,x\na,1,2,y\na,3,4,x\n").tracks["a"])
    #expect(track.names == ["x", "y"])
    #expect(track.activities(at: [-1, 0, 0.5, 1, 2, 3, 4]) == [nil, 0, 0, 1, nil, 0, nil])
  }

  @Test(
    "What is wrong with a row is said with its line",
    arguments: [
      ("a,0,1\n", 2, LabelsProblem.wrongFieldCount(found: 3, header: ActivitiesReader.header)),
      ("a,0,1,x,y\n", 2, .wrongFieldCount(found: 5, header: ActivitiesReader.header)),
      ("a,zero,1,x\n", 2, .notANumber(column: "start", found: "zero")),
      ("a,0,nan,x\n", 2, .notANumber(column: "end", found: "nan")),
      ("a,0,1,x\na,2,1,y\n", 3, .segment(.endsBeforeItStarts)),
      ("a,0,2,x\none/b,0,1,x\na,1,3,y\n", 4, .segment(.overlaps)),
      ("a,3,4,x\na,1,2,y\n", 3, .segment(.outOfOrder)),
      ("c,0,1,x\n", 2, .unknownSequence(found: "c", known: ["a", "one/b", "two/b"])),
      ("b,0,1,x\n", 2, .sharedSequenceName(found: "b", names: ["one/b", "two/b"])),
      ("a,0,1,\n", 2, .notAnActivity(found: "")), ("a,0,1, x\n", 2, .notAnActivity(found: " x")),
      ("a,0,1,\u{1B}[31m\n", 2, .notAnActivity(found: "\u{1B}[31m")),
    ])
  func wrongRows(rows: String, line: Int, problem: LabelsProblem) {
    let error = #expect(throws: DatasetError.self) { try read(rows) }
    #expect(error == .invalidLabels(file: "activities.csv", line: line, problem: problem))
    #expect(error?.remedy.isEmpty == false)
  }

  @Test("More activities than anybody can read are refused, and so is a name of any length")
  func many() {
    let rows = (0...ActivitiesReader.mostActivities).map { "a,\($0),\($0 + 1),x\($0)\n" }
    let error = #expect(throws: DatasetError.self) { try read(rows.joined()) }
    #expect(error?.line == ActivitiesReader.mostActivities + 2)
    #expect(throws: DatasetError.self) { try read("a,0,1,\(String(repeating: "x", count: 101))\n") }
  }

  @Test("Another header is an error that states the right one")
  func header() {
    let error = #expect(throws: DatasetError.self) {
      try ActivitiesReader.read(text: "sequence,activity\n", name: "f", of: Self.entries)
    }
    #expect(error?.description.contains("allowed: `sequence,start,end,activity`") == true)
    #expect(error?.line == 1)
  }
}

@Suite("Datasets with activities") struct DatasetActivitiesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try SampleDataset.make() }

  private func write(_ rows: String) throws {
    try folder.write(ActivitiesReader.header + "\n" + rows, to: ActivitiesReader.fileName)
  }

  @Test("The file beside the manifest is read with each sequence, and is part of the labels' hash")
  func besideManifest() throws {
    let before = try DatasetHashes(of: DatasetReader(path: folder.path))
    try write("a,0,2,sitting\nb,0,1,standing\n")
    let dataset = try DatasetReader(path: folder.path)
    let found = try dataset.manifest.sequences.map { try dataset.load($0).activities?.names }
    #expect(found == [["sitting"], ["standing"]])
    let one = dataset.only(dataset.manifest.sequences[1])
    #expect(try one.load(one.manifest.sequences[0]).activities?.names == ["standing"])
    let after = try DatasetHashes(of: dataset)
    #expect(after.labels != before.labels && after.poses == before.poses)
    #expect(after.manifest == before.manifest)
  }

  @Test("A mistake is an error of the dataset, and lint still checks everything else")
  func mistake() throws {
    try write("a,0,2,sitting\nc,0,1,standing\n")
    let error = #expect(throws: DatasetError.self) { try DatasetReader(path: folder.path) }
    #expect(error?.line == 3)
    try folder.write("start,end,plank,form\n2,1,high,\n", to: "a.labels.csv")
    let findings = try DatasetLint.findings(datasetAt: folder.path).filter { $0.severity == .error }
    #expect(Set(findings.map(\.file.lastPart)) == ["activities.csv", "a.labels.csv"])
  }

  @Test(
    "What lies outside the recording is a warning with its line",
    arguments: [("a,0,1,x\na,7,8,y\n", 3), ("a,1,90,x\n", 2), ("a,-5,0,x\n", 2)])
  func outside(rows: String, line: Int) throws {
    try write(rows)
    let findings = try DatasetLint.findings(datasetAt: folder.path).filter {
      $0.code == .activityOutside
    }
    #expect(findings.map(\.line) == [line] && findings[0].severity == .warning)
  }
}

extension String {
  fileprivate var lastPart: String { split(separator: "/").last.map(String.init) ?? "" }
}
