import TestSupport
import Testing

@testable import Statistics

@Suite("Cluster sample") struct ClusterSampleTests {
  private func sample(_ values: [Double], count: Int = 500, seed: UInt64 = 1) -> ClusterSample {
    ClusterSample.mean(of: values, resamples: count, seed: seed)
  }

  @Test("Equal clusters have no interval: certainty is not claimed of sameness")
  func noVariation() {
    let same = sample([0.7, 0.7, 0.7, 0.7])
    #expect(throws: UndefinedReason.noVariation) { try same.clusterT() }
    #expect(throws: UndefinedReason.noVariation) { try same.bca() }
    #expect(throws: UndefinedReason.noVariation) { try same.percentile() }
  }

  @Test("A number that is undefined without a cluster has a percentile interval only")
  func undefinedOmission() throws {
    let partial = ClusterSample(
      estimate: 1, omissions: [1, nil, 1.2], replicates: [0.8, 1, 1.1, 1.2])
    #expect(throws: UndefinedReason.undefinedWithoutACluster) { try partial.clusterT() }
    #expect(throws: UndefinedReason.undefinedWithoutACluster) { try partial.bca() }
    #expect(try partial.percentile().contains(1))
  }

  @Test("Over one resample in twenty without a number leaves no interval", arguments: [5, 6])
  func undefinedReplicates(missing: Int) {
    let replicates = (0..<100).map { $0 < missing ? nil : Double($0) }
    let some = ClusterSample(estimate: 50, omissions: [49, 50, 51], replicates: replicates)
    if missing > 5 {
      #expect(throws: UndefinedReason.undefinedReplicates) { try some.percentile() }
    } else {
      #expect(throws: Never.self) { try some.percentile() }
    }
  }

  @Test("An estimate outside of all resamples leaves no corrected interval")
  func oneSided() {
    let far = ClusterSample(estimate: 9, omissions: [8, 9, 10], replicates: [1, 2, 3, 4])
    #expect(throws: UndefinedReason.oneSided) { try far.bca() }
  }

  @Test("Paired differences are narrower than the sides if clusters differ among themselves")
  func paired() throws {
    let left = sample([0.5, 0.7, 0.9, 0.6, 0.8])
    let right = sample([0.49, 0.68, 0.89, 0.57, 0.79])
    let difference = left - right
    #expect(try difference.clusterT().width < left.clusterT().width / 5)
    #expect(try difference.bca().width < left.bca().width / 5)
  }

  @Test(
    "Limits do not depend on the zero of a clock, although resamples tie with the number",
    arguments: [-1000, 1e6])
  func clocks(zero: Double) throws {
    // Rates of events over seconds between two times, as a recording has them.
    let events = [3.0, 1, 4, 2, 3, 5, 2, 4]
    let starts = [0.1, 0.3, 0.7, 0.2, 0.9, 0.4, 0.6, 0.8]
    func sample(_ zero: Double) -> ClusterSample {
      let seconds = zip(events, starts).map { count, start in
        (zero + start + count / 0.7) - (zero + start)
      }
      let resamples = ClusterResamples(
        clusters: events.count, count: 2000, stream: RandomStream(seed: 1, purpose: "bootstrap"))
      return ClusterSample.make(resamples) { drawn in
        // Whoever is drawn, the rate is 0.7 a second but for rounding, or twice that.
        let time = drawn.reduce(0) { $0 + seconds[$1] }
        let count = drawn.reduce(0) { $0 + events[$1] }
        return [count / time * (drawn.contains(0) ? 1 : 2)]
      }[0]
    }
    let (before, after) = (try sample(0).bca(), try sample(zero).bca())
    #expect(abs(before.lower - after.lower) < 1e-8 && abs(before.upper - after.upper) < 1e-8)
    let (first, second) = (try sample(0).clusterT(), try sample(zero).clusterT())
    #expect(abs(first.lower - second.lower) < 1e-8 && abs(first.upper - second.upper) < 1e-8)
  }

  @Test("The detectable difference is found in four of five experiments", arguments: [6, 12])
  func detectable(clusters: Int) throws {
    let stream = RandomStream(seed: 5, purpose: "power")
    // Standardized values: their standard error is exactly 1 / sqrt(n).
    let reference = (0..<clusters).map { Double($0) }
    let center = reference.reduce(0, +) / Double(clusters)
    let spread = (reference.reduce(0) { $0 + ($1 - center) * ($1 - center) } / Double(clusters - 1))
      .squareRoot()
    let standard = sample(reference.map { ($0 - center) / spread })
    let difference = try standard.test().detectableDifference(risk: 0.05)
    let found = try (0..<400).count { _ in
      let values = (0..<clusters).map { _ in stream.gaussian(mean: difference) }
      return try sample(values, count: 1).clusterT().lower > 0
    }
    #expect((0.74...0.87).contains(Double(found) / 400))
  }
}

@Suite("Standard errors from resamples") struct ClusterSpreadTests {
  private static let values = [1.0, 2, 4, 7, 11, 16, 22, 29]

  private func sample(_ number: @escaping ([Int]) -> Double) -> ClusterSample {
    let resamples = ClusterResamples(
      clusters: Self.values.count, count: 20_000,
      stream: RandomStream(seed: 3, purpose: "bootstrap"))
    return ClusterSample.make(resamples) { [number($0)] }[0]
  }

  @Test("Of a total, resamples give the spread of new clusters and the jackknife too little")
  func total() throws {
    var total = sample { drawn in drawn.reduce(0) { $0 + Self.values[$1] } }
    let count = Double(Self.values.count)
    let mean = Self.values.reduce(0, +) / count
    let variance = Self.values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    let expected = (count * variance).squareRoot()
    let jackknife = try total.standardError()
    #expect(abs(jackknife - expected * (count - 1) / count) < 1e-9)
    total.spread = .bootstrap
    #expect(abs(try total.standardError() / expected - 1) < 0.02)
  }

