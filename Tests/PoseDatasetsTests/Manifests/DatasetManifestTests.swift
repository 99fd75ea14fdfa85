import PoseDatasets
import PoseModel
import TestSupport
import Testing

@Suite("Manifests") struct DatasetManifestTests {
  private func read(_ text: String) throws -> DatasetManifest {
    try DatasetManifest(bytes: Array(text.utf8), file: "dataset.yaml")
  }

  @Test(
    "Texts are written so that they read back",
    arguments: [
      "\u{FFFE}", "\u{80}", "a\rb", "a\u{2028}b", "x\u{FEFF}y", "null", "a\"b\\", "é\u{A0}",
    ])
  func texts(text: String) throws {
    let manifest = DatasetManifest(
      name: text, sequences: [SequenceEntry(posesPath: "a.poses.jsonl", tags: ["x": text])])
    let bytes = Array(DatasetManifestWriter.text(of: manifest).utf8)
    let read = try DatasetManifest(bytes: bytes, file: "dataset.yaml")
    #expect(read.name == text)
    #expect(read.sequences.first?.tags == ["x": text])
  }

  @Test("Every field arrives")
  func fields() throws {
    let manifest = try read(
      """
      name: planks
      description: "two: people"
      license: CC-BY-4.0
      sequences:
        - poses: s01/a.poses.jsonl
          labels: s01/a.labels.csv
          subject: s01
          split: tune
          starts: mid
          tags: {distance_m: 2, light: dim, indoors: true}
        - {poses: ./s02//b.poses.jsonl.gz, subject: 02}
      """)
    #expect(manifest.name == "planks")
    #expect(manifest.description == "two: people")
    #expect(manifest.license == "CC-BY-4.0")
    let first = manifest.sequences[0]
    #expect(first.name == "s01/a")
    #expect(first.posesPath == "s01/a.poses.jsonl")
    #expect(first.labelsPath == "s01/a.labels.csv")
    #expect(first.subject == "s01" && first.split == "tune" && first.startsMid)
    #expect(first.tags == ["distance_m": "2", "light": "dim", "indoors": "true"])
    #expect(first.line == 5)
    let second = manifest.sequences[1]
    #expect(second.name == "s02/b" && second.posesPath == "s02/b.poses.jsonl.gz")
    #expect(second.labelsPath == nil && second.split == nil && !second.startsMid)
    #expect(second.subject == "02")
    #expect(manifest.unknownKeys == [])
  }

  @Test("A confirmed hold arrives and is written so that it reads back, straight or not")
  func calibration() throws {
    let text = "sequences:\n  - poses: a\n    calibration: {start: 0.5, end: 2.5%}\n"
    for (more, angle) in [("", nil), (", angle_deg: 183.25", Degrees(183.25))] {
      let manifest = try read(text.replacing("%", with: more))
      let hold = ConfirmedHold(start: Seconds(0.5), end: Seconds(2.5), angle: angle)
      #expect(manifest.sequences[0].calibration == hold && manifest.unknownKeys == [])
      #expect(try read(DatasetManifestWriter.text(of: manifest)).sequences[0].calibration == hold)
    }
    let unknown = try read(text.replacing("%", with: ", angle: 180")).unknownKeys
    #expect(unknown.map(\.field) == ["sequences[0].calibration.angle"])
  }

  @Test("The length of a confirmed hold may be off by rounding, not by more")
  func holdLengths() throws {
    for (start, end) in [(0.9, 1.9), (3.4, 4.4), (0.1, 10.1)] {
      let text = "sequences: [{poses: a, calibration: {start: \(start), end: \(end)}}]"
      #expect(try read(text).sequences[0].calibration?.end == Seconds(end))
    }
  }

