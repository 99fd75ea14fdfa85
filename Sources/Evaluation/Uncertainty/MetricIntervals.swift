package import Statistics

/// The intervals of one number, or why there are none.
package struct MetricIntervals: Hashable, Sendable {
  /// Student's t with the jackknife's standard error.
  package let clusterT: Result<Interval, IntervalGap>
  /// The corrected bootstrap.
  package let bca: Result<Interval, IntervalGap>
  /// How many subjects there are.
  package let subjects: Int

  /// Below so many subjects both intervals are shown.
  package static let fewSubjects = 15

  /// Makes the intervals of a sample.
  package init(_ sample: ClusterSample, level: Double = 0.95) {
    subjects = sample.clusters
    clusterT = Self.attempt { () throws(IntervalGap) in try sample.clusterT(level: level) }
    bca = Self.attempt { () throws(IntervalGap) in try sample.bca(level: level) }
  }

  /// The wider of the two, by which decisions are made; the one that there is else.
  package var wider: Result<Interval, IntervalGap> {
    switch (clusterT, bca) {
    case (.success(let first), .success(let second)):
      .success(first.width >= second.width ? first : second)
    case (.success, .failure): clusterT
    case (.failure, _): clusterT
    }
  }

  /// What is shown: both below 15 subjects, the corrected bootstrap above.
  package var shown: [Result<Interval, IntervalGap>] {
    if subjects >= Self.fewSubjects, case .success = bca { return [bca] }
    return [clusterT, bca]
  }

  private static func attempt(
    _ body: () throws(IntervalGap) -> Interval
  ) -> Result<Interval, IntervalGap> {
    do { return .success(try body()) } catch { return .failure(error) }
  }
}
