import PoseDatasets
import PoseModel
import Testing

@Suite("Label texts") struct LabelTextReaderTests {
  static let segments = [
    LabeledSegment(start: Seconds(0), end: Seconds(4.2), plank: PlankClass.none),
    LabeledSegment(start: Seconds(4.2), end: Seconds(5), plank: nil),
    LabeledSegment(start: Seconds(5), end: Seconds(31.5), plank: .forearm, form: .sag),
    LabeledSegment(start: Seconds(33), end: Seconds(40), plank: .high),
  ]

  /// The same labels in several formats.
  static let texts = [
    "0.000000\t4.200000\tnone\n4.200000\t5.000000\tignore\n5.0\t31.5\tforearm/sag\n33\t40\thigh\n",
    "0\t4.2\tnone\r\n\\\t100.0\t200.0\r\n4.2\t5\tignore\r\n5\t31.5\t forearm/sag \r\n33\t40\thigh",
    "start,end,label\n0,4.2,none\n4.2,5,ignore\n5,31.5,forearm/sag\n33,40,high\n",
    "\u{FEFF}Start,End,plank,form\r\n0,4.2,none,\r\n4.2,5,ignore,\r\n"
      + "5,31.5,forearm,sag\r\n33,40,high,\r\n",
    "note,label,end,start\n\"a, b\",none,4.2,0\n,ignore,5,4.2\n"
      + ",\"forearm/sag\",31.5,5\n,high,40,33\n",
  ]

  @Test("Audacity tracks and segment tables give the same labels", arguments: texts)
  func formats(text: String) throws { #expect(try read(text).segments == Self.segments) }

  @Test("Labels of another vocabulary get their meaning from the map, which wins")
  func map() throws {
    let labels = try LabelMap(["plank low=forearm/sag", "x=high", "none=ignore", "*=none"])
    let track = try read(
      "0\t1\tplank low\n1\t2\tx\n2\t3\tnone\n3\t4\tsideLeft\n4\t5\twalking\n", labels: labels)
    #expect(track.segments.map(\.plank) == [.forearm, .high, nil, .sideLeft, PlankClass.none])
    #expect(track.segments[0].form == .sag)
  }

  @Test("Columns can have any names")
  func columns() throws {
    let track = try read(
      "onset;,offset,pose,quality\n1,2,high,pike\n",
      columns: SegmentColumns(start: "onset;", end: "OFFSET", label: "pose", form: "quality"))
    #expect(
      track.segments == [
        LabeledSegment(start: Seconds(1), end: Seconds(2), plank: .high, form: .pike)
      ])
  }

  @Test("An offset moves every time, to the microsecond")
  func offset() throws {
    let track = try read("0.1\t0.3\thigh\n", offset: 0.2)
    #expect(track.segments[0].start.value == 0.3)
    #expect(track.segments[0].end.value == 0.5)
    #expect(throws: PoseSourceError.self) { try LabelTextOptions(offset: Seconds(.nan)) }
  }

  @Test("Labels without a meaning are listed, all of them, with their counts")
  func unmapped() throws {
    let error = try #require(throws: PoseSourceError.self) {
      try read("0\t1\tlow\n1\t2\tlow\n2\t3\tside\n3\t4\thigh\n")
    }
    #expect(error.description.contains("`low` (2 rows)"))
    #expect(error.description.contains("no class is given for `low` (2 rows), `side` (1 row)"))
    #expect(error.description.contains("--label \"low=CLASS\" --label \"side=CLASS\""))
  }

  /// A text with a fault, the line of it, and words that the message must hold.
  struct Fault: Sendable, CustomTestStringConvertible {
    let text: String
    let line: Int
    let words: [String]
    var testDescription: String { text }
  }

  static let faults = [
    Fault(text: "0\t1\tnone\n1\t1\thigh", line: 2, words: ["a point at 1.0 s", "drag"]),
    Fault(text: "0\t1\tnone\n1.5 2 high", line: 2, words: ["tabs"]),
    Fault(text: "0\t1\tnone\n1\t2,5,1\thigh", line: 2, words: ["`end`", "decimal point"]),
    Fault(text: "0\tinf\tnone", line: 1, words: ["`end`", "12.5"]),
    Fault(text: "0\t2\tnone\n1\t3\thigh", line: 2, words: ["overlaps", "end that one earlier"]),
    Fault(text: "2\t1\tnone", line: 1, words: ["swap or correct"]),
    Fault(text: "a,b\n1,2", line: 1, words: ["without `start`", "names of your columns"]),
    Fault(text: "start,end\n1,2", line: 1, words: ["none of the label columns", "`plank`"]),
    Fault(text: "start,end,label,Start\n1,2,high,1", line: 1, words: ["repeats another"]),
    Fault(text: "start,end,label\n0,1,none\n1,2", line: 3, words: ["2 fields", "complete"]),
    Fault(text: "start,end,label\n0,1,none\n1\n1,2,none", line: 3, words: ["1 field, "]),
    Fault(text: "start,end,label\n0,x,none", line: 2, words: ["`end`", "`x`"]),
  ]

  @Test("A mistake is reported with file, line and remedy", arguments: faults)
  func fault(_ fault: Fault) throws {
    let error = try #require(throws: PoseSourceError.self) { try read(fault.text) }
    #expect(error.description.hasPrefix("a.txt:\(fault.line)"), "\(error)")
    for word in fault.words { #expect(error.description.contains(word), "\(error)") }
  }

  @Test("A text without a segment is refused", arguments: ["", "start,end,label\n", "\\\t1\t2\n"])
  func empty(text: String) {
    #expect(throws: PoseSourceError.emptyTable(file: "a.txt")) { try read(text) }
  }

  private func read(
    _ text: String, format: LabelTextFormat? = nil, labels: LabelMap = LabelMap(),
    columns: SegmentColumns = SegmentColumns(), offset: Double = 0
  ) throws -> LabelTrack {
    let options = try LabelTextOptions(
      format: format, labels: labels, columns: columns, offset: Seconds(offset))
    return try LabelTextReader(options: options).track(from: NamedText(name: "a.txt", text: text))
  }
}

