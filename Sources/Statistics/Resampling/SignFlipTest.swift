/// Whether two sides differ, from what happens when clusters trade sides.
///
/// If the sides do not differ, every cluster could as well have them swapped. The difference is
/// computed under every assignment of swaps; p is the share of assignments with a difference at
/// least as far from 0. For a mean of differences a swap is a change of sign.
///
/// Source: Fisher 1935, The Design of Experiments, 21; agrees with
/// `scipy.stats.permutation_test(permutation_type="samples")`, two-sided.
package struct SignFlipTest: Hashable, Sendable {
  /// The most clusters whose assignments are all tried.
  package static let mostExactClusters = 16
  /// How many assignments are drawn where there are more clusters.
  package static let draws = 10_000

  /// The two-sided probability.
  package let probability: Double
  /// The least probability that so many clusters can give.
  package let smallestProbability: Double
  /// Whether all assignments were tried.
  package let isExact: Bool

  /// Tests a number of sides that may be swapped cluster by cluster.
  ///
  /// Up to 16 clusters, half of all assignments is tried: the other half mirrors it. Above,
  /// 10,000 are drawn and p = (1 + hits) / (1 + draws).
  ///
  /// - Parameters:
  ///   - clusters: how many there are.
  ///   - stream: gives the draws above 16 clusters; untouched else.
  ///   - difference: the difference of the sides where the clusters marked true are swapped;
  ///     marking all negates it. nil says that it is undefined.
  /// - Returns: nil below two clusters, and where a difference is undefined.
  package init?(
    clusters: Int, stream: RandomStream, difference: ([Bool]) -> Double?
  ) {
    let tests = Self.tests(clusters: clusters, stream: stream) { [difference($0)] }
    guard let test = tests.first ?? nil else { return nil }
    self = test
  }

  /// Tests several numbers on the same assignments; see the initializer.
  ///
  /// - Returns: a test or nil for each number; nothing below two clusters.
  package static func tests(
    clusters: Int, stream: RandomStream, differences: ([Bool]) -> [Double?]
  ) -> [SignFlipTest?] {
    guard clusters >= 2 else { return [] }
    var swaps = Array(repeating: false, count: clusters)
    let bounds = differences(swaps).map { $0.map { $0.magnitude * (1 - 1e-12) } }
    let isExact = clusters <= mostExactClusters
    let tries = isExact ? 1 << (clusters - 1) : draws
    var hits: [Int?] = bounds.map { $0 == nil ? nil : 0 }
    for assignment in 0..<tries {
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

  private init(hits: Int, tries: Int, isExact: Bool) {
    let drawn = isExact ? 0 : 1
    probability = Double(hits + drawn) / Double(tries + drawn)
    smallestProbability = 1 / Double(tries + drawn)
    self.isExact = isExact
  }

  /// Tests the mean of one difference a cluster.
  package init?(_ differences: [Double], stream: RandomStream) {
    self.init(clusters: differences.count, stream: stream) { swaps in
      zip(differences, swaps).reduce(0) { $1.1 ? $0 - $1.0 : $0 + $1.0 }
    }
  }
}