  @Test(
    "A confirmed hold that cannot be one is refused with what is allowed",
    arguments: [
      ("{start: 0, end: 0.5}", "1 to 10 s after `start`"), ("{start: 2, end: 0}", "1 to 10 s"),
      ("{start: 0, end: 10.1}", "1 to 10 s"), ("{start: 0, end: .nan}", "a number"),
      ("{start: 0, end: 2, angle_deg: 361}", "0 to 360 degrees"),
      ("{start: 0, end: 2, angle_deg: -1}", "0 to 360 degrees"),
      ("{end: 2}", "a map with `start`"), ("first", "a map"),
    ])
  func wrongHolds(hold: String, allowed: String) {
    let error = #expect(throws: FieldError.self) {
      try read("sequences:\n  - poses: a\n    calibration: \(hold)\n")
    }
    #expect(error?.line == 3 && error?.field.hasPrefix("sequences[0].calibration") == true)
    #expect(error?.description.contains(allowed) == true, "\(error?.description ?? "")")
  }

  @Test(
    "A bad manifest is reported with file, line and remedy",
    arguments: [
      ("sequences: []\n", 1), ("name: x\n", 1), ("name: x\nsequences:\n", 2), ("sequences: a\n", 1),
      ("sequences:\n  - labels: a\n", 2), ("sequences:\n  - poses: a\n    starts: end\n", 3),
      ("sequences:\n  - poses: a\n    tags: [x]\n", 3),
      ("sequences:\n  - poses: a\n    subject: {x: 1}\n", 3),
      ("sequences:\n  - poses: a.labels.csv\n", 2), ("sequences:\n  - poses: dataset.yaml\n", 2),
      ("sequences:\n  - poses: a\n    labels: a.poses.jsonl\n", 3),
      ("sequences:\n  - poses: a\n    labels: a.poses.jsonl.gz\n", 3),
      ("sequences:\n  - poses: a\n    labels: README.md\n", 3),
      ("sequences:\n  - poses: ../a\n", 2), ("sequences:\n  - poses: a/../../b\n", 2),
      ("sequences:\n  - poses: /a\n", 2), ("sequences:\n  - poses: a\n    labels: ../b\n", 3),
      ("sequences:\n  - poses: a\n  - poses: b/../a\n", 3),
      ("sequences:\n  - poses: a.poses.jsonl\n  - poses: a.poses.jsonl.gz\n", 3),
      ("sequences:\n  - poses: a\n    poses: b\n", 2),
      ("sequences:\n  - poses: [a\n", 3),
    ])
  func bad(text: String, line: Int) {
    let error = #expect(throws: FieldError.self) { try read(text) }
    #expect(error?.file == "dataset.yaml")
    #expect(error?.line == line, "\(error.map(\.description) ?? "nothing")")
    #expect(error?.remedy.isEmpty == false)
  }

  @Test("What is written is read back as it was")
  func roundTrip() throws {
    let manifest = DatasetManifest(
      name: "a \"b\": #c", description: "line\nline\ttab \u{85} - é", license: "no",
      sequences: [
        SequenceEntry(
          posesPath: "s 1/a.poses.jsonl", labelsPath: "s 1/a.labels.csv",
          videoPath: "v/a #1.mp4", subject: "01", split: "test", startsMid: true,
          tags: ["distance_m": "2", "a b": "null", "": "x"]),
        SequenceEntry(posesPath: "b.poses.jsonl"),
      ])
    let read = try read(DatasetManifestWriter.text(of: manifest))
    #expect(read.name == manifest.name)
    #expect(read.description == manifest.description)
    #expect(read.license == manifest.license)
    for (entry, expected) in zip(read.sequences, manifest.sequences) {
      #expect(entry.posesPath == expected.posesPath && entry.labelsPath == expected.labelsPath)
      #expect(entry.videoPath == expected.videoPath)
      #expect(entry.subject == expected.subject && entry.split == expected.split)
      #expect(entry.startsMid == expected.startsMid && entry.tags == expected.tags)
    }
    #expect(read.sequences.count == 2)
  }
}

@Suite("Manifests that are added to") struct ManifestEditTests {
  private static let text = """
    # Sundays
    name: planks
    sequences:
      - poses: a.poses.jsonl  # Anna
        tags: {light: dim}
      - {poses: b.poses.jsonl, subject: ben}
      - poses: c.poses.jsonl
    """

  private func edit(_ text: String = text) throws -> ManifestEdit {
    try ManifestEdit(text: text, file: "dataset.yaml")
  }

  @Test("Missing labels and subjects are added, and comments stay")
  func missing() throws {
    var edit = try edit()
    let values = ["a": "anna", "b": "anna", "none": "anna"]
    #expect(try edit.setMissing(.subject, values) == ["a"])
    #expect(
      try edit.setMissing(.labels, ["b": "b: 1.labels.csv", "c": "c.labels.csv"]) == ["b", "c"])
    #expect(
      edit.text == """
        # Sundays
        name: planks
        sequences:
          - poses: a.poses.jsonl  # Anna
            subject: anna
            tags: {light: dim}
          - {poses: b.poses.jsonl, subject: ben, labels: "b: 1.labels.csv"}
          - poses: c.poses.jsonl
            labels: c.labels.csv
        """)
  }

  @Test("New sequences come last, laid out as the others are", arguments: ["", "  ", "    "])
  func append(indent: String) throws {
    let text = "sequences:\n\(indent)- poses: a.poses.jsonl\n"
    var edit = try edit(text)
    try edit.append([
      SequenceEntry(posesPath: "sub/b.poses.jsonl", labelsPath: "sub/b.labels.csv", subject: "ben")
    ])
    #expect(
      edit.text == text + "\(indent)- poses: sub/b.poses.jsonl\n"
        + "\(indent)  labels: sub/b.labels.csv\n\(indent)  subject: ben\n")
  }

  @Test(
    "Every line break that YAML knows ends a line, and lines are added with the file's own",
    arguments: ["\n", "\r\n", "\r", "\u{85}", "\u{2028}"])
  func lineBreaks(lineBreak: String) throws {
    let lines = ["sequences:", "- poses: a.poses.jsonl", "- {poses: b.poses.jsonl}"]
    var edit = try edit(lines.joined(separator: lineBreak))
    #expect(try edit.setMissing(.subject, ["a": "anna", "b": "ben"]) == ["a", "b"])
    try edit.append([SequenceEntry(posesPath: "c.poses.jsonl")])
    let expected = [
      lines[0], lines[1], "  subject: anna", "- {poses: b.poses.jsonl, subject: ben}",
      "- poses: c.poses.jsonl", "",
    ]
    #expect(edit.text == expected.joined(separator: lineBreak))
  }

  @Test(
    "A layout that cannot be added to is refused and left as it is",
    arguments: [
      "sequences:\n  - poses: a.poses.jsonl\nname: behind\n",
      "{sequences: [{poses: a.poses.jsonl}]}", "sequences: [\n  {poses: a.poses.jsonl},\n]\n",
    ])
  func refused(text: String) throws {
    var edit = try edit(text)
    #expect(throws: FieldError.self) {
      try edit.append([SequenceEntry(posesPath: "b.poses.jsonl")])
    }
    #expect(edit.text == text)
  }
}