@Suite("Label maps") struct LabelMapTests {
  @Test("A label has the class that is given to it, any other one that of the star")
  func lookup() throws {
    let map = try LabelMap(["L=forearm/sag", "a=b=high", "*=ignore"])
    #expect(map["L"]?.plank == .forearm)
    #expect(map["L"]?.form == .sag)
    #expect(map["a=b"]?.plank == .high)
    #expect(map["a=b"]?.form == nil)
    #expect(map["other"] == .ignore)
  }

  @Test(
    "An assignment that cannot be read is an error that shows what is allowed",
    arguments: [
      "L", "=none", "L=", "L=plank", "L=forearm/", "L=none/sag", "L=ignore/sag", "L=/sag",
    ])
  func unreadable(assignment: String) throws {
    let error = try #require(throws: PoseSourceError.self) { try LabelMap([assignment]) }
    #expect(error.description.contains("give "))
  }

  @Test("A label that is given twice is an error")
  func twice() { #expect(throws: PoseSourceError.self) { try LabelMap(["L=none", "L=high"]) } }
}

@Suite("Names of recordings") struct RecordingNamesTests {
  @Test("Recordings of a dataset are found by names, paths and addresses")
  func recordingNames() {
    let names = RecordingNames([
      SequenceEntry(posesPath: "recordings/s01.poses.jsonl"),
      SequenceEntry(posesPath: "a/my-clip.poses.jsonl.gz"),
      SequenceEntry(posesPath: "a/twice.poses.jsonl"),
      SequenceEntry(posesPath: "b/twice.poses.jsonl"),
    ])
    for name in [
      "s01", "s01.mp4", "recordings/s01", "file:///v/S01.MOV", "C:\\v\\s01.avi",
      "/data/upload/3/1a2b3c4d-s01.mp4", "/data/local-files/?d=v/s01.mp4",
    ] { #expect(names.match([name]) == .one(0), "\(name)") }
    #expect(names.match(["my%20clip.mp4"]) == .one(1))
    #expect(names.match(["other", "my clip.mov"]) == .one(1))
    #expect(names.match(["twice.mp4"]) == .several(["a/twice", "b/twice"]))
    #expect(names.match(["a/twice"]) == .one(2))
    #expect(names.match(["s02"]) == .none)
    #expect(RecordingName.fileName("s01.mp4") == "s01")
    #expect(RecordingName.fileName("/v/my clip.mp4") == "my-clip")
  }
}

@Suite("Tables of people") struct PeopleTableTests {
  @Test("A table of people has a recording and a subject per row")
  func people() throws {
    let table = try PeopleTable(NamedText(name: "p.csv", text: "Video;Participant\na.mp4;Anna\n"))
    #expect(table.rows.map(\.subject) == ["Anna"])
    #expect(table.rows.map(\.recordings) == [["a.mp4"]])
    #expect(throws: PoseSourceError.self) {
      try PeopleTable(NamedText(name: "p.csv", text: "a,b\n1,2\n"))
    }
  }

  @Test(
    "The separators, names and title lines of label tables are read",
    arguments: [
      "recording,subject\na-1,Ann B\n", "file;name\na-1;Ann B\n",
      "\u{FEFF}Aufnahme;Person\na-1;Ann B\n",
      "People in the recordings,\n,\nrecording,subject\na-1,Ann B\n,\n",
      "# x\nclip|actor\na-1|Ann B\n",
    ])
  func shapes(text: String) throws {
    let rows = try PeopleTable(NamedText(name: "p.csv", text: text)).rows
    #expect(rows.map(\.recordings) == [["a-1"]])
    #expect(rows.map(\.subject) == ["Ann B"])
  }

  @Test("JSON is named as such", arguments: ["{\"a-1\": \"ann\"}", "[{\"recording\": \"a-1\"}]"])
  func json(text: String) throws {
    let error = try #require(throws: PoseSourceError.self) {
      try PeopleTable(NamedText(name: "p.json", text: text))
    }
    #expect(error.description.contains("p.json: this is JSON"), "\(error)")
  }
}
