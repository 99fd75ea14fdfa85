/// A number of pooled clusters, with the input for its uncertainty.
///
/// The number may be any function of a multiset of clusters; nil means that it is undefined there.
package struct ClusterSample: Hashable, Sendable {
  /// The number over all clusters.
  package let estimate: Double?
  /// The number without each of the clusters in turn.
  package let omissions: [Double?]
  /// The number of each resample.
  package let replicates: [Double?]

  /// How its standard error is estimated.
  package var spread: Spread

  /// The method of a standard error.
  package enum Spread: Hashable, Sendable {
    /// The numbers without each cluster; for numbers that are smooth in the clusters, such as rates.
    case jackknife
    /// The resamples; for quantiles, whose jackknife does not converge, and for totals.
    case bootstrap
  }

  /// Makes a sample of known parts.
  package init(
    estimate: Double?, omissions: [Double?], replicates: [Double?], spread: Spread = .jackknife
  ) {
    self.estimate = estimate
    self.omissions = omissions
    self.replicates = replicates
    self.spread = spread
  }

  /// Evaluates several numbers over all clusters, without each, and over resamples.
  ///
  /// - Parameters:
  ///   - progress: called with how many multisets were evaluated since the last call.
  ///   - numbers: the numbers of a multiset of cluster indices, always equally many.
  /// - Returns: one sample per number.
  /// - Complexity: resamples + clusters + 1 calls.
  package static func make(
    _ resamples: ClusterResamples, progress: (Int) -> Void = { _ in },
    numbers: ([Int]) -> [Double?]
  ) -> [ClusterSample] {
    let all = Array(0..<resamples.clusters)
    let estimates = numbers(all)
    let omissions = all.map { left in
      defer { progress(1) }
      return all.count > 1
        ? numbers(all.filter { $0 != left }) : Array(repeating: nil, count: estimates.count)
    }
    let replicates = (0..<resamples.count).map { resample in
      defer { progress(1) }
      return numbers(resamples[resample])
    }
    return estimates.indices.map { column in
      ClusterSample(
        estimate: estimates[column], omissions: omissions.map { $0[column] },
        replicates: replicates.map { $0[column] })
    }
  }

  /// The paired difference: left minus right on the same clusters and the same resamples.
  ///
  /// - Precondition: both were made with the same resamples.
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

  /// How many clusters there are.
  package var clusters: Int { omissions.count }

  /// The jackknife's deviations: the mean of the omissions minus each.
  ///
  /// - Throws: `UndefinedReason` for fewer than two clusters, or if one of the numbers is
  ///   undefined.
  func deviations() throws(UndefinedReason) -> [Double] {
    guard clusters >= 2 else { throw .fewerThanTwoClusters }
    guard estimate != nil else { throw .undefinedEstimate }
    let values = omissions.compactMap(\.self)
    guard values.count == clusters else { throw .undefinedWithoutACluster }
    let mean = values.reduce(0, +) / Double(clusters)
    return values.map { mean - $0 }
  }

  /// The jackknife's standard error: sqrt((G - 1) / G sum d^2); or the standard deviation of the
  /// resamples times sqrt(G / (G - 1)), because they vary less than new clusters would.
  ///
  /// Source: Efron and Tibshirani 1993, An Introduction to the Bootstrap, 11.5; 11.6 for the cases
  /// in which the jackknife fails; 5.3 for the factor.
  /// - Throws: `UndefinedReason` if it cannot be computed, or would be 0 up to rounding.
  package func standardError() throws(UndefinedReason) -> Double {
    guard spread == .jackknife else { return try bootstrapError() }
    let deviations = try deviations()
    let scale = omissions.reduce(0) { max($0, ($1 ?? 0).magnitude) }
    guard deviations.contains(where: { $0.magnitude > 1e-12 * scale }) else {
      throw .noVariation
    }
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

/// Multisets of clusters drawn with replacement, as many as there are clusters.
///
/// They are kept so that several numbers, and both sides of a comparison, see the same draws.
package struct ClusterResamples: Hashable, Sendable {
  /// How many clusters there are, and in each resample.
  package let clusters: Int
  /// The cluster indices of all resamples, one after another.
  private let indices: [Int]

  /// Draws resamples.
  ///
  /// - Parameter count: how many; 2,000 if intervals are shown, 10,000 if they decide.
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
