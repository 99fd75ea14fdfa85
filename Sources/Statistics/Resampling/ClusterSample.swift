/// A number computed from pooled clusters, with the data for its uncertainty.
///
/// The number may be any function of a multiset of clusters; nil means that it is undefined for
/// that multiset.
package struct ClusterSample: Hashable, Sendable {
  package let estimate: Double?
  package let omissions: [Double?]
  package let replicates: [Double?]
  package var spread: Spread
  package var weights: ClusterWeights?

  package enum Spread: Hashable, Sendable {
    /// Leaves out one cluster at a time; suits numbers that are smooth in the clusters, such as
    /// rates.
    case jackknife
    /// Uses the resamples, for totals and for quantiles, whose jackknife does not converge.
    case bootstrap
  }

  package init(
    estimate: Double?, omissions: [Double?], replicates: [Double?], spread: Spread = .jackknife
  ) {
    self.estimate = estimate
    self.omissions = omissions
    self.replicates = replicates
    self.spread = spread
  }

  /// Makes one sample per element that `numbers` returns.
  ///
  /// `numbers` gets a multiset of cluster indices and always returns the same number of elements.
  /// With two or more clusters, it is called resamples + clusters + 1 times. `progress` gets the
  /// number of multisets evaluated since its last call. All results except the estimates are
  /// `rounded`.
  package static func make(
    _ resamples: ClusterResamples, progress: (Int) -> Void = { _ in }, numbers: ([Int]) -> [Double?]
  ) -> [ClusterSample] {
    let all = Array(0..<resamples.clusters)
    let estimates = numbers(all)
    let omissions = all.map { left in
      defer { progress(1) }
      return all.count > 1
        ? numbers(all.filter { $0 != left }) : Array(repeating: nil, count: estimates.count)
    }
    var drawn = all
    let replicates = (0..<resamples.count).map { resample in
      defer { progress(1) }
      resamples.write(resample, to: &drawn)
      return numbers(drawn)
    }
    return estimates.indices.map { column in
      ClusterSample(
        estimate: estimates[column], omissions: omissions.map { $0[column].map(rounded) },
        replicates: replicates.map { $0[column].map(rounded) })
    }
  }

  /// Returns the multiple of 2^-30 (about 1e-9) that is nearest to a number.
  ///
  /// Numbers that differ only by the order of summation become equal or adjacent multiples, so ties
  /// between resamples are recognized.
  package static func rounded(_ number: Double) -> Double { (number * 0x1p30).rounded() * 0x1p-30 }

  static let tie = 0x1.8p-30

  /// Returns the paired difference on the same clusters and resamples, with all clusters weighted
  /// equally.
  ///
  /// Precondition: both samples were made with the same resamples.
  package static func - (left: ClusterSample, right: ClusterSample) -> ClusterSample {
    precondition(
      left.omissions.count == right.omissions.count
        && left.replicates.count == right.replicates.count, "differences are of equal draws")
    func difference(_ first: Double?, _ second: Double?) -> Double? {
      guard let first, let second else { return nil }
      return first - second
    }
    return ClusterSample(
      estimate: difference(left.estimate, right.estimate),
      omissions: zip(left.omissions, right.omissions).map(difference),
      replicates: zip(left.replicates, right.replicates).map(difference), spread: left.spread)
  }

  package var clusters: Int { omissions.count }

  /// The degrees of freedom of the standard error: one less than the effective number of clusters,
  /// and at least 1.
  package var freedom: Double { max(1, (weights?.effective ?? Double(clusters)) - 1) }

  /// Throws for fewer than two clusters, or if one of the numbers is undefined.
  func deviations() throws(UndefinedReason) -> [Double] {
    guard clusters >= 2 else { throw .fewerThanTwoClusters }
    guard estimate != nil else { throw .undefinedEstimate }
    let values = omissions.compactMap(\.self)
    guard values.count == clusters else { throw .undefinedWithoutACluster }
    let mean = values.reduce(0, +) / Double(clusters)
    return values.map { mean - $0 }
  }

  /// Returns the standard error by the sample's method.
  ///
  /// The jackknife gives sqrt((G - 1) / G sum d^2). The bootstrap gives the standard deviation of
  /// the resamples times sqrt(G / (G - 1)), because resamples vary less than new clusters would.
  /// Throws if the error cannot be computed, or would be 0 up to ties. Source: Efron and Tibshirani
  /// 1993, An Introduction to the Bootstrap, 11.5; 11.6 for the cases in which the jackknife fails;
  /// 5.3 for the factor.
  package func standardError() throws(UndefinedReason) -> Double {
    guard spread == .jackknife else { return try bootstrapError() }
    let deviations = try deviations()
    guard deviations.contains(where: { $0.magnitude > Self.tie }) else { throw .noVariation }
    let sum = deviations.reduce(0) { $0 + $1 * $1 }
    return (Double(clusters - 1) / Double(clusters) * sum).squareRoot()
  }
  private func bootstrapError() throws(UndefinedReason) -> Double {
    let values = try definedReplicates()
    let mean = values.reduce(0, +) / Double(values.count)
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let factor = Double(clusters) / Double(clusters - 1)
    return (factor * squares / Double(values.count - 1)).squareRoot()
  }
}

