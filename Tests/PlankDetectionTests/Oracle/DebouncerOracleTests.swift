import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("Debounce against the oracle")
struct DebouncerOracleTests {
  @Test(
    "The state machine answers what the history says", arguments: Draws.seeds(300 as UInt64))
  func steadyAnswers(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let hold = random.pick([0, 0.1, 0.2, 0.5, 1])
    let needed = random.integer(1...6)
    let startsMid = random.chance(0.3)
    var times: [Double] = []
    var raw: [String?] = []
    var time = 0.0
    for _ in 0..<120 {
      times.append(time)
      let fresh = random.chance(0.15) ? nil : random.pick(["none", "forearm", "high"])
      raw.append(random.chance(0.5) ? raw.last ?? fresh : fresh)
      time += random.pick([0.1, 0.1, 0.1, hold, hold + 0.5e-9, hold + 2e-9, hold / 2]) + 1e-6
    }
    var debouncer = Debouncer(
      framesNeeded: needed, holdSeconds: Seconds(hold), startsMid: startsMid)
    let labels = AnswerStream.plank.labels
    let answers = times.indices.map { frame in
      let code = raw[frame].flatMap { AnswerStream.plank.code(of: $0) }
      return labels[Int(debouncer.update(code ?? Debouncer.undetermined, at: times[frame]))]
    }
    let expected = times.indices.map { frame in
      OracleReplay.steady(
        times, raw, at: frame, count: needed, hold: hold, startsMid: startsMid, empty: "none")
    }
    #expect(answers == expected)
  }
}
