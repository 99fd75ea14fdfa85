import PoseDatasets
import PoseModel
import Testing

@Suite("Dataset lint")
struct DatasetLintTests {
  private func codes(_ folder: TemporaryFolder) throws -> [LintCode] {
    try DatasetLint.findings(datasetAt: folder.path).map(\.code)
  }

  /// A folder with one labeled sequence.
  private func folder(
    poses: String, labels: String = "start,end,plank,form\n0,2,high,\n",
    manifest: String = "sequences:\n  - {poses: a.poses.jsonl, labels: a.labels.csv, subject: s}\n"
  ) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(manifest, to: "dataset.yaml")
    try folder.write(poses, to: "a.poses.jsonl")
    try folder.write(labels, to: "a.labels.csv")
    return folder
  }

  private let threeFrames = SampleText.text(
    SampleText.header, SampleText.frame("0"), SampleText.frame("1"), SampleText.frame("2"))

  @Test("A sound dataset has no findings")
  func sound() throws {
    #expect(try codes(folder(poses: threeFrames)) == [])
  }

  @Test(
    "A confirmed hold lies in its recording, where labels say forearm or high",
    arguments: [
      ("0", "2", "0,2,high,", [LintCode]()), ("0", "3", "0,3,forearm,", []),
      ("-1", "1", "0,2,high,", [.calibrationOutside]),
      ("1", "3.5", "0,2,high,", [.calibrationOutside]),
      ("0", "2", "0,1,high,\n1,2,none,", [.calibrationLabels]),
      ("0", "2", "0,2,reverse,", [.calibrationLabels]),
      ("0", "1", "0,1,high,\n1,2,none,", []),
    ])
  func calibration(start: String, end: String, labels: String, expected: [LintCode]) throws {
    let folder = try folder(
      poses: threeFrames, labels: "start,end,plank,form\n\(labels)\n",
      manifest: """
        sequences:
          - poses: a.poses.jsonl
            labels: a.labels.csv
            subject: s
            calibration: {start: \(start), end: \(end)}
        """)
    let findings = try DatasetLint.findings(datasetAt: folder.path)
    #expect(findings.map(\.code) == expected)
    #expect(findings.allSatisfy { $0.line == 2 && $0.severity == .warning })
  }

  @Test("A missing dataset throws; a bad manifest is a finding")
  func manifest() throws {
    let folder = try TemporaryFolder()
    #expect(throws: DatasetError.self) { try codes(folder) }
    try folder.write("sequences: []\n", to: "dataset.yaml")
    let findings = try DatasetLint.findings(datasetAt: folder.path)
    #expect(findings.map(\.code) == [.invalidManifest])
    #expect(findings.map(\.severity) == [.error] && findings.map(\.line) == [1])
  }

  @Test("All files are checked, not just up to the first fault")
  func allFiles() throws {
    let folder = try folder(
      poses: SampleText.text(SampleText.header, "{"), labels: "start,end,plank,form\n1,0,high,\n",
      manifest: """
        sequences:
          - {poses: a.poses.jsonl, labels: a.labels.csv, subject: s}
          - {poses: none.poses.jsonl, labels: none.labels.csv, subject: s}
          - {poses: sub, subject: s}
        """)
    try folder.write("", to: "sub/x")
    let findings = try DatasetLint.findings(datasetAt: folder.path)
    #expect(
      findings.map(\.code) == [
        .invalidRecording, .invalidLabels, .missingFile, .missingFile, .missingFile,
        .missingLabels,
      ])
    #expect(findings.map(\.line) == [2, 2, nil, nil, nil, 4])
    #expect(findings.dropLast().allSatisfy { $0.severity == .error })
  }

  @Test("A manifest's subject that differs from the header's is an error")
  func subjects() throws {
    let poses = SampleText.text(SampleText.header(["subject": "\"x\""]), SampleText.frame("0"))
    let folder = try folder(poses: poses)
    let findings = try DatasetLint.findings(datasetAt: folder.path)
    #expect(findings.map(\.code) == [.subjectMismatch])
    #expect(findings.map(\.severity) == [.error] && findings.map(\.line) == [2])
  }

  @Test("Missing subjects, missing labels and unknown keys are warnings")
  func manifestWarnings() throws {
    let folder = try folder(
      poses: threeFrames, manifest: "x: 1\nsequences:\n  - poses: c.poses.jsonl\n    lable: b\n")
    try folder.write(threeFrames, to: "c.poses.jsonl")
    let findings = try DatasetLint.findings(datasetAt: folder.path)
    #expect(
      findings.map(\.code) == [.unknownKey, .unknownKey, .missingSubject, .missingLabels])
    #expect(findings.map(\.line) == [1, 4, 3, 3])
    #expect(findings.allSatisfy { $0.severity == .warning })
  }

  @Test("Line ends, byte-order marks and blank last lines are warnings")
  func notes() throws {
    let folder = try folder(
      poses: "\u{FEFF}" + threeFrames + "\n",
      labels: "start,end,plank,form\r\n0,2,high,\r\n")
    #expect(try codes(folder) == [.byteOrderMark, .blankLastLines, .carriageReturns])
  }

  @Test(
    "Labels that miss the frames are warnings",
    arguments: [
      ("0,1.0005,high,\n", [LintCode.labelNearFrame], [2]),
      ("0.9995,2,high,\n", [.labelNearFrame], [2]),
      ("0.001,1.999,high,\n", [.labelNearFrame, .labelNearFrame], [2, 2]),
      ("0.0011,1.99,high,\n", [], []),
      ("0,4,high,\n", [], []),
      ("0,4.001,high,\n", [.labelAfterEnd], [2]),
      ("-1,0,none,\n0,2,high,\n3,4,none,\n", [.labelOutside, .labelOutside], [2, 4]),
      ("0,2,ignore,\n", [.noScoredFrames], [nil]),
      ("", [.noScoredFrames], [nil]),
      ("0.1,0.9,high,\n", [.noScoredFrames], [nil]),
    ])
  func labels(rows: String, codes: [LintCode], lines: [Int?]) throws {
    let folder = try folder(poses: threeFrames, labels: "start,end,plank,form\n" + rows)
    let findings = try DatasetLint.findings(datasetAt: folder.path)
    #expect(findings.map(\.code) == codes)
    #expect(findings.map(\.line) == lines)
  }

  @Test(
    "Labels that all say ignore are a note, any others without a scored frame a warning",
    arguments: [
      ("0,2,ignore,\n", LintFinding.Severity.note), ("0,1,ignore,\n1,2,ignore,\n", .note),
      ("", .warning), ("0.1,0.9,high,\n", .warning), ("0,0.05,ignore,\n0.1,0.2,high,\n", .warning),
      ("0.1,0.2,ignore,\n", .warning),
    ])
  func unscored(rows: String, severity: LintFinding.Severity) throws {
    let folder = try folder(poses: threeFrames, labels: "start,end,plank,form\n" + rows)
    let findings = try DatasetLint.findings(datasetAt: folder.path)
    #expect(findings.last { $0.code == .noScoredFrames }?.severity == severity)
  }

  @Test("A clock that jumps is reported with the line after the jump; a pause is not")
  func clockJump() throws {
    let times = ["0", "0.4", "1700000000", "1700000000.4", "1700000601"]
    let poses =
      SampleText.text(SampleText.header) + times.map { SampleText.frame($0) + "\n" }.joined()
    let folder = try folder(poses: poses, labels: "start,end,plank,form\n0,1700000602,none,\n")
    let findings = try DatasetLint.findings(datasetAt: folder.path)
    #expect(findings.map(\.code) == [.clockJump])
    #expect(findings.first?.line == 4)
    let pause = SampleText.text(
      SampleText.header, SampleText.frame("0"), SampleText.frame("1"), SampleText.frame("600"))
    #expect(
      try codes(self.folder(poses: pause, labels: "start,end,plank,form\n0,2,none,\n")) == [])
  }

  @Test("A recording without frames is a warning")
  func noFrames() throws {
    #expect(try codes(folder(poses: SampleText.text(SampleText.header))) == [.noFrames])
  }

  @Test("Matrices that are off a rotation and pelvis poses without one are warnings")
  func matrices() throws {
    let header = SampleText.header(["frame": "\"pelvis\""])
    let poses = SampleText.text(
      header, SampleText.frame("0"),
      SampleText.frame(
        "1", "[0,1,2,3,4,5]", ",\"camera\":[1.001,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]"))
    let folder = try folder(poses: poses)
    let findings = try DatasetLint.findings(datasetAt: folder.path)
    #expect(findings.map(\.code) == [.poseWithoutMatrix, .cameraOffRotation])
    #expect(findings.map(\.line) == [2, 3])
  }

  @Test(
    "A recording in camera axes that looks like pelvis axes is a suspect",
    arguments: [(19, 1, true), (18, 2, false)])
  func pelvis(near: Int, far: Int, isSuspect: Bool) throws {
    let header = SampleText.header(["joints": #"["leftHip","spine"]"#])
    let poses = (0..<(near + far)).map { frame in
      let depth = frame < near ? "0.0009" : "0.0011"
      return SampleText.frame("\(frame)", "[0.1,0.0001,-0.0009,\(frame).5,0.3,\(depth)]") + "\n"
    }
    let folder = try folder(
      poses: header + "\n" + poses.joined(), labels: "start,end,plank,form\n0,20,high,\n")
    #expect(try codes(folder) == (isSuspect ? [.pelvisSuspect] : []))
  }

  @Test("Shared frames and copied recordings are warnings that name both files")
  func duplicates() throws {
    let folder = try folder(
      poses: SampleText.text(SampleText.header) + lines(0..<12, from: 0),
      labels: "start,end,plank,form\n0,5,high,\n",
      manifest: """
        sequences:
          - {poses: a.poses.jsonl, labels: a.labels.csv, subject: s}
          - {poses: b.poses.jsonl, labels: a.labels.csv, subject: s}
          - {poses: c.poses.jsonl, labels: a.labels.csv, subject: s}
        """)
    try folder.write(
      SampleText.text(SampleText.header) + lines(20..<23, from: 0) + lines(2..<9, from: 3.5),
      to: "b.poses.jsonl")
    try folder.write(
      SampleText.text(SampleText.header(["subject": "\"s\""])) + lines(0..<12, from: 0.25),
      to: "c.poses.jsonl")
    let findings = try DatasetLint.findings(datasetAt: folder.path)
    let shared = findings.filter { $0.code == .duplicateFrames }
    #expect(shared.map(\.file) == [folder.path + "/b.poses.jsonl", folder.path + "/c.poses.jsonl"])
    #expect(shared.first?.line == 5)
    #expect(
      shared.first?.message.contains("frames 3-9 are its frames 2-8") == true,
      "\(shared.map(\.message))")
    let copies = findings.filter { $0.code == .duplicateRecording }
    #expect(copies.map(\.file) == [folder.path + "/c.poses.jsonl"])
    #expect(findings.allSatisfy { $0.severity == .warning })
  }

  @Test("A recording can be checked without a dataset")
  func alone() throws {
    let folder = try folder(poses: threeFrames + "\n", labels: "start,end,plank,form\n9,8,none,\n")
    let findings = try DatasetLint.findings(
      recordingAt: folder.path + "/a.poses.jsonl", labelsAt: folder.path + "/a.labels.csv")
    #expect(findings.map(\.code) == [.blankLastLines, .invalidLabels])
    #expect(throws: DatasetError.self) { try DatasetLint.findings(recordingAt: folder.path) }
  }

  /// Frame lines whose poses depend on a seed alone.
  private func lines(_ seeds: Range<Int>, from start: Double) -> String {
    seeds.enumerated().map { index, seed in
      let angle = Double(seed)
      let pose = "[0,0,\(1 + seed % 3),\(angle),\(seed * seed % 7),\(seed % 5)]"
      return SampleText.frame("\(start + Double(index) * 0.4)", pose) + "\n"
    }.joined()
  }
}
