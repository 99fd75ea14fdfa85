import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("Streaming and batch, by property")
struct StreamingPropertyTests {
  private func expectEqual(
    _ recording: Recording, _ definition: DetectorDefinition, seed: UInt64
  ) throws {
    var random = ScriptedRandom(seed: seed)
    let parameters = try RandomParameters.make(definition, &random)
    let startsMid = random.chance(0.5)
    let batch = try Replay.batch(recording, definition, parameters, startsMid: startsMid)
    let stream = try Replay.stream(recording, definition, parameters, startsMid: startsMid)
    let angles = Replay.measure(recording, definition.axes)
    #expect(stream.map(\.plank.rawValue) == batch.plank.answers)
    #expect(stream.map(\.form.rawValue) == batch.form.answers)
    #expect(stream.map { $0.rawPlank?.rawValue ?? Debouncer.undetermined } == batch.plank.raw)
    #expect(stream.map { $0.rawForm?.rawValue ?? Debouncer.undetermined } == batch.form.raw)
    let grades = stream.indices.map { frame in
      FormGrade(
        bodyAngle: angles.value(of: .bodyAngle, at: frame), answer: stream[frame].plank)
    }
    #expect(stream.map(\.grade) == grades)
  }

  @Test(
    "The streaming detector answers like the batch detector on nonsense",
    arguments: DetectorDefinition.builtIn.map(\.name), 0..<40 as Range<UInt64>)
  func randomRecordings(name: String, seed: UInt64) throws {
    let definition = try #require(DetectorDefinition.builtIn(named: name))
    let recording = RandomRecording.make(seed: seed, frames: 300, holdSeconds: 0.5)
    try expectEqual(recording, definition, seed: seed + 1000)
  }

  @Test(
    "The streaming detector answers like the batch detector on scripted sessions",
    arguments: DetectorDefinition.builtIn.map(\.name), 0..<10 as Range<UInt64>)
  func scriptedSessions(name: String, seed: UInt64) throws {
    let definition = try #require(DetectorDefinition.builtIn(named: name))
    let session = Sessions.full(rate: [8, 15, 30, 60][Int(seed % 4)], deviation: 0.01, seed: seed)
    try expectEqual(session.recording(ScriptedCamera()), definition, seed: seed)
    try expectEqual(session.pelvisRecording(ScriptedCamera()), definition, seed: seed + 1)
  }
}