/// Multisets of clusters drawn with replacement, each with as many draws as there are clusters.
///
/// The draws are kept so that several numbers, and both sides of a comparison, use the same ones.
package struct ClusterResamples: Hashable, Sendable {
  package let clusters: Int
  private let indices: [Int]

  /// Draws the multisets in O(clusters * count).
  ///
  /// `count` is 2,000 for intervals that are only shown, and 10,000 for intervals that decide.
  package init(clusters: Int, count: Int, stream: RandomStream) {
    precondition(clusters > 0 && count > 0, "something is drawn, from something")
    self.clusters = clusters
    indices = (0..<clusters * count).map { _ in stream.index(below: clusters) }
  }

  package var count: Int { indices.count / clusters }

  fileprivate func write(_ resample: Int, to drawn: inout [Int]) {
    for place in drawn.indices { drawn[place] = indices[resample * clusters + place] }
  }
}

/// The weights of clusters in a pooled number, from amounts such as seconds.
///
/// Within each source of data, the clusters' shares sum to 1. With several sources, a cluster's
/// share is the mean of its shares in all sources with any amount.
package struct ClusterWeights: Hashable, Sendable {
  /// The number of equal clusters that would vary as little: 1 / sum of squared shares.
  ///
  /// It is at least 1 and at most the number of clusters, which it reaches if all shares are equal.
  /// Source: Kish 1965, Survey Sampling, on the design effect of weights; for degrees of freedom of
  /// shares, Korn and Graubard 1998, Survey Methodology 24:193.
  package let effective: Double
  /// The value of `effective` for equal amounts in all clusters that have any amount.
  ///
  /// With one source, it is the number of clusters that have any amount.
  package let contributing: Double

  /// Takes amounts of at least 0 by source, then by cluster; nil if there is no amount at all.
  package init?(amounts: [[Double]]) {
    let known = amounts.filter { $0.contains { $0 > 0 } }
    guard !known.isEmpty else { return nil }
    effective = Self.effective(known)
    contributing = Self.effective(known.map { $0.map { $0 > 0 ? 1 : 0 } })
  }

  private static func effective(_ sources: [[Double]]) -> Double {
    var shares = Array(repeating: 0.0, count: sources[0].count)
    for source in sources {
      let total = source.reduce(0, +)
      for (cluster, amount) in source.enumerated() {
        shares[cluster] += amount / total / Double(sources.count)
      }
    }
    let effective = ClusterSample.rounded(1 / shares.reduce(0) { $0 + $1 * $1 })
    return max(1, min(effective, Double(shares.count)))
  }
}

/// The limits of the sign-flip test, in which the two sides of any cluster can be swapped.
///
/// Source: Fisher 1935, The Design of Experiments, 21.
package enum SignFlipTest {
  /// Returns the smallest two-sided probability of a test that tries all assignments: 2 / 2^n.
  ///
  /// It applies to clusters that all differ by the same amount, which leave no spread for Student's
  /// t.
  package static func leastProbability(clusters: Int) -> Double {
    Double(sign: .plus, exponent: 1 - clusters, significand: 1)
  }

  /// Returns the smallest number of clusters that can exclude chance at a risk: 6 at 0.05.
  ///
  /// All clusters must differ in the same direction. `risk` is above 0 and is the largest two-sided
  /// probability at which a difference is claimed.
  package static func fewestClusters(risk: Double) -> Int {
    precondition(risk > 0, "no number of clusters excludes chance for certain")
    var clusters = 1
    while leastProbability(clusters: clusters) > risk { clusters += 1 }
    return clusters
  }
}

/// Student's t test of a number from G clusters, with G - 1 degrees of freedom.
package struct StudentTest: Hashable, Sendable {
  /// The probability of finding a true difference as large as `detectableDifference`.
  package static let power = 0.8

  package let estimate: Double
  package let standardError: Double
  package let clusters: Int

  package init(estimate: Double, standardError: Double, clusters: Int) {
    self.estimate = estimate
    self.standardError = standardError
    self.clusters = clusters
  }

  private var freedom: Double { Double(clusters - 1) }

  package func probability(above bound: Double) -> Double {
    StudentT.cumulative((bound - estimate) / standardError, freedom: freedom)
  }

  package func probability(below bound: Double) -> Double {
    StudentT.cumulative((estimate - bound) / standardError, freedom: freedom)
  }

  /// Returns (t(1 - risk / 2) + t(power)) times the standard error.
  ///
  /// `risk` is the probability of claiming a difference if there is none. Source: Cohen 1988,
  /// Statistical Power Analysis, 2.3, with t in place of normal quantiles.
  package func detectableDifference(risk: Double) -> Double {
    standardError
      * (StudentT.quantile(1 - risk / 2, freedom: freedom)
        + StudentT.quantile(Self.power, freedom: freedom))
  }
}

extension ClusterSample {
  package func test() throws(UndefinedReason) -> StudentTest {
    let error = try standardError()
    guard let estimate else { throw .undefinedEstimate }
    return StudentTest(estimate: estimate, standardError: error, clusters: clusters)
  }
}

package enum Holm {
  /// Returns the adjusted probabilities in the given order.
  ///
  /// The k-th smallest of m is multiplied by m - k + 1, and is then at most 1 and at least as large
  /// as the previous result. If all results up to 0.05 are claimed, at most 5 % of such families
  /// contain a false claim. O(m log m). Source: Holm 1979, Scandinavian Journal of Statistics 6:65;
  /// agrees with `statsmodels.stats.multitest.multipletests(method="holm")`.
  package static func adjusted(_ probabilities: [Double]) -> [Double] {
    var result = probabilities
    var least = 0.0
    let order = probabilities.indices.sorted { (probabilities[$0], $0) < (probabilities[$1], $1) }
    for (rank, index) in order.enumerated() {
      least = max(least, min(1, Double(probabilities.count - rank) * probabilities[index]))
      result[index] = least
    }
    return result
  }
}
