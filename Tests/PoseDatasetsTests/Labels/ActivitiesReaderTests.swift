import PoseDatasets
import PoseModel
import Testing

@Suite("Reading activities")
struct ActivitiesReaderTests {
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

  @Test("A file of a header alone, or with blank lines after it, says nothing")
  func empty() throws {
    #expect(try read("").tracks.isEmpty)
    #expect(try read("\r\r\n\t \r").tracks.isEmpty)
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
      ("a,0,1,\n", 2, .notAnActivity(found: "")),
      ("a,0,1, x\n", 2, .notAnActivity(found: " x")),
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
    #expect(throws: DatasetError.self) {
      try read("a,0,1,\(String(repeating: "x", count: 101))\n")
    }
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

@Suite("Datasets with activities")
struct DatasetActivitiesTests {
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
  /// What follows the last slash.
  fileprivate var lastPart: String { split(separator: "/").last.map(String.init) ?? "" }
}
