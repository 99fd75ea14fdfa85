package import Statistics

/// One metric of two sides, paired by subject; differences are second minus first.
package struct MetricComparison: Hashable, Sendable, Codable {
  /// The metric.
  package let key: MetricKey
  /// The metric's unit; `-` for ratios and coefficients.
  package let unit: String
  /// Whether larger numbers are better.
  package let higherIsBetter: Bool
  /// The number of the first side.
  package let before: MetricValue
  /// The number of the second side.
  package let after: MetricValue
  /// Second minus first; nil if either is undefined.
  package let difference: Double?
  /// The standard error of the difference; nil if it cannot be computed.
  package let standardError: Double?
  /// The intervals of the difference, each for itself.
  package let intervals: MetricIntervals
  /// The sign-flip test of the difference; nil for metrics that do not decide, with fewer than two
  /// subjects, and if it is undefined.
  package let signFlip: SignFlipTest?
  /// What may be claimed of the difference; nil for metrics that are shown and decide nothing.
  package internal(set) var claim: MetricClaim?
  /// How many subjects are better on the second side.
  package let wins: Int
  /// How many subjects are equal on both sides.
  package let ties: Int
  /// How many subjects are worse on the second side.
  package let losses: Int
  /// The numbers by subject.
  package let subjects: [SubjectDifference]

  private enum CodingKeys: String, CodingKey {
    case key = "metric"
    case unit
    case higherIsBetter = "higher_is_better"
    case before, after, difference
    case standardError = "standard_error"
    case intervals = "interval"
    case signFlip = "sign_flip"
    case claim
    case wins, ties, losses, subjects
  }

  /// Measures the difference of a metric.
  ///
  /// - Parameter sample: the paired sample of the difference.
  init(
    _ key: MetricKey, before: MetricValue, after: MetricValue, sample: ClusterSample,
    signFlip: SignFlipTest?, subjects: [SubjectDifference]
  ) {
    self.key = key
    unit = key.metric.unit
    higherIsBetter = key.metric.higherIsBetter
    self.before = before
    self.after = after
    self.signFlip = signFlip
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
  /// Whether nothing changed: the difference is zero, also without any one subject.
  package var isUnchanged: Bool {
    difference == 0 && subjects.allSatisfy { $0.before == $0.after }
  }

  /// Whether neither side has a number, overall or for any subject.
  package var isUndefined: Bool { before.number == nil && after.number == nil }

  /// The difference with the sign that makes gains positive; nil if it is undefined.
  package var gain: Double? { difference.map { higherIsBetter ? $0 : -$0 } }

  /// The subjects that got worse, worst first.
  package var worse: [SubjectDifference] {
    let sign = higherIsBetter ? 1.0 : -1
    return subjects.filter { sign * ($0.difference ?? 0) < -SubjectDifference.tie }
      .sorted { sign * ($0.difference ?? 0) < sign * ($1.difference ?? 0) }
  }

  /// Student's t test of the difference; nil if there is no standard error.
  var test: StudentTest? {
    guard let difference, let standardError else { return nil }
    return StudentTest(
      estimate: difference, standardError: standardError, clusters: subjects.count)
  }

  /// The two-sided probability of such a difference if the sides do not differ; nil if it cannot be
  /// computed.
  ///
  /// Student's; where all subjects differ alike, there is no standard error, and it is that of the
  /// sign-flip test, 2 / 2^n: six subjects alike are beyond chance, five are not.
  var probability: Double? {
    if let test { return test.probability }
    guard intervals.wider == .undefined(.noVariation), let difference else { return nil }
    guard difference != 0 else { return 1 }
    return signFlip?.smallestProbability
  }
}

/// How one subject's number differs between two sides.
package struct SubjectDifference: Hashable, Sendable, Codable {
  /// The subject; nil for sequences without one.
  package let subject: String?
  /// The number on the first side.
  package let before: MetricValue
  /// The number on the second side.
  package let after: MetricValue
  /// Second minus first; nil if either is undefined.
  package let difference: Double?

  /// Takes the numbers of both sides.
  init(subject: String?, before: MetricValue, after: MetricValue) {
    self.subject = subject
    self.before = before
    self.after = after
    difference = before.number.flatMap { first in after.number.map { $0 - first } }
  }

  /// The largest difference that counts as a tie: rounding is not a win.
  package static let tie = 1e-9
}
