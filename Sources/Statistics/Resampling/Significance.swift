/// If the sides do not differ, any cluster's sides could be swapped.
///
/// The difference is computed under every assignment of swaps; p is the share of assignments with a
/// difference at least as far from 0. For a mean of differences, a swap is a change of sign.
/// Source: Fisher 1935, The Design of Experiments, 21; agrees with
/// `scipy.stats.permutation_test(permutation_type="samples")`, two-sided.
package struct SignFlipTest: Hashable, Sendable, Codable {
  package static let mostExactClusters = 16
  package static let draws = 10_000

  package let probability: Double
  package let smallestProbability: Double
  package let isExact: Bool

  private enum CodingKeys: String, CodingKey {
    case probability = "p"
    case smallestProbability = "p_smallest"
    case isExact = "is_exact"
  }

  /// For up to 16 clusters, half of all assignments are tried: the other half mirrors it.
  ///
  /// For more, 10,000 are drawn and p = (1 + hits) / (1 + draws). `difference` is that of the sides
  /// if the clusters marked true are swapped. Nil for fewer than two clusters, or if a difference
  /// is undefined.
  package init?(
    clusters: Int, stream: RandomStream, difference: ([Bool]) -> Double?
  ) {
    let tests = Self.tests(clusters: clusters, stream: stream) { [difference($0)] }
    guard let test = tests.first ?? nil else { return nil }
    self = test
  }

  /// A test or nil for each number; nil for all with fewer than two clusters.
  ///
  /// `progress` gets how many assignments were tried since the last call.
  package static func tests(
    clusters: Int, stream: RandomStream, progress: (Int) -> Void = { _ in },
    differences: ([Bool]) -> [Double?]
  ) -> [SignFlipTest?] {
    guard clusters >= 2 else { return [] }
    var swaps = Array(repeating: false, count: clusters)
    let bounds = differences(swaps).map { $0.map { $0.magnitude * (1 - 1e-12) } }
    let isExact = clusters <= mostExactClusters
    let tries = tries(clusters: clusters)
    var hits: [Int?] = bounds.map { $0 == nil ? nil : 0 }
    for assignment in 0..<tries {
      defer { progress(1) }
      for cluster in swaps.indices {
        swaps[cluster] =
          isExact ? assignment >> cluster & 1 == 1 : stream.index(below: 2) == 1
      }
      for (column, value) in differences(swaps).enumerated() {
        guard let bound = bounds[column], let count = hits[column] else { continue }
        hits[column] = value.map { $0.magnitude >= bound ? count + 1 : count }
      }
    }
    return hits.map { $0.map { SignFlipTest(hits: $0, tries: tries, isExact: isExact) } }
  }

  package static func tries(clusters: Int) -> Int {
    guard clusters >= 2 else { return 0 }
    return clusters <= mostExactClusters ? 1 << (clusters - 1) : draws
  }

  /// The smallest two-sided probability, all assignments tried: 2 / 2^n; it is that of clusters
  /// that all differ alike, which leave no spread for Student's t.
  package static func leastProbability(clusters: Int) -> Double {
    Double(sign: .plus, exponent: 1 - clusters, significand: 1)
  }

  /// The fewest clusters that can exclude chance at a risk if all differ alike: 6 at 0.05; `risk`
  /// is the largest two-sided probability of a claim, above 0.
  package static func fewestClusters(risk: Double) -> Int {
    precondition(risk > 0, "no number of clusters excludes chance for certain")
    var clusters = 1
    while leastProbability(clusters: clusters) > risk { clusters += 1 }
    return clusters
  }

  private init(hits: Int, tries: Int, isExact: Bool) {
    let drawn = isExact ? 0 : 1
    probability = Double(hits + drawn) / Double(tries + drawn)
    smallestProbability = 1 / Double(tries + drawn)
    self.isExact = isExact
  }

  package init?(_ differences: [Double], stream: RandomStream) {
    self.init(clusters: differences.count, stream: stream) { swaps in
      zip(differences, swaps).reduce(0) { $1.1 ? $0 - $1.0 : $0 + $1.0 }
    }
  }
}

/// Student's t test of a number over clusters, with G - 1 degrees of freedom for G clusters.
package struct StudentTest: Hashable, Sendable {
  package let estimate: Double
  package let standardError: Double
  package let clusters: Int

  package init(estimate: Double, standardError: Double, clusters: Int) {
    self.estimate = estimate
    self.standardError = standardError
    self.clusters = clusters
  }

  private var freedom: Double { Double(clusters - 1) }

  /// `risk` is the share of such intervals that may miss the truth.
  package func interval(risk: Double) -> ClosedRange<Double> {
    let reach = StudentT.quantile(1 - risk / 2, freedom: freedom) * standardError
    return estimate - reach...estimate + reach
  }

  package func widened(by factor: Double) -> StudentTest {
    StudentTest(
      estimate: estimate, standardError: factor * standardError, clusters: clusters)
  }

  /// One-sided: P(T >= (estimate - bound) / standard error).
  package func probability(above bound: Double) -> Double {
    StudentT.cumulative((bound - estimate) / standardError, freedom: freedom)
  }

  package func probability(below bound: Double) -> Double {
    StudentT.cumulative((estimate - bound) / standardError, freedom: freedom)
  }

  /// The two-sided probability of a number at least this far from 0 if the truth is 0.
  package var probability: Double {
    let below = probability(below: 0)
    return min(1, 2 * min(below, 1 - below))
  }

  /// (t(1 - risk / 2) + t(power)) times the standard error.
  ///
  /// `risk` is how often a difference may be claimed if there is none, `power` how often a true
  /// difference should be found. Source: Cohen 1988, Statistical Power Analysis, 2.3, with t in
  /// place of normal quantiles.
  package func detectableDifference(risk: Double, power: Double = SampleSize.power) -> Double {
    standardError
      * (StudentT.quantile(1 - risk / 2, freedom: freedom)
        + StudentT.quantile(power, freedom: freedom))
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
  /// In the order given.
  ///
  /// The k-th least of m is multiplied by m - k + 1, is at most 1 and never below the previous one.
  /// If everything up to 0.05 is claimed, at most 5 % of such families contain a false claim. O(m
  /// log m). Source: Holm 1979, Scandinavian Journal of Statistics 6:65; agrees with
  /// `statsmodels.stats.multitest.multipletests(method="holm")`.
  package static func adjusted(_ probabilities: [Double]) -> [Double] {
    var result = probabilities
    var least = 0.0
    let order = probabilities.indices.sorted {
      (probabilities[$0], $0) < (probabilities[$1], $1)
    }
    for (rank, index) in order.enumerated() {
      least = max(least, min(1, Double(probabilities.count - rank) * probabilities[index]))
      result[index] = least
    }
    return result
  }
}
