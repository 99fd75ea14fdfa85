import PoseDatasets
import PoseModel
import Testing

@Suite("Manifests")
struct DatasetManifestTests {
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

  @Test("A file of another kind is refused, also behind slashes", arguments: ["c.yml", "c.yml//"])
  func otherKinds(path: String) {
    #expect(throws: FieldError.self) {
      try DatasetManifest(
        bytes: Array("sequences: [{poses: \(path)}]".utf8), file: "dataset.yaml")
    }
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
      #expect(
        try read(DatasetManifestWriter.text(of: manifest)).sequences[0].calibration == hold)
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

  @Test("Unknown keys are kept with their lines")
  func unknownKeys() throws {
    let manifest = try read("version: 2\nsequences:\n  - poses: a\n    lables: b\n")
    #expect(manifest.unknownKeys.map(\.field) == ["version", "sequences[0].lables"])
    #expect(manifest.unknownKeys.map(\.line) == [1, 4])
  }

  @Test(
    "A bad manifest is reported with file, line and remedy",
    arguments: [
      ("sequences: []\n", 1),
      ("name: x\n", 1),
      ("name: x\nsequences:\n", 2),
      ("sequences: a\n", 1),
      ("sequences:\n  - labels: a\n", 2),
      ("sequences:\n  - poses: a\n    starts: end\n", 3),
      ("sequences:\n  - poses: a\n    tags: [x]\n", 3),
      ("sequences:\n  - poses: a\n    subject: {x: 1}\n", 3),
      ("sequences:\n  - poses: a.labels.csv\n", 2),
      ("sequences:\n  - poses: dataset.yaml\n", 2),
      ("sequences:\n  - poses: a\n    labels: a.poses.jsonl\n", 3),
      ("sequences:\n  - poses: a\n    labels: a.poses.jsonl.gz\n", 3),
      ("sequences:\n  - poses: a\n    labels: README.md\n", 3),
      ("sequences:\n  - poses: ../a\n", 2),
      ("sequences:\n  - poses: a/../../b\n", 2),
      ("sequences:\n  - poses: /a\n", 2),
      ("sequences:\n  - poses: a\n    labels: ../b\n", 3),
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
