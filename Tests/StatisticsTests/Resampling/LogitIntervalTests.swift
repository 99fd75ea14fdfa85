import Foundation
import Testing

@testable import Statistics

@Suite("Intervals of bounded numbers")
struct LogitIntervalTests {
  private let share = LogitScale(0...1)

  /// A mean over clusters of equal weight, without resamples.
  private func mean(_ values: [Double]) -> ClusterSample {
    let sum = values.reduce(0, +)
    return ClusterSample(
      estimate: sum / Double(values.count),
      omissions: values.map { (sum - $0) / Double(values.count - 1) }, replicates: [])
  }

  @Test("The ends are logit(p) minus and plus t SE / (p (1 - p)), brought back")
  func definition() throws {
    // p = 0.85 and SE = 0.05 by hand: t(4) = 2.776445, reach = 0.138822 / 0.1275 = 1.088802 around
    // ln(0.85 / 0.15) = 1.734601: 0.645799 and 2.823403 are 0.656063 and 0.943927.
    let spread = (0.05 * 0.05 * 5 * 4 / 2).squareRoot()
    let sample = mean([0.85, 0.85, 0.85, 0.85 - spread, 0.85 + spread])
    #expect(abs(try sample.standardError() - 0.05) < 1e-9)
    let interval = try sample.clusterT(scale: share)
    #expect(abs(interval.lower - 0.656063) < 1e-6)
    #expect(abs(interval.upper - 0.943927) < 1e-6)
    #expect(interval.method == .clusterT)
  }

  @Test(
    "It stays within the range and is longer on the side away from the nearer end",
    arguments: [[0.99, 0.9, 1, 1], [0.02, 0, 0, 0.3], [0.9, 1, 1, 1, 1]])
  func shape(values: [Double]) throws {
    let sample = mean(values)
    let estimate = try #require(sample.estimate)
    let interval = try sample.clusterT(scale: share)
    #expect(interval.lower > 0 && interval.upper < 1)
    #expect((estimate - interval.lower > interval.upper - estimate) == (estimate > 0.5))
  }

  @Test("A coefficient from -1 to 1 goes through (x + 1) / 2")
  func coefficients() throws {
    let kappas = [0.6, 0.9, 0.8, 0.95]
    let direct = try mean(kappas).clusterT(scale: LogitScale(-1...1))
    let shares = try mean(kappas.map { ($0 + 1) / 2 }).clusterT(scale: share)
    #expect(abs(direct.lower - (2 * shares.lower - 1)) < 1e-8)
    #expect(abs(direct.upper - (2 * shares.upper - 1)) < 1e-8)
  }

  @Test("A wider interval has its ends moved on its scale; what alike people allow stays")
  func widened() {
    let interval = Interval(method: .clusterT, level: 0.95, lower: 0.5, upper: 0.9, clusters: 5)
    let plain = interval.widened(by: 2, about: 0.8)
    #expect(abs(plain.lower - 0.2) < 1e-12 && abs(plain.upper - 1) < 1e-12)
    // ln 4 = 1.386294 is moved to 0 and to ln 9 = 2.197225: twice as far are -1.386294 and 3.008155.
    let moved = interval.widened(by: 2, about: 0.8, scale: share)
    #expect(abs(moved.lower - 0.2) < 1e-9 && abs(moved.upper - 0.952941) < 1e-6)
    let alike = Interval(method: .alike, level: 0.95, lower: 0.5, upper: 1, clusters: 5)
    #expect(alike.widened(by: 2, about: 1, scale: share) == alike)
  }

  @Test("A range without an upper end has no logit scale")
  func unbounded() {
    #expect(LogitScale(0...(.infinity)) == nil)
    #expect(LogitScale(3...3) == nil)
  }

