/// A pooled number weighs clusters by their amounts, such as seconds.
///
/// Within each source of data the shares of the clusters sum to 1; over several sources a cluster's
/// share is the mean of its shares in the sources that have any amount.
package struct ClusterWeights: Hashable, Sendable {
  /// How many clusters of equal amounts would vary as little: 1 / sum of squared shares.
  ///
  /// At least 1, at most the number of clusters; equal to it if all shares are equal. Source: Kish
  /// 1965, Survey Sampling, on the design effect of weights; for degrees of freedom of shares Korn
  /// and Graubard 1998, Survey Methodology 24:193.
  package let effective: Double
  /// The same with equal amounts for all clusters that have any: with one source, how many have any.
  package let contributing: Double

  /// `amounts` are by source, at least 0 for every cluster; nil if there is no amount at all.
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
