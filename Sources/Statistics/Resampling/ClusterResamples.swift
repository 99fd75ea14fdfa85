/// Multisets of clusters drawn with replacement, as many as there are clusters.
///
/// Kept so that several numbers, and two sides of a comparison, see the same draws.
package struct ClusterResamples: Hashable, Sendable {
  /// How many clusters there are, and in each resample.
  package let clusters: Int
  /// The cluster indices of all resamples, one after another.
  private let indices: [Int]

  /// Draws resamples.
  ///
  /// - Parameter count: how many; 2,000 where intervals are shown, 10,000 where they decide.
  /// - Complexity: O(clusters * count).
  package init(clusters: Int, count: Int, stream: RandomStream) {
    precondition(clusters > 0 && count > 0, "something is drawn, from something")
    self.clusters = clusters
    indices = (0..<clusters * count).map { _ in stream.index(below: clusters) }
  }

  /// How many resamples there are.
  package var count: Int { indices.count / clusters }

  /// One resample: cluster indices, repeats included.
  package subscript(resample: Int) -> [Int] {
    Array(indices[resample * clusters..<(resample + 1) * clusters])
  }
}
