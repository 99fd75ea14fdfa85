/// Holm's correction: probabilities of several tests so that all claims together may be trusted.
package enum Holm {
  /// The adjusted probabilities, in the order given.
  ///
  /// The k-th least of m is multiplied by m - k + 1, is at most 1 and never below the one before.
  /// Claiming what is at most 0.05 claims anything false in at most 5 % of such families.
  ///
  /// - Complexity: O(m log m).
  /// - Source: Holm 1979, Scandinavian Journal of Statistics 6:65; agrees with
  ///   `statsmodels.stats.multitest.multipletests(method="holm")`.
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
