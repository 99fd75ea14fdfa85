import PoseModel
import PoseRecording
import TestSupport
import Testing

@testable import PoseDatasets

@Suite("Dataset lint") struct DatasetLintTests {
  private func codes(_ folder: TemporaryFolder) throws -> [LintCode] {
    try DatasetLint.findings(datasetAt: folder.path).map(\.code)
  }

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
        .invalidRecording, .invalidLabels, .missingFile, .missingFile, .missingFile, .missingLabels,
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
    #expect(findings.map(\.code) == [.unknownKey, .unknownKey, .missingSubject, .missingLabels])
    #expect(findings.map(\.line) == [1, 4, 3, 3])
    #expect(findings.allSatisfy { $0.severity == .warning })
  }

  @Test("Line ends, byte-order marks and blank last lines are warnings")
  func notes() throws {
    let folder = try folder(
      poses: "\u{FEFF}" + threeFrames + "\n", labels: "start,end,plank,form\r\n0,2,high,\r\n")
    #expect(try codes(folder) == [.byteOrderMark, .blankLastLines, .carriageReturns])
  }

  @Test(
    "Labels that miss the frames are warnings",
    arguments: [
      ("0,1.0005,high,\n", [LintCode.labelNearFrame], [2]),
      ("0.9995,2,high,\n", [.labelNearFrame], [2]),
      ("0.001,1.999,high,\n", [.labelNearFrame, .labelNearFrame], [2, 2]),
      ("0.0011,1.99,high,\n", [], []), ("0,4,high,\n", [], []),
      ("0,4.001,high,\n", [.labelAfterEnd], [2]),
      ("-1,0,none,\n0,2,high,\n3,4,none,\n", [.labelOutside, .labelOutside], [2, 4]),
      ("0,2,ignore,\n", [.noScoredFrames], [nil]), ("", [.noScoredFrames], [nil]),
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
    #expect(try codes(self.folder(poses: pause, labels: "start,end,plank,form\n0,2,none,\n")) == [])
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
      SampleText.frame("1", "[0,1,2,3,4,5]", ",\"camera\":[1.001,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]"))
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

  private func lines(_ seeds: Range<Int>, from start: Double) -> String {
    seeds.enumerated().map { index, seed in
      let angle = Double(seed)
      let pose = "[0,0,\(1 + seed % 3),\(angle),\(seed * seed % 7),\(seed % 5)]"
      return SampleText.frame("\(start + Double(index) * 0.4)", pose) + "\n"
    }.joined()
  }
}

@Suite("Recordings in which no one stands") struct StandingCheckTests {
  /// A scripted session as a camera sees it whose buffers are turned clockwise.
  private func recording(
    _ phases: [ScriptedPosture], turned: Int, says: BufferRotation? = nil
  ) -> Recording {
    let turn = BufferRotation(quarterTurns: turned)
    return ScriptedSession(
      ScriptedBody(stature: Meters(1.75)), rate: Hertz(10),
      phases: phases.map { ScriptedPhase($0, seconds: 3) }
    ).recording(ScriptedCamera(azimuth: Degrees(25)))
      .changed(header: { $0.bufferRotation = says }, position: { turn($0) })
  }

  private func findings(_ recording: Recording) throws -> [LintFinding] {
    let folder = try TemporaryFolder()
    let path = try folder.write(try PoseRecordingText.bytes(of: recording), to: "a.poses.jsonl")
    return try DatasetLint.findings(recordingAt: path).filter { $0.code == .nobodyStands }
  }

  @Test("Turned buffers are named with the rotation that makes people stand", arguments: 1...3)
  func turned(quarters: Int) throws {
    let found = try findings(recording([.standing, .forearm, .standing], turned: quarters))
    #expect(found.count == 1)
    let degrees = quarters * 90
    #expect(found.first?.remedy.contains("\"buffer_rotation_deg\":\(degrees)") == true, "\(found)")
    #expect(found.first?.line == 1)
  }

  @Test("The header's own rotation is taken into account", arguments: 0...3)
  func said(quarters: Int) throws {
    let rotation = BufferRotation(quarterTurns: quarters)
    let right = recording([.standing, .high], turned: quarters, says: rotation)
    #expect(try findings(right).isEmpty)
    let wrong = BufferRotation(quarterTurns: quarters + 1)
    let remedy = try findings(recording([.standing], turned: quarters, says: wrong)).first?.remedy
    #expect(remedy?.contains("\"buffer_rotation_deg\":\(quarters * 90)") == true)
  }

