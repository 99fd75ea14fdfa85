import Foundation
import PlankDetection
import PoseDatasets
import PoseModel
import TestSupport
import Testing

@testable import PlankBench
@testable import Reports

@Suite("Explanations of moments") struct MomentExplanationTests {
  @Test("Where a measurement is undefined no rule was asked, not even the last one")
  func undefined() throws {
    let reader = try DatasetReader(path: ScriptedDatasetFiles.folder.path)
    let sequence = try reader.load(reader.manifest.sequences[0])
    let missing = (0..<sequence.recording.frameCount).first(where: sequence.recording.isMissing)
    let explanation = MomentExplanation(
      RecordingContext(sequence: sequence), try BenchDetector(.init(detector: "gravity")),
      frame: try #require(missing))
    let text = TextRenderer(width: 200).render(explanation.document(isFull: true))
    let last = try #require(text.split(separator: "\n").first { $0.contains("otherwise") })
    #expect(last.hasSuffix("not asked: a measurement is undefined"))
    #expect(!text.contains("does not hold"))
  }
}

@Suite("Recordings named by path or by dataset") struct RecordingArgumentsTests {
  private func context(_ path: String, _ name: String? = nil) throws -> RecordingContext {
    try RecordingContext(path: path, sequence: name)
  }

  @Test(
    "A dataset with a name, a path and a path without its ending are the same recording",
    arguments: [["", "s03-fast"], ["/s03-fast.poses.jsonl.gz"], ["/s03-fast"]])
  func names(words: [String]) throws {
    let path = ScriptedDatasetFiles.folder.path + words[0]
    let sequence = try context(path, words.count > 1 ? words[1] : nil).sequence
    #expect(sequence.name == "s03-fast")
    #expect(sequence.subject == "s03" && sequence.labels != nil)
  }

  @Test("A dataset alone is refused with names to choose from")
  func datasetAlone() {
    let failure = #expect(throws: WorkflowFailure.self) {
      try context(ScriptedDatasetFiles.folder.path)
    }
    #expect(failure?.message.contains("s01-floor") ?? false)
  }
}

@Suite("Reading against the oracle") struct RecordingReaderOracleTests {
  /// How far apart numbers may be that were parsed from 17 digits: matrices and up vectors.
  ///
  /// The oracle parses with Foundation, which is off by up to two units in the last place now and
  /// then. Positions become `Float`s, so those are compared as they are.
  private static let slack = 1e-14

  @Test(
    "Times, joints, up vectors and heights are what the oracle reads",
    arguments: Draws.seeds(150 as UInt64))
  func reading(seed: UInt64) throws {
    var generator = OracleGenerator(seed: seed)
    let text = generator.recordingText(frames: 60)
    let expected = try OracleRecording(text: text)
    let file = try RecordingReader.read(text: text, name: "random")
    let recording = file.recording
    #expect(recording.times == expected.times)
    #expect(file.posesWithoutMatrix == expected.posesWithoutMatrix)
    for (frame, pose) in expected.frames.enumerated() {
      try #require(recording.isMissing(at: frame) == pose.isMissing, "frame \(frame)")
      #expect(recording.bodyHeight(at: frame)?.value == pose.height)
      guard !pose.isMissing else { continue }
      let apart = Skeleton.vision3d.joints.first { joint in
        let found = recording.evaluatedPosition(of: joint, at: frame)
        let limit = recording.header.frame == .pelvis ? Self.slack : 0
        return !agree(found, pose.joints[joint.name], within: limit)
      }
      #expect(apart == nil, "frame \(frame)")
      let axes = try #require(recording.axes(at: frame))
      let vertical = axes.publishedVertical
      #expect(SIMD3(vertical.x, vertical.y, vertical.z) == pose.articleVerticalAxis)
      #expect(agree(axes.up, pose.up, within: Self.slack), "frame \(frame)")
    }
  }

  private func agree(_ found: Vector3?, _ expected: SIMD3<Double>?, within limit: Double) -> Bool {
    guard let found, let expected else { return found == nil && expected == nil }
    return (found - Vector3(expected.x, expected.y, expected.z)).norm <= limit
  }
}

@Suite("Replay against the oracle") struct ReplayOracleTests {
  @Test(
    "From text to steady answers, the built-in rules answer what the oracle answers",
    arguments: Draws.seeds(250 as UInt64))
  func answers(seed: UInt64) throws {
    var generator = OracleGenerator(seed: seed + 5000)
    let detector = generator.builtInVariant()
    let startsMid = generator.random.chance(0.3)
    let text = generator.recordingText(
      frames: 100, holdSeconds: detector.value("hold_seconds"))
    let expected = OracleReplay.run(
      try OracleRecording(text: text), detector, startsMid: startsMid)
    let recording = try RecordingReader.read(text: text, name: "random").recording

    let definition = try #require(DetectorDefinition.builtIn(named: detector.name))
    var parameters = definition.defaults
    for (key, value) in detector.parameters { try parameters.set(ParameterKey(key), to: value) }
    let batch = try BatchDetector(definition, parameters: parameters)
    let columns = batch.measure(recording, also: .all)
    let answers = batch.detect(columns, times: recording.times, startsMid: startsMid)

    #expect(names(.plank, answers.plank.raw) == expected.map(\.plankRaw))
    #expect(names(.form, answers.form.raw) == expected.map(\.formRaw))
    #expect(names(.plank, answers.plank.answers) == expected.map(\.plank))
    #expect(names(.form, answers.form.answers) == expected.map(\.form))
    for measurement in Measurement.builtIn {
      let apart = expected.indices.first { frame in
        let value = columns.value(of: measurement, at: frame)
        let truth = expected[frame].measurements[measurement.name]
        return !agree(value, truth) && !isLoneForearm(measurement, recording, frame)
      }
      #expect(apart == nil, "\(measurement) at this frame")
    }
  }

  /// Equal, or neighbors, or next to nothing.
  ///
  /// The oracle parses with Foundation, whose numbers of 17 digits (matrices, up vectors) are two
  /// units in the last place off now and then. The nearest `Float` may then be the next one, and
  /// where terms cancel, what is left differs by as much as the terms do.
  private func agree(_ value: Float?, _ truth: Float?) -> Bool {
    guard let value, let truth else { return value == nil && truth == nil }
    return value == truth || value == truth.nextUp || value == truth.nextDown
      || abs(value - truth) <= 1e-9
  }

  /// Where oracle and contract read "needs both" arms differently: a shoulder is missing, and
  /// forearmVerticality is a matter of elbows and wrists.
  private func isLoneForearm(
    _ measurement: PlankDetection.Measurement, _ recording: Recording, _ frame: Int
  ) -> Bool {
    measurement == .forearmVerticality
      && [Joint.leftShoulder, .rightShoulder].contains {
        recording.position(of: $0, at: frame) == nil
      }
  }

  private func names(_ stream: AnswerStream, _ codes: [UInt8]) -> [String?] {
    codes.map { $0 == Debouncer.undetermined ? nil : stream.labels[Int($0)] }
  }
}
