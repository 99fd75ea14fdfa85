import PoseDatasets
import PoseModel
import Testing

@Suite("Label texts") struct LabelTextReaderTests {
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
  func formats(text: String) throws {
    #expect(
      try readLabels(text).summary == "0-4.2 none, 4.2-5 ignore, 5-31.5 forearm/sag, 33-40 high")
  }

  static let read = [
    // Labels of another vocabulary get their meaning from the map, which wins.
    Reads(
      "0\t1\tplank low\n1\t2\tx\n2\t3\tnone\n3\t4\tsideLeft\n4\t5\twalking\n",
      "0-1 forearm/sag, 1-2 high, 2-3 ignore, 3-4 sideLeft, 4-5 none",
      labels: ["plank low=forearm/sag", "x=high", "none=ignore", "*=none"]),
    Reads(
      "onset;,offset,pose,quality\n1,2,high,pike\n", "1-2 high/pike",
      columns: SegmentColumns(start: "onset;", end: "OFFSET", label: "pose", form: "quality")),
    // An offset moves every time, to the microsecond.
    Reads("0.1\t0.3\thigh\n", "0.3-0.5 high", offset: 0.2),
  ]

  @Test("Maps, columns and offsets apply", arguments: read)
  func options(_ sample: Reads) throws { try sample.expect() }

  @Test("An offset that is no number is refused")
  func offset() {
    #expect(throws: PoseSourceError.self) { try LabelTextOptions(offset: Seconds(.nan)) }
  }

  static let faults = [
    Refuses("0\t1\tnone\n1\t1\thigh", "a.txt:2:", "a point at 1.0 s", "drag"),
    Refuses("0\t1\tnone\n1.5 2 high", "a.txt:2:", "tabs"),
    Refuses("0\t1\tnone\n1\t2,5,1\thigh", "a.txt:2:", "`end`", "decimal point"),
    Refuses("0\tinf\tnone", "a.txt:1:", "`end`", "12.5"),
    Refuses("0\t2\tnone\n1\t3\thigh", "a.txt:2", "overlaps", "end that one earlier"),
    Refuses("2\t1\tnone", "a.txt:1", "swap or correct"),
    Refuses("a,b\n1,2", "a.txt:1:", "without `start`", "names of your columns"),
    Refuses("start,end\n1,2", "a.txt:1:", "none of the label columns", "`plank`"),
    Refuses("start,end,label,Start\n1,2,high,1", "a.txt:1:", "repeats another"),
    Refuses("start,end,label\n0,1,none\n1,2", "a.txt:3:", "2 fields", "complete"),
    Refuses("start,end,label\n0,1,none\n1\n1,2,none", "a.txt:3:", "1 field, "),
    Refuses("start,end,label\n0,x,none", "a.txt:2:", "`end`", "`x`"),
    // Labels without a meaning are listed, all of them, with their counts.
    Refuses(
      "0\t1\tlow\n1\t2\tlow\n2\t3\tside\n3\t4\thigh\n",
      "no class is given for `low` (2 rows), `side` (1 row)",
      "--label \"low=CLASS\" --label \"side=CLASS\""),
  ]

  @Test("A mistake is reported with file, line and remedy", arguments: faults)
  func fault(_ fault: Refuses) throws { try fault.expect() }

  @Test("A text without a segment is refused", arguments: ["", "start,end,label\n", "\\\t1\t2\n"])
  func empty(text: String) {
    #expect(throws: PoseSourceError.emptyTable(file: "a.txt")) { try readLabels(text) }
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