  @Test(
    "Planks alone are not taken for people who stand in a turned image",
    arguments: [ScriptedPosture.forearm, .high, .sideLeft, .sideRight, .reverse, .allFours])
  func planksAlone(posture: ScriptedPosture) throws {
    #expect(try findings(recording([posture], turned: 0)).isEmpty)
  }

  @Test(
    "Where others stand upright before the same camera, whoever lies needs no advice",
    arguments: [false, true])
  func lying(isSameCamera: Bool) throws {
    let folder = try TemporaryFolder()
    let standing = recording([.standing], turned: 0)
    // Somebody who lies looks like somebody who stands before a camera that lies on its side.
    let other = recording([.standing], turned: 1).changed(header: {
      if !isSameCamera { $0.orientation = .portraitUpsideDown }
    })
    try folder.write(try PoseRecordingText.bytes(of: standing), to: "a.poses.jsonl")
    try folder.write(try PoseRecordingText.bytes(of: other), to: "b.poses.jsonl")
    try folder.write(
      "sequences: [{poses: a.poses.jsonl}, {poses: b.poses.jsonl}]\n", to: "dataset.yaml")
    let found = try DatasetLint.findings(datasetAt: folder.path).filter { $0.code == .nobodyStands }
    #expect(found.map(\.severity) == [isSameCamera ? .note : .warning])
    #expect(found.first?.remedy.contains("buffer_rotation_deg") == !isSameCamera)
  }

  @Test("An up vector of the header is to be turned")
  func ownUp() throws {
    let sideways = recording([.standing], turned: 0).changed(header: { $0.up = Vector3(1, 0, 0) })
    #expect(try findings(sideways).first?.remedy == "turn `up` by that angle")
  }
}

@Suite("Poses that two files share") struct DuplicatePosesTests {
  private static let joints = Skeleton.vision3d.joints

