import PoseModel
import Testing

@testable import PlankBench

@Suite("Changes of the truth")
struct TruthChangesTests {
  /// Changes of a text of letters: n none, f forearm, h high, a dot for unscored frames.
  private func changes(_ text: String) -> TruthChanges {
    let codes: [Character: UInt8] = [
      "n": PlankClass.none.code, "f": PlankClass.forearm.code,
      "h": PlankClass.high.code, ".": FrameTruth.unjudged,
    ]
    return TruthChanges(text.map { codes[$0] ?? FrameTruth.unjudged })
  }

  @Test("A boundary between two classes is a change")
  func boundary() {
    #expect(changes("nnffh").frames == [2, 4] && changes("nnffh").count == 2)
  }

  @Test("A movement that is left out starts and ends, and is one change")
  func movement() {
    #expect(changes("ff..hh").frames == [2, 4] && changes("ff..hh").count == 1)
    #expect(changes("ff..ffn").frames == [2, 4, 6] && changes("ff..ffn").count == 2)
  }

  @Test("What comes before the first label and after the last one is none")
  func ends() {
    #expect(changes("..ff..").frames.isEmpty && changes("..ff..").count == 0)
    #expect(changes("....").frames.isEmpty && changes("").frames.isEmpty)
  }
}
