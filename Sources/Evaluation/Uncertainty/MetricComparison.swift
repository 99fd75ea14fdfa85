internal import Statistics

/// One metric of two sides, paired by subject; differences are second minus first.
package struct MetricComparison: Hashable, Sendable, Codable {
  package let key: MetricKey
  package let unit: String
  package let higherIsBetter: Bool
  package let before: MetricValue
  package let after: MetricValue
  package let difference: Double?
  package let standardError: Double?
  package let intervals: MetricIntervals
  package let wins: Int
  package let ties: Int
  package let losses: Int
  package let subjects: [SubjectDifference]

  private enum CodingKeys: String, CodingKey {
    case key = "metric"
    case unit
    case higherIsBetter = "higher_is_better"
    case before, after, difference
    case standardError = "standard_error"
    case intervals = "interval"
    case wins, ties, losses, subjects
  }

  init(
    _ key: MetricKey, before: MetricValue, after: MetricValue, sample: ClusterSample,
    subjects: [SubjectDifference]
  ) {
    self.key = key
    unit = key.metric.unit
    higherIsBetter = key.metric.higherIsBetter
    self.before = before
    self.after = after
    self.subjects = subjects
    difference = sample.estimate
    intervals = MetricIntervals(sample, range: key.metric.differenceRange)
    standardError = (try? sample.test())?.standardError
    let gains = subjects.compactMap(\.difference).map { key.metric.higherIsBetter ? $0 : -$0 }
    wins = gains.count { $0 > SubjectDifference.tie }
    losses = gains.count { $0 < -SubjectDifference.tie }
    ties = gains.count - wins - losses
  }
}

extension MetricComparison {
  package var isUnchanged: Bool {
    difference == 0 && subjects.allSatisfy { $0.before == $0.after }
  }

  package var isUndefined: Bool { before.number == nil && after.number == nil }

  package var gain: Double? { difference.map { higherIsBetter ? $0 : -$0 } }

  package var worse: [SubjectDifference] {
    let sign = higherIsBetter ? 1.0 : -1
    return subjects.filter { sign * ($0.difference ?? 0) < -SubjectDifference.tie }
      .sorted { sign * ($0.difference ?? 0) < sign * ($1.difference ?? 0) }
  }

  var test: StudentTest? {
    guard let difference, let standardError else { return nil }
    return StudentTest(
      estimate: difference, standardError: standardError, clusters: subjects.count)
  }
}

package struct SubjectDifference: Hashable, Sendable, Codable {
  package let subject: String?
  package let before: MetricValue
  package let after: MetricValue
  package let difference: Double?

  init(subject: String?, before: MetricValue, after: MetricValue) {
    self.subject = subject
    self.before = before
    self.after = after
    difference = before.number.flatMap { first in after.number.map { $0 - first } }
  }

  /// The largest difference that counts as a tie: rounding is not a win.
  package static let tie = 1e-9
}