  private func pose(_ seed: Int, scale: Double = 1, decimals: Double = 1e9) -> [Float] {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1
    return (0..<(3 * Self.joints.count)).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let number = Double(state >> 40) / Double(1 << 24) - 0.5
      return Float((number * scale * decimals).rounded() / decimals)
    }
  }

  private func prints(
    _ name: String, _ poses: [[Float]?], joints: [Joint] = joints, start: Double = 0
  ) -> PoseFingerprints {
    var recording = Recording(
      header: RecordingHeader(skeleton: .vision3d, joints: joints, frame: .camera))
    for (index, pose) in poses.enumerated() {
      recording.append(time: Seconds(start + Double(index) / 30), pose: pose)
    }
    return PoseFingerprints(path: name, recording: recording)
  }

  private func pairs(_ files: PoseFingerprints...) -> [DuplicatePoses.Pair] {
    var duplicates = DuplicatePoses()
    for file in files { duplicates.add(file) }
    return duplicates.pairs
  }

  @Test("A run is found at other times and behind other frames")
  func run() {
    let earlier = prints("a", (0..<171).map { pose($0) })
    let others = (1000..<1010).map { pose($0) }
    let later = prints("b", others + (0..<171).map { pose($0) } + [pose(2000)], start: 99)
    let expected = DuplicatePoses.Run(earlierStart: 0, laterStart: 10, length: 171)
    #expect(pairs(earlier, later) == [.init(earlier: 0, later: 1, runs: [expected])])
  }

  @Test("A run of five is told, one of four is not", arguments: [(4, false), (5, true), (6, true)])
  func shortest(length: Int, isTold: Bool) {
    let earlier = prints("a", (0..<20).map { pose($0) })
    let later = prints("b", (10..<(10 + length)).map { pose($0) } + [pose(100), pose(101)])
    #expect(pairs(earlier, later).isEmpty != isTold)
  }

  @Test("Frames without a pose do not break a run")
  func gaps() {
    let poses = (0..<8).map { pose($0) }
    let later = prints("b", [pose(50), poses[0], nil, poses[1], nil] + poses[2...].map { $0 })
    let pair = pairs(prints("a", poses + [pose(51)]), later)
    #expect(pair.first?.runs.first?.length == 8)
    #expect(later.frames == [0, 1, 3, 5, 6, 7, 8, 9, 10])
  }

  @Test("The order of joints, the scale and rounding to 0.1 mm do not matter")
  func normalized() {
    let earlier = prints("a", (0..<10).map { pose($0) })
    let reversed = prints(
      "b",
      (0..<10).map { seed in
        let slots = stride(from: 0, to: 51, by: 3).map { pose(seed)[$0..<($0 + 3)] }
        return slots.reversed().flatMap { $0 }
      }, joints: Self.joints.reversed())
    let scaled = prints("c", (0..<10).map { pose($0, scale: 1.07, decimals: 1e4) })
    let found = pairs(earlier, reversed, scaled)
    #expect(found.count == 3)
    #expect(found.allSatisfy { $0.runs.map(\.length) == [10] })
  }

  @Test("A joint that is missing in one file, or noise of a centimeter, makes other poses")
  func different() {
    let poses = (0..<10).map { pose($0) }
    let missing = poses.map { pose in [.nan, .nan, .nan] + pose[3...] }
    let noisy = poses.map { pose in
      pose.enumerated().map { $0.element + ($0.offset % 2 == 0 ? 0.01 : -0.01) }
    }
    #expect(pairs(prints("a", poses), prints("b", missing), prints("c", noisy)) == [])
  }

  @Test("Runs within one file are not reported")
  func withinOneFile() {
    let poses = (0..<6).map { pose($0) }
    #expect(pairs(prints("a", poses + poses)) == [])
  }

  @Test("Still against alternating poses takes linear time", .timeLimit(.minutes(1)))
  func alternating() {
    let still = prints("a", Array(repeating: pose(1), count: 20_000))
    let found = pairs(still, prints("b", (0..<20_000).map { pose($0 % 2) }))
    #expect(found.isEmpty)
  }

  @Test("Many alike recordings take linear time", .timeLimit(.minutes(1)))
  func alike() {
    let poses = (0..<30).map { pose($0) }
    var duplicates = DuplicatePoses()
    for index in 0..<3000 { duplicates.add(prints("\(index)", poses)) }
    // Each is reported as a copy of the first ones.
    #expect(duplicates.pairs.last?.later == 2999)
    #expect(duplicates.pairs.count { $0.later == 2999 } == 8)
    #expect(duplicates.pairs.count { $0.earlier == 0 } == 2999)
  }

  @Test("A piece out of the middle of a slow hold is found")
  func slowHold() {
    let hold = (0..<3000).map { index in
      pose(1).enumerated().map { $1 + Float($0 % 7) * Float(index) * 2e-5 }
    }
    let found = pairs(prints("a", hold), prints("b", [pose(7)] + hold[1500..<1600] + [pose(8)]))
    #expect(found.first?.runs.map(\.length) == [100])
  }
}

/// Checks datasets: every file, not just up to the first error.
enum DatasetLint {
  /// Everything that is or looks wrong in a dataset, in the order of the manifest.
  ///
  /// - Parameter path: the dataset's folder or its manifest.
  /// - Throws: only a `DatasetError` with `isMissingInput`: there is no manifest to check.
  /// - Complexity: about 100 bytes for each pose; see `DatasetChecks` for all cores.
  static func findings(datasetAt path: String) throws -> [LintFinding] {
    let checks = try DatasetChecks(datasetAt: path)
    return checks.findings(try checks.sequences.map(checks.check))
  }

  /// Everything that is or looks wrong in a recording, and in its labels if given.
  ///
  /// - Throws: only a `DatasetError` with `isMissingInput`.
  static func findings(
    recordingAt path: String, labelsAt labelsPath: String? = nil
  ) throws -> [LintFinding] {
    let file: RecordingFile
    do {
      file = try RecordingReader.read(path: path)
    } catch let error as DatasetError where !error.isMissingInput {
      return [.error(error)]
    }
    guard let labelsPath else {
      return RecordingLint(path: path, file: file, labels: nil).findings
    }
    do {
      let labels = try LabelsReader.read(path: labelsPath)
      let lint = RecordingLint(path: path, file: file, labels: labels.track)
      return lint.findings
        + LabelsLint(
          path: labelsPath, file: labels, recording: file.recording, clock: lint.survey.clock
        ).findings
    } catch let error as DatasetError where !error.isMissingInput {
      return RecordingLint(path: path, file: file, labels: nil).findings + [.error(error)]
    }
  }
}