  @Test("Of a median, the jackknife sees two values only and resamples see all")
  func median() throws {
    var median = sample { drawn in
      let sorted = drawn.map { Self.values[$0] }.sorted()
      return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
    #expect(Set(median.omissions.compactMap(\.self)).count == 2)
    median.spread = .bootstrap
    let error = try median.standardError()
    let interval = try median.clusterT()
    #expect(abs(interval.width / (2 * StudentT.quantile(0.975, freedom: 7) * error) - 1) < 1e-12)
    #expect(error > 3 && error < 8)
    #expect(try median.bca().lower < 9)
  }
}

@Suite("Intervals of bounded numbers") struct LogitIntervalTests {
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
  @Test("A cluster without an amount does not count")
  func absent() throws {
    let weights = try #require(ClusterWeights(amounts: [[1, 0, 1, 1]]))
    #expect(abs(weights.effective - 3) < 1e-8)
    #expect(abs(weights.contributing - 3) < 1e-8)
    #expect(ClusterWeights(amounts: [[0, 0]]) == nil)
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

@Suite("Ties of resamples") struct ResampleTieTests {
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

@Suite("Sign-flip test") struct SignFlipTestTests {
  @Test(
    "Clusters that all agree give the least probability, 2 / 2^n",
    arguments: [(5, 0.0625), (6, 0.03125), (10, 0.001953125), (16, 1 / 32768.0)])
  func smallest(clusters: Int, least: Double) {
    #expect(SignFlipTest.leastProbability(clusters: clusters) == least)
  }

  @Test(
    "The fewest clusters that can exclude chance are the first whose least probability does",
    arguments: [(0.05, 6), (0.025, 7), (1 / 32.0, 6), (0.03, 7), (1, 1)])
  func fewest(risk: Double, clusters: Int) {
    #expect(SignFlipTest.fewestClusters(risk: risk) == clusters)
  }
}

/// Results of scipy and statsmodels; the golden file states the versions.
struct ResamplingGolden: Decodable {
  struct Case: Decodable {
    let estimate: Double
    let omissions: [Double]
    let replicates: [Double]
    let expected: Expected

    var sample: ClusterSample {
      ClusterSample(estimate: estimate, omissions: omissions, replicates: replicates)
    }
  }
  struct Expected: Decodable {
    let percentile: [Double]
    let bca: [Double]
    let clusterT: [Double]
    let logitT: [Double]?
    let probability: Double

    enum CodingKeys: String, CodingKey {
      case percentile, bca, clusterT, logitT
      case probability = "pBelow03"
    }
  }
  struct Family: Decodable {
    let p: [Double]
    let adjusted: [Double]
  }
  struct Bound: Decodable {
    let people: Int
    let share: Double
  }
  struct Weights: Decodable {
    let amounts: [[Double]]
    let effective: Double
  }
  let intervals: [Case]
  let holm: [Family]
  let bounds: [Bound]
  let weights: [Weights]

  static func read() throws -> ResamplingGolden {
    try GoldenFile.read("StatisticsTests/Goldens/resampling.json", as: Self.self)
  }
}

@Suite("Resampling against scipy and statsmodels") struct ResamplingGoldenTests {
  private func isNear(_ interval: Interval, _ ends: [Double]) -> Bool {
    isNear(interval.lower...interval.upper, ends)
  }

  private func isNear(_ range: ClosedRange<Double>, _ ends: [Double]) -> Bool {
    // Numbers are rounded to about 1e-9 before intervals are made of them.
    abs(range.lowerBound - ends[0]) < 5e-9 && abs(range.upperBound - ends[1]) < 5e-9
  }

  @Test("Intervals are scipy's on the same resamples", arguments: 0..<4)
  func intervals(index: Int) throws {
    let golden = try ResamplingGolden.read().intervals[index]
    #expect(isNear(try golden.sample.percentile(), golden.expected.percentile))
    #expect(isNear(try golden.sample.bca(), golden.expected.bca))
    #expect(isNear(try golden.sample.clusterT(), golden.expected.clusterT))
    if let ends = golden.expected.logitT {
      #expect(isNear(try golden.sample.clusterT(scale: LogitScale(0...1)), ends))
    }
    let below = try golden.sample.test().probability(below: 0.3)
    #expect(abs(below - golden.expected.probability) < 1e-10)
  }

  @Test("People who are all alike have the bound of an exact binomial test", arguments: 0..<6)
  func bounds(index: Int) throws {
    let golden = try ResamplingGolden.read().bounds[index]
    let share = ClusterSample.leastShareAlike(Double(golden.people))
    #expect(abs(share - golden.share) < 1e-9)
  }

  @Test("Effective numbers of people are Kish's", arguments: 0..<3)
  func weights(index: Int) throws {
    let golden = try ResamplingGolden.read().weights[index]
    let found = try #require(ClusterWeights(amounts: golden.amounts))
    #expect(abs(found.effective - golden.effective) < 1e-6)
  }

  @Test("Holm's correction is statsmodels'", arguments: 0..<4)
  func holm(index: Int) throws {
    let golden = try ResamplingGolden.read().holm[index]
    let adjusted = Holm.adjusted(golden.p)
    #expect(adjusted.count == golden.adjusted.count)
    #expect(zip(adjusted, golden.adjusted).allSatisfy { abs($0 - $1) < 1e-12 })
  }
}
