import Evaluation
import PoseModel
import Testing

@Suite("Front of smoothers")
struct SmootherFrontTests {
  private func point(
    _ family: String, _ jitter: Double?, _ lag: Double, isCausal: Bool = true
  ) -> SmootherPoint {
    let none = MetricValue.undefined(.notLinear)
    return SmootherPoint(
      family: family, text: "\(family):x=\(lag)", isCausal: isCausal,
      calm: SmootherCalm(
        step: jitter.map { .value($0) } ?? .undefined(.noValidPair), spread: none,
        acceleration: none),
      delay: SmootherDelay(
        entries: .value(lag), movement: none, halfTime: none, ninetyTime: none, overshoot: none,
        ramps: [none, none, none], groupDelay: none, whiteGain: none, coloredGain: none))
  }

  private func names(_ points: [SmootherPoint]) -> [String] { points.map(\.text) }

  @Test("The front keeps what no other beats in both jitter and lag, in order of lag")
  func front() {
    let front = SmootherFront([
      point("b", 0.3, 0.1), point("none", 1, 0), point("a", 0.5, 0.1), point("b", 0.2, 0.2),
      point("a", 0.2, 0.3),
    ])
    #expect(names(front.front) == ["none:x=0.0", "b:x=0.1", "b:x=0.2"])
  }

  @Test("Points at one place are all on the front")
  func ties() {
    let front = SmootherFront([point("a", 0.3, 0.1), point("b", 0.3, 0.1)])
    #expect(names(front.front) == ["a:x=0.1", "b:x=0.1"])
  }

  @Test("Smoothers that look ahead, or lack a jitter or lag, take no part")
  func bounds() {
    let front = SmootherFront([
      point("offline", 0.01, 0, isCausal: false), point("a", nil, 0.1), point("b", 0.5, 0.1),
    ])
    #expect(names(front.front) == ["b:x=0.1"])
  }

  @Test("Curves of one filter are one kind, a chain is a kind of its own")
  func kinds() throws {
    #expect(point("ema", 1, 0).kind == "ema")
    let chain = SmootherPoint(
      family: "median + ema", text: "median:seconds=0.2s@joints+ema:cutoff=3Hz@joints",
      isCausal: true, calm: point("", 1, 0).calm, delay: point("", 1, 0).delay)
    #expect(chain.kind == "median + ema")
    let front = SmootherFront([point("a", 0.5, 0.05), point("a", 0.3, 0.06), chain])
    #expect(try #require(front.equalLag.last).points.map(\.kind) == ["a", "median + ema"])
  }

  @Test("At equal lag every filter shows its calmest, at equal jitter its fastest")
  func equal() throws {
    let front = SmootherFront([
      point("a", 0.5, 0.05), point("a", 0.3, 0.1), point("b", 0.2, 0.1), point("b", 0.1, 0.2),
    ])
    let lag = try #require(front.equalLag.first { $0.limit == 0.1 })
    #expect(names(lag.points) == ["b:x=0.1", "a:x=0.1"])
    let jitter = try #require(front.equalJitter.first { $0.limit == 0.5 })
    #expect(names(jitter.points) == ["a:x=0.05", "b:x=0.1"])
    #expect(front.equalJitter.first { $0.limit == 0.05 }?.points.isEmpty == true)
  }

  @Test("The cost is jitter plus what lag costs; looking ahead is never recommended")
  func recommended() {
    let comparison = SmootherComparison(
      dataset: anyDataset, detector: "gravity", target: "joints", rate: 30,
      size: .init(sequences: 1, frames: 10, transitions: 1), raw: [],
      points: [
        point("offline", 0.01, 0, isCausal: false), point("none", 1, 0), point("a", 0.4, 0.1),
        point("b", 0.1, 0.4),
      ], lagCost: 3, stress: [], angles: [], notes: [])
    #expect(comparison.recommended?.family == "a")
    #expect(SmootherComparison.cost(point("x", 0.4, -0.1), lagCost: 3) == 0.4)
    #expect(SmootherComparison.cost(point("x", nil, 0.1), lagCost: 3) == nil)
  }
}
