package import Evaluation

/// Evaluations of one dataset compared with the first of them.
package struct ComparisonReport: Hashable, Sendable {
  /// One side against the first.
  package struct Pair: Hashable, Sendable {
    /// How the side is called.
    package var name: String
    /// The numbers.
    package var comparison: PairedComparison

    /// Makes a pair.
    package init(name: String, comparison: PairedComparison) {
      self.name = name
      self.comparison = comparison
    }
  }

  /// Which data.
  package var dataset: DatasetIdentity
  /// How the first side is called.
  package var reference: String
  /// The other sides, in order.
  package var pairs: [Pair]

  /// Makes a report.
  package init(dataset: DatasetIdentity, reference: String, pairs: [Pair]) {
    self.dataset = dataset
    self.reference = reference
    self.pairs = pairs
  }
}
