import Testing

@testable import Statistics

@Suite("Cluster sample")
struct ClusterSampleTests {
  private func sample(_ values: [Double], count: Int = 500, seed: UInt64 = 1) -> ClusterSample {
    let resamples = ClusterResamples(
      clusters: values.count, count: count,
      stream: RandomStream(seed: seed, purpose: "bootstrap"))
    return ClusterSample.make(resamples) { drawn in
      [drawn.reduce(0) { $0 + values[$1] } / Double(drawn.count)]
    }[0]
  }

  private func gap<Range>(_ body: () throws(UndefinedReason) -> Range) -> UndefinedReason? {
    do {
      _ = try body()
      return nil
    } catch {
      return error
    }
  }

  @Test("One cluster has no interval, by any method")
  func oneCluster() {
    let one = sample([0.9])
    #expect(one.estimate == 0.9)
    #expect(gap { () throws(UndefinedReason) in try one.clusterT() } == .fewerThanTwoClusters)
    #expect(gap { () throws(UndefinedReason) in try one.bca() } == .fewerThanTwoClusters)
    #expect(gap { () throws(UndefinedReason) in try one.percentile() } == .fewerThanTwoClusters)
  }

  @Test("Equal clusters have no interval: certainty is not claimed of sameness")
  func noVariation() {
    let same = sample([0.7, 0.7, 0.7, 0.7])
    #expect(gap { () throws(UndefinedReason) in try same.clusterT() } == .noVariation)
    #expect(gap { () throws(UndefinedReason) in try same.bca() } == .noVariation)
    #expect(gap { () throws(UndefinedReason) in try same.percentile() } == .noVariation)
  }

  @Test("A number that is undefined without a cluster has a percentile interval only")
  func undefinedOmission() throws {
    let partial = ClusterSample(
      estimate: 1, omissions: [1, nil, 1.2], replicates: [0.8, 1, 1.1, 1.2])
    #expect(
      gap { () throws(UndefinedReason) in try partial.clusterT() } == .undefinedWithoutACluster)
    #expect(gap { () throws(UndefinedReason) in try partial.bca() } == .undefinedWithoutACluster)
    #expect(try partial.percentile().contains(1))
  }

  @Test("Over one resample in twenty without a number leaves no interval", arguments: [5, 6])
  func undefinedReplicates(missing: Int) {
    let replicates = (0..<100).map { $0 < missing ? nil : Double($0) }
    let some = ClusterSample(estimate: 50, omissions: [49, 50, 51], replicates: replicates)
    let found = gap { () throws(UndefinedReason) in try some.percentile() }
    #expect(found == (missing > 5 ? .undefinedReplicates : nil))
  }

  @Test("An estimate outside of all resamples leaves no corrected interval")
  func oneSided() {
    let far = ClusterSample(estimate: 9, omissions: [8, 9, 10], replicates: [1, 2, 3, 4])
    #expect(gap { () throws(UndefinedReason) in try far.bca() } == .oneSided)
  }

  @Test("A difference of a sample with itself is zero everywhere")
  func selfDifference() {
    let one = sample([0.9, 0.7, 0.8, 0.95])
    let none = one - one
    #expect(none.estimate == 0)
    #expect(none.replicates.allSatisfy { $0 == 0 })
    #expect(gap { () throws(UndefinedReason) in try none.bca() } == .noVariation)
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

  @Test("The same seed draws the same resamples, another one others")
  func seeds() {
    let values = [0.5, 0.7, 0.9, 0.6]
    #expect(sample(values) == sample(values))
    #expect(sample(values) != sample(values, seed: 2))
  }

  @Test("The detectable difference is found in four of five experiments", arguments: [6, 12])
  func detectable(clusters: Int) throws {
    let stream = RandomStream(seed: 5, purpose: "power")
    // Standardized values: their standard error is exactly 1 / sqrt(n).
    let reference = (0..<clusters).map { Double($0) }
    let center = reference.reduce(0, +) / Double(clusters)
    let spread =
      (reference.reduce(0) { $0 + ($1 - center) * ($1 - center) }
      / Double(clusters - 1)).squareRoot()
    let standard = sample(reference.map { ($0 - center) / spread })
    let difference = try standard.test().detectableDifference(risk: 0.05)
    let found = try (0..<400).count { _ in
      let values = (0..<clusters).map { _ in stream.gaussian(mean: difference) }
      return try sample(values, count: 1).clusterT().lower > 0
    }
    #expect((0.74...0.87).contains(Double(found) / 400))
  }
}

@Suite("Standard errors from resamples")
struct ClusterSpreadTests {
  /// Eight clusters of known values.
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

  @Test("A difference keeps what its spread is made from")
  func difference() {
    var left = sample { Double($0[0]) }
    left.spread = .bootstrap
    #expect((left - left).spread == .bootstrap)
  }
}