@Suite("Datasets") struct DatasetReaderTests {
  @Test("A sequence loads with labels, subject, split and start")
  func loads() throws {
    let folder = try SampleDataset.make()
    let dataset = try DatasetReader(path: folder.path)
    let entry = try #require(dataset.sequences(split: "test").first)
    let sequence = try dataset.load(entry)
    #expect(sequence.name == "sub/b" && sequence.subject == "s2" && sequence.split == "test")
    #expect(sequence.startsMid)
    #expect(sequence.truth().plank == [PlankClass.high.code, PlankClass.high.code])
  }

  @Test("The manifest's subject wins over the header's, which wins over nothing")
  func subject() throws {
    let folder = try SampleDataset.make(
      manifest: "sequences: [{poses: sub/b.poses.jsonl}, {poses: a.poses.jsonl, subject: x}]\n")
    let dataset = try DatasetReader(path: folder.path)
    let sequences = try dataset.sequences().map(dataset.load)
    #expect(sequences.map(\.subject) == ["s2", "x"])
    #expect(sequences[0].labels == nil)
    #expect(sequences[0].truth().plank.allSatisfy { !FrameTruth.isScored($0) })
  }

  @Test("Labels beside a recording are found by its name, unless the manifest gives others")
  func labelsBeside() throws {
    let folder = try SampleDataset.make(
      manifest: "sequences:\n  - poses: a.poses.jsonl\n  - poses: sub/b.poses.jsonl\n")
    let alone = try DatasetHashes(of: DatasetReader(path: folder.path))
    try folder.write("start,end,plank,form\n0,1,reverse,\n", to: "sub/b.labels.csv")
    let dataset = try DatasetReader(path: folder.path)
    let paths = try dataset.sequences().map(\.labelsPath)
    #expect(paths == ["a.labels.csv", "sub/b.labels.csv"])
    let second = try dataset.load(dataset.sequences()[1])
    #expect(second.truth().plank.first == PlankClass.reverse.code)
    #expect(try DatasetHashes(of: dataset).labels != alone.labels)
    try folder.write(
      "sequences:\n  - {poses: sub/b.poses.jsonl, labels: a.labels.csv}\n", to: "dataset.yaml")
    #expect(try DatasetReader(path: folder.path).sequences()[0].labelsPath == "a.labels.csv")
  }

  @Test("An unknown split lists the known ones")
  func split() throws {
    let folder = try SampleDataset.make()
    let dataset = try DatasetReader(path: folder.path)
    let error = #expect(throws: DatasetError.self) { try dataset.sequences(split: "x") }
    #expect(
      error == .unknownSplit(file: dataset.manifestPath, found: "x", known: ["tune", "test"]))
    #expect(error?.description.contains("tune, test") == true)
  }

  @Test("A missing dataset, a folder without manifest and an empty dataset are different errors")
  func missing() throws {
    let folder = try TemporaryFolder()
    let nowhere = #expect(throws: DatasetError.self) { try DatasetReader(path: folder.path + "/x") }
    #expect(nowhere == .missingFile(path: folder.path + "/x"))
    let bare = #expect(throws: DatasetError.self) { try DatasetReader(path: folder.path) }
    #expect(bare == .missingFile(path: folder.path + "/dataset.yaml"))
    let path = try folder.write("sequences: []\n", to: "dataset.yaml")
    let empty = #expect(throws: DatasetError.self) { try DatasetReader(path: folder.path) }
    #expect(empty?.file == path && empty?.line == 1 && empty?.isMissingInput == false)
    try folder.write([0xFF, 0x0A], to: "dataset.yaml")
    let bytes = #expect(throws: DatasetError.self) { try DatasetReader(path: folder.path) }
    #expect(bytes?.file == path && bytes?.line == 1)
  }
}
