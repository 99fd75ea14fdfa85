/// Any cluster's sides could be swapped if they do not differ.
///
/// Source: Fisher 1935, The Design of Experiments, 21.
package enum SignFlipTest {
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
}

/// Student's t test of a number over clusters, with G - 1 degrees of freedom for G clusters.
package struct StudentTest: Hashable, Sendable {
  /// How often a true difference of `detectableDifference` is found.
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

  package func widened(by factor: Double) -> StudentTest {
    StudentTest(estimate: estimate, standardError: factor * standardError, clusters: clusters)
  }

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
  /// `risk` is how often a difference may be claimed if there is none. Source: Cohen 1988, Statistical Power Analysis, 2.3, with t in
  /// place of normal quantiles.
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
  /// In the order given.
  ///
  /// The k-th least of m is multiplied by m - k + 1, is at most 1 and never below the previous one.
  /// If everything up to 0.05 is claimed, at most 5 % of such families contain a false claim. O(m
  /// log m). Source: Holm 1979, Scandinavian Journal of Statistics 6:65; agrees with
  /// `statsmodels.stats.multitest.multipletests(method="holm")`.
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
