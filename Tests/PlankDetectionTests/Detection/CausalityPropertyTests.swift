import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("Causality, by property")
struct CausalityPropertyTests {
  @Test(
    "An answer never depends on later frames",
    arguments: DetectorDefinition.builtIn.map(\.name), 0..<12 as Range<UInt64>)
  func prefix(name: String, seed: UInt64) throws {
    let definition = try #require(DetectorDefinition.builtIn(named: name))
    var random = ScriptedRandom(seed: seed)
    let parameters = try RandomParameters.make(definition, &random)
    let startsMid = random.chance(0.5)
    let recording = RandomRecording.make(seed: seed, frames: 200, holdSeconds: 0.5)
    let whole = try Replay.batch(recording, definition, parameters, startsMid: startsMid)
    for _ in 0..<10 {
      let count = random.integer(0...200)
      for other in [recording.prefix(count), recording.losingPoses(from: count)] {
        let part = try Replay.batch(other, definition, parameters, startsMid: startsMid)
        for stream in AnswerStream.allCases {
          #expect(part[stream].answers.prefix(count) == whole[stream].answers.prefix(count))
          #expect(part[stream].raw.prefix(count) == whole[stream].raw.prefix(count))
          #expect(part[stream].isHeld.prefix(count) == whole[stream].isHeld.prefix(count))
        }
      }
    }
  }
}
