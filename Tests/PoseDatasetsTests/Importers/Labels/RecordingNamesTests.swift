import PoseDatasets
import Testing

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
