import Evaluation
import PlankDetection
import PoseModel
import Testing
import Tuning

@testable import PlankBench

@Suite("Front of smoothers")
struct SmootherFrontTests {
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

  @Test("Points at one place are all on the front")
  func ties() throws {
    let front = SmootherFront([
      try point("holt:alpha=0.3", 0.3, 0.1), try point("ema:cutoff=5Hz", 0.3, 0.1),
    ])
    #expect(names(front.front) == ["ema:cutoff=5Hz", "holt:alpha=0.3"])
  }

  @Test("Smoothers that look ahead, or lack a jitter or lag, take no part")
  func bounds() throws {
    let front = SmootherFront([
      try point("gaussian:deviation=0.1s", 0.01, 0), try point("ema:cutoff=5Hz", nil, 0.1),
      try point("holt:alpha=0.3", 0.5, 0.1),
    ])
    #expect(names(front.front) == ["holt:alpha=0.3"])
  }

  @Test("Curves of one filter are one kind, a chain is a kind of its own")
  func kinds() throws {
    #expect(try point("ema", 1, 0).choice.filters == [.causal(.exponential)])
    let chain = try point("median:seconds=0.2s+ema:cutoff=3Hz", 1, 0)
    #expect(chain.choice.filters == [.causal(.median), .causal(.exponential)])
    let front = SmootherFront([
      try point("ema:cutoff=5Hz", 0.5, 0.05), try point("ema:cutoff=2Hz", 0.3, 0.06), chain,
    ])
    #expect(
      try #require(front.equalLag.last).points.map(\.choice.filters) == [
        [.causal(.exponential)], [.causal(.median), .causal(.exponential)],
      ])
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
