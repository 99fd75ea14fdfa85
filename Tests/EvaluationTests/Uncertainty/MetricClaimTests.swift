import Evaluation
import PoseModel
import Statistics
import Testing

@Suite("Claims of a comparison")
struct MetricClaimTests {
  private static let accuracy = MetricKey(.accuracy, in: .plank)
  private static let recall = MetricKey(.recall, in: .plank, label: "high")
  private static let nowhere = MetricKey(.recall, in: .plank, label: "sideLeft")

  /// Several sides, each with so many wrong frames of 20 per person, against the first.
  private func decided(
    _ sides: [[Int]], by keys: [MetricKey] = [accuracy], margin: Double? = nil
  ) -> [PairedComparison] {
    let scores = sides.map { GateSide.scripted($0).sequences }
    let pairs = scores.dropFirst().map {
      PairedComparison(scores[0], $0, keys: keys, tested: keys, resamples: 500)
    }
    return PairedComparison.decided(pairs, by: keys, margin: margin)
  }

  private func claim(
    _ sides: [[Int]], by keys: [MetricKey] = [accuracy], margin: Double? = nil
  ) throws -> MetricClaim {
    try #require(decided(sides, by: keys, margin: margin).first?.metrics.first?.claim)
  }

  private static let before = [0, 1, 0, 1, 2, 1]
  private static let after = [3, 2, 4, 3, 4, 5]

  @Test("More metrics make every claim harder, and an undefined one takes no part")
  func metrics() throws {
    let alone = try claim([Self.before, Self.after])
    let pair = decided([Self.before, Self.after], by: [Self.accuracy, Self.nowhere, Self.recall])
    let claims = try pair[0].metrics.map { try #require($0.claim) }
    #expect(claims.map(\.tests) == [2, 2, 2] && alone.tests == 1)
    let p = try #require(alone.probability)
    for claim in [claims[0], claims[2]] {
      #expect(abs(try #require(claim.adjustedProbability) - 2 * p) < 1e-12)
      #expect(try #require(claim.detectableDifference) > alone.detectableDifference ?? 1)
    }
    #expect(claims[1].adjustedProbability == nil && claims[1].verdict == .undefined)
  }

  @Test("More sides make every claim harder, also those that show nothing")
  func sides() throws {
    let same = Array(repeating: Self.before, count: 9)
    let after = [1, 1, 2, 2, 2, 3]
    let alone = try claim([Self.before, after])
    let among = try claim([Self.before, after] + same)
    #expect(alone.verdict == .worse && alone.tests == 1)
    #expect(among.verdict == .cannotTell && among.tests == 10)
    #expect(abs((among.adjustedProbability ?? 0) - 10 * (alone.probability ?? 0)) < 1e-12)
    #expect((among.detectableDifference ?? 0) > alone.detectableDifference ?? 1)
  }

  @Test("A metric that does not decide gets no claim and is no test")
  func shown() {
    let keys = [Self.accuracy, Self.recall]
    let sides = [Self.before, Self.after].map { GateSide.scripted($0).sequences }
    let pair = PairedComparison(
      sides[0], sides[1], keys: keys, tested: [Self.accuracy], resamples: 100)
    let metrics = PairedComparison.decided([pair], by: [Self.accuracy])[0].metrics
    #expect(metrics.map { $0.claim?.tests } == [1, nil])
    #expect(metrics[0].signFlip != nil && metrics[1].signFlip == nil)
  }

  @Test(
    "Where all people differ alike, the sign flip decides: from six people on",
    arguments: [(2, ComparisonVerdict.cannotTell), (5, .cannotTell), (6, .worse), (9, .worse)])
  func alike(people: Int, expected: ComparisonVerdict) throws {
    let before = (0..<people).map { [1, 5, 9, 2][$0 % 4] }
    let made = decided([before, before.map { $0 + 2 }])
    let metric = try #require(made[0].metrics.first)
    #expect(metric.intervals.clusterT == .undefined(.noVariation))
    let claim = try #require(metric.claim)
    #expect(claim.verdict == expected)
    #expect(claim.bounds == nil && claim.detectableDifference == nil)
    let p = (1..<people).reduce(1.0) { product, _ in product / 2 }
    #expect(claim.probability == p)
  }

  @Test("Six people alike are too few among two tests")
  func alikeAmongTwo() throws {
    let before = [1, 5, 9, 2, 3, 4]
    let made = decided(
      [before, before.map { $0 + 2 }], by: [Self.accuracy, Self.recall])
    #expect(made[0].metrics.map { $0.claim?.verdict } == [.cannotTell, .cannotTell])
    #expect(made[0].metrics[0].claim?.adjustedProbability == 2.0 / 32)
  }

  @Test("The interval of a claim agrees with its verdict", arguments: UInt64(0)..<40)
  func bounds(seed: UInt64) throws {
    let random = RandomStream(seed: seed, purpose: "claims")
    let side = { (shift: Int) in (0..<7).map { _ in shift + random.index(below: 5) } }
    let pairs = decided([side(3), side(3), side(5), side(8)], by: [Self.accuracy])
    for metric in pairs.flatMap(\.metrics) {
      let claim = try #require(metric.claim)
      let bounds = try #require(claim.bounds)
      let difference = try #require(metric.difference)
      #expect(bounds.lower <= difference && difference <= bounds.upper)
      switch claim.verdict {
      case .better: #expect(bounds.lower >= 0)
      case .worse: #expect(bounds.upper <= 0)
      default: #expect(bounds.lower <= 0 && bounds.upper >= 0)
      }
    }
  }

  @Test("A margin plans people with the correction of the verdict; none is planned without one")
  func plan() throws {
    let sides = [Self.before, Self.after]
    #expect(try claim(sides).plan == nil)
    let alone = try #require(try claim(sides, margin: 0.02).plan)
    let among = try #require(
      try claim(sides, by: [Self.accuracy, Self.recall], margin: 0.02).plan)
    #expect(alone.margin == 0.02)
    #expect(alone.standardDeviation == among.standardDeviation)
    #expect(try #require(among.clusters) > #require(alone.clusters))
  }
}
