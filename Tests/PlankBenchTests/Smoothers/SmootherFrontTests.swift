import Evaluation
import PlankDetection
import PoseModel
import Testing
import Tuning

@testable import PlankBench
@testable import Reports

@Suite("Front of smoothers") struct SmootherFrontTests {
  private func point(_ smoother: String, _ jitter: Double?, _ lag: Double) throws -> SmootherPoint {
    let none = MetricValue.undefined(.notLinear)
    return SmootherPoint(
      try SmoothingChoice(text: smoother), SmootherFamily(origin: .grid, name: "any"),
      calm: SmootherCalm(
        step: jitter.map { .value($0) } ?? .undefined(.noValidPair), spread: none,
        acceleration: none),
      delay: SmootherDelay(
        entries: .value(lag), movement: none, halfTime: none, ninetyTime: none, overshoot: none,
        ramps: [none, none, none], groupDelay: none, whiteGain: none, coloredGain: none))
  }

  private func names(_ points: [SmootherPoint]) -> [String] { points.map(\.name) }

  @Test("The front keeps what no other beats in both jitter and lag, in order of lag")
  func front() throws {
    let front = SmootherFront([
      try point("holt:alpha=0.3", 0.3, 0.1), try point("none", 1, 0),
      try point("ema:cutoff=5Hz", 0.5, 0.1), try point("holt:alpha=0.2", 0.2, 0.2),
      try point("ema:cutoff=2Hz", 0.2, 0.3),
    ])
    #expect(names(front.front) == ["none", "holt:alpha=0.3", "holt:alpha=0.2"])
  }

  @Test("Smoothers that look ahead, or lack a jitter or lag, take no part")
  func bounds() throws {
    let front = SmootherFront([
      try point("gaussian:deviation=0.1s", 0.01, 0), try point("ema:cutoff=5Hz", nil, 0.1),
      try point("holt:alpha=0.3", 0.5, 0.1),
    ])
    #expect(names(front.front) == ["holt:alpha=0.3"])
  }

  @Test("At equal lag every filter shows its calmest, at equal jitter its fastest")
  func equal() throws {
    let front = SmootherFront([
      try point("ema:cutoff=5Hz", 0.5, 0.05), try point("ema:cutoff=2Hz", 0.3, 0.1),
      try point("holt:alpha=0.3", 0.2, 0.1), try point("holt:alpha=0.2", 0.1, 0.2),
    ])
    let lag = try #require(front.equalLag.first { $0.limit == 0.1 })
    #expect(names(lag.points) == ["holt:alpha=0.3", "ema:cutoff=2Hz"])
    let jitter = try #require(front.equalJitter.first { $0.limit == 0.5 })
    #expect(names(jitter.points) == ["ema:cutoff=5Hz", "holt:alpha=0.3"])
    #expect(front.equalJitter.first { $0.limit == 0.05 }?.points.isEmpty == true)
  }

  @Test("The cost is jitter plus what lag costs; looking ahead is never recommended")
  func recommended() throws {
    let comparison = SmootherComparison(
      detector: "gravity", target: .joints, rate: Hertz(30),
      size: .init(sequences: 1, frames: 10, transitions: 1),
      points: [
        try point("gaussian:deviation=0.1s", 0.01, 0), try point("none", 1, 0),
        try point("ema:cutoff=5Hz", 0.4, 0.1), try point("holt:alpha=0.2", 0.1, 0.4),
      ], lagCost: 3, stress: [], angles: [], notes: [])
    #expect(comparison.bestTrade?.name == "ema:cutoff=5Hz")
    #expect(comparison.bestTradeChoice == comparison.bestTrade?.choice)
    let ties = [
      try point("holt:alpha=0.2", 0.5, 0.25), try point("ema:cutoff=5Hz", 1, 0),
      try point("median:frames=3", 0.5, 0.25),
    ]
    for points in [ties, ties.reversed()] {
      #expect(points.cheapest(lagCost: 2, \.self)?.name == "ema:cutoff=5Hz")
    }
    #expect([SmootherPoint]().cheapest(lagCost: 3, \.self) == nil)
    #expect(try point("ema", 0.4, -0.1).cost(lagCost: 3) == 0.4)
    #expect(try point("ema", nil, 0.1).cost(lagCost: 3) == nil)
  }
}

@Suite("Grid of smoothers") struct SmootherGridTests {
  @Test("Every causal filter is tried, over several numbers")
  func complete() throws {
    let variants = try SmootherGrid(target: .joints).variants()
    for kind in SmoothingKind.allCases {
      let own = variants.filter { $0.choice.filters.first ?? .causal(.none) == .causal(kind) }
      #expect(own.count >= (kind == .none ? 1 : 3), "\(kind.rawValue)")
      #expect(own.allSatisfy { $0.choice.isCausal })
    }
    let choices = Set(variants.map(\.choice))
    #expect(choices.count == variants.count)
  }

  @Test("Published smoothers are among the rest, and no search starts from them")
  func shipped() throws {
    let variants = try SmootherGrid(target: .joints).variants()
    for (family, text) in [
      ("Casiez's one-euro", "one-euro:minCutoff=1Hz,beta=0,derivativeCutoff=1Hz@joints"),
      ("MediaPipe's one-euro", "one-euro:minCutoff=0.1Hz,beta=40,derivativeCutoff=1Hz@joints"),
      ("ml-kit", "ml-kit:frames=10,alpha=0.2,reset=0.1s@joints"),
    ] { #expect(variants.contains { $0.family.name == family && $0.choice.text == text }) }
    for family in SmootherTuning.families {
      let own = variants.filter(family.contains)
      #expect(own.count > 3 && own.allSatisfy { $0.family.origin == .grid })
    }
  }

  @Test("What looks ahead says so in its name")
  func bounds() throws {
    let variants = try SmootherGrid(target: .measurements).variants()
    #expect(variants.contains { !$0.choice.isCausal })
    #expect(variants.allSatisfy { $0.choice.isCausal != ($0.family.origin == .bound) })
    #expect(variants.allSatisfy { $0.choice.isCausal != $0.family.name.hasSuffix("(offline)") })
  }
}

@Suite("Changes of the truth") struct TruthChangesTests {
  /// Changes of a text of letters: n none, f forearm, h high, a dot for unscored frames.
  private func changes(_ text: String) -> TruthChanges {
    let codes: [Character: UInt8] = [
      "n": PlankClass.none.code, "f": PlankClass.forearm.code,
      "h": PlankClass.high.code, ".": FrameTruth.unjudged,
    ]
    return TruthChanges(text.map { codes[$0] ?? FrameTruth.unjudged })
  }

  @Test("A boundary between two classes is a change")
  func boundary() { #expect(changes("nnffh").frames == [2, 4] && changes("nnffh").count == 2) }

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
