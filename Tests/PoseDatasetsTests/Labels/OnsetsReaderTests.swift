import PoseDatasets
import PoseModel
import Testing

@Suite("Reading onsets")
struct OnsetsReaderTests {
  private let labels: LabelTrack

  init() throws {
    let text = "start,end,plank,form\n0,1,none,\n2,3,high,aligned\n4,5,high,sag\n"
    labels = try LabelsReader.read(text: text, name: "l").track
  }

  private func read(_ rows: String) throws -> [LabelOnset] {
    try OnsetsReader.read(
      text: OnsetsReader.header + "\n" + rows, name: "o", of: labels
    ).onsets
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

  @Test("A file of a header alone, or with blank lines after it, has no onsets")
  func empty() throws {
    #expect(try read("") == [])
    #expect(try read("\r\r\n\t \r") == [])
  }

  @Test(
    "What is wrong with a row is said with its line",
    arguments: [
      ("1.5,high\n", 2, LabelsProblem.wrongFieldCount(found: 2, header: OnsetsReader.header)),
      ("x,high,\n", 2, .notANumber(column: "time", found: "x")),
      (
        "1.5,ignore,\n", 2,
        .unknownName(
          column: "plank", found: "ignore",
          allowed: PlankClass.allCases.map(\.name) + ["nothing"])
      ),
      (
        "1.5,high,bad\n", 2,
        .unknownName(
          column: "form", found: "bad", allowed: FormClass.allCases.map(\.name) + ["nothing"])
      ),
      ("1.25,high,\n2.5,,sag\n", 3, .onset(.labeled)),
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

@Suite("Datasets with onsets")
struct DatasetOnsetsTests {
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
