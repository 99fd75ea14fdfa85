import PoseDatasets
import PoseModel
import Testing

@Suite("Datasets")
struct DatasetReaderTests {
  @Test("A dataset opens by its folder and by its manifest", arguments: ["", "/", "/dataset.yaml"])
  func opens(suffix: String) throws {
    let folder = try SampleDataset.make()
    let dataset = try DatasetReader(path: folder.path + suffix)
    #expect(try dataset.sequences().map(\.name) == ["a", "sub/b"])
    #expect(dataset.splits == ["tune", "test"])
    #expect(try dataset.load(dataset.sequences()[0]).recording.frameCount == 3)
  }

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
      error
        == .unknownSplit(file: dataset.manifestPath, found: "x", known: ["tune", "test"]))
    #expect(error?.description.contains("tune, test") == true)
  }

  @Test("A missing dataset, a folder without manifest and an empty dataset are different errors")
  func missing() throws {
    let folder = try TemporaryFolder()
    let nowhere = #expect(throws: DatasetError.self) {
      try DatasetReader(path: folder.path + "/x")
    }
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

  @Test("A missing file of the manifest is reported with its path")
  func missingSequence() throws {
    let folder = try SampleDataset.make(manifest: "sequences: [{poses: x.poses.jsonl}]\n")
    let dataset = try DatasetReader(path: folder.path)
    let entry = try #require(dataset.sequences().first)
    #expect(throws: DatasetError.missingFile(path: folder.path + "/x.poses.jsonl")) {
      try dataset.load(entry)
    }
  }
}