  @Test(
    "People who are all alike get the bound that their number allows",
    arguments: [
      (2, 0.223607), (3, 0.368403), (5, 0.549280), (8, 0.687656), (15, 0.818964), (30, 0.904966),
    ])
  func bound(people: Int, least: Double) throws {
    let perfect = try mean(Array(repeating: 1, count: people)).alike(scale: try #require(share))
    #expect(abs(perfect.lower - least) < 1e-6)
    #expect(perfect.upper == 1)
    let zero = try mean(Array(repeating: 0, count: people)).alike(scale: try #require(share))
    #expect(zero.lower == 0)
    #expect(abs(zero.upper - (1 - least)) < 1e-6)
    let between = try mean(Array(repeating: 0.75, count: people)).alike(scale: try #require(share))
    #expect(abs(between.lower - 0.75 * least) < 1e-6)
    #expect(abs(between.upper - (0.75 * least + 1 - least)) < 1e-6)
    #expect(perfect.method == .alike)
  }

  @Test("The bound of n of n holds for 95 % of draws where exactly that share is alike")
  func boundHolds() {
    for people in [2, 5, 30] {
      let share = ClusterSample.leastShareAlike(Double(people))
      #expect(abs(pow(share, Double(people)) - 0.05) < 1e-12)
    }
  }

  @Test("An end moves on the scale, so that it stays within the range")
  func moved() throws {
    let scale = try #require(share)
    #expect(abs(scale.moved(0.9, from: 0.5, by: 2) - 81.0 / 82) < 1e-12)
    #expect(abs(scale.moved(0.1, from: 0.5, by: 2) - 1.0 / 82) < 1e-12)
    #expect(scale.moved(1, from: 0.5, by: 2) == 1)
  }
}

@Suite("Weights of clusters")
struct ClusterWeightsTests {
  @Test("Equal amounts count every cluster, unequal ones fewer")
  func effective() throws {
    #expect(try #require(ClusterWeights(amounts: [[2, 2, 2, 2]])).effective == 4)
    // (5 + 1 + 1 + 1)^2 / (25 + 1 + 1 + 1) = 64 / 28.
    let unequal = try #require(ClusterWeights(amounts: [[5, 1, 1, 1]]))
    #expect(abs(unequal.effective - 64.0 / 28) < 1e-8)
    #expect(unequal.contributing == 4)
  }

  @Test("A cluster without an amount does not count")
  func absent() throws {
    let weights = try #require(ClusterWeights(amounts: [[1, 0, 1, 1]]))
    #expect(abs(weights.effective - 3) < 1e-8)
    #expect(abs(weights.contributing - 3) < 1e-8)
    #expect(ClusterWeights(amounts: [[0, 0]]) == nil)
  }

  @Test("Sources count once each: one person against sixteen is fewer than four")
  func sources() throws {
    let sixteen = Array(repeating: 1.0, count: 16)
    let weights = try #require(
      ClusterWeights(amounts: [[1] + sixteen.map { _ in 0 }, [0] + sixteen]))
    #expect(abs(weights.effective - 1 / (0.25 + 1 / 64.0)) < 1e-6)
  }

  @Test("The degrees of freedom are one less than the effective number, and at least one")
  func freedom() {
    var sample = ClusterSample(estimate: 0.5, omissions: [0.4, 0.5, 0.6], replicates: [])
    #expect(sample.freedom == 2)
    sample.weights = ClusterWeights(amounts: [[5, 1, 1]])
    #expect(sample.freedom == 1)
    sample.weights = ClusterWeights(amounts: [[2, 1, 1]])
    #expect(abs(sample.freedom - (16.0 / 6 - 1)) < 1e-8)
  }
}

@Suite("Ties of resamples")
struct ResampleTieTests {
  @Test("Resamples that tie with the estimate but for rounding count by half", arguments: 0..<20)
  func ties(seed: Int) throws {
    let stream = RandomStream(seed: UInt64(seed), purpose: "ties")
    let exact = ClusterSample(
      estimate: 0.7, omissions: [0.6, 0.7, 0.75],
      replicates: (0..<200).map { $0 % 5 == 0 ? 0.7 : Double($0) / 200 })
    func blurred(_ number: Double) -> Double { number * (1 + stream.gaussian() * 1e-14) }
    func rounded(_ sample: ClusterSample, by change: (Double) -> Double) -> ClusterSample {
      ClusterSample(
        estimate: sample.estimate.map(change),
        omissions: sample.omissions.map { $0.map { ClusterSample.rounded(change($0)) } },
        replicates: sample.replicates.map { $0.map { ClusterSample.rounded(change($0)) } })
    }
    let (left, right) = (rounded(exact) { $0 }, rounded(exact, by: blurred))
    #expect(try left.bca() == right.bca())
    #expect(try left.clusterT() == right.clusterT())
    let scale = LogitScale(0...1)
    #expect(try left.clusterT(scale: scale) == right.clusterT(scale: scale))
  }
}
