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
  /// The intervals of the difference.
  package let intervals: MetricIntervals
  /// The sign-flip test of the difference; nil with fewer than two subjects or if it is undefined.
  package let signFlip: SignFlipTest?
  /// The probability of the sign-flip test, corrected after Holm over the metrics compared.
  package private(set) var adjustedProbability: Double?
  /// The two-sided probability of Student's t, corrected after Holm over the metrics compared.
  package private(set) var adjustedT: Double?
  /// The smallest difference that this many subjects with such differences would show in four of
  /// five comparisons; nil if it cannot be computed.
  package let detectableDifference: Double?
  /// About how many subjects it would take to show the observed difference in four of five
  /// comparisons of this metric alone; nil if that cannot be computed.
  package let subjectsToSettle: Int?
  /// How many subjects are better on the second side.
  package let wins: Int
  /// How many subjects are equal on both sides.
  package let ties: Int
  /// How many subjects are worse on the second side.
  package let losses: Int
  /// Whether the second side is better.
  package private(set) var verdict = ComparisonVerdict.cannotTell
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
    case adjustedProbability = "p_sign_flip_holm"
    case adjustedT = "p_cluster_t_holm"
    case detectableDifference = "detectable_difference"
    case subjectsToSettle = "subjects_to_settle"
    case wins, ties, losses, verdict, subjects
  }

  /// Judges the difference of a metric.
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
    let test = try? sample.test()
    standardError = test?.standardError
    let detectable = test?.detectableDifference()
    detectableDifference = detectable
    subjectsToSettle = detectable.flatMap {
      Self.subjectsToSettle(sample.estimate, detectable: $0, subjects: subjects.count)
    }
    let gains = subjects.compactMap(\.difference).map { key.metric.higherIsBetter ? $0 : -$0 }
    wins = gains.count { $0 > SubjectDifference.tie }
    losses = gains.count { $0 < -SubjectDifference.tie }
    ties = gains.count - wins - losses
  }

  /// The difference that n subjects can show shrinks with the square root of n, so the number is
  /// n (d / |D|)^2 for the detectable difference d and the observed one D.
  private static func subjectsToSettle(
    _ found: Double?, detectable: Double, subjects: Int
  ) -> Int? {
    guard let found, found != 0 else { return nil }
    let share = detectable / abs(found)
    let needed = (Double(subjects) * share * share).rounded(.up)
    return needed < 1e9 ? Int(needed) : nil
  }

  /// Takes the probabilities that are corrected over all metrics compared, and decides.
  ///
  /// Better or worse if the wider interval excludes zero and the probability of Student's t,
  /// corrected after Holm over all metrics compared, is at most 0.05; also if a difference is the
  /// same for every draw of subjects.
  mutating func decide(signFlip: Double?, studentT: Double?) {
    adjustedProbability = signFlip
    adjustedT = studentT
    verdict = foundVerdict
  }

  private var foundVerdict: ComparisonVerdict {
    if intervals.wider == .undefined(.noVariation), let difference, difference != 0 {
      return (difference > 0) == higherIsBetter ? .better : .worse
    }
    guard let interval = intervals.wider.interval, let adjustedT, adjustedT <= 0.05 else {
      return .cannotTell
    }
    guard interval.lower > 0 || interval.upper < 0 else { return .cannotTell }
    return (interval.lower > 0) == higherIsBetter ? .better : .worse
  }
}

extension MetricComparison {
  /// Whether nothing changed: the difference is zero, also without any one subject.
  package var isUnchanged: Bool {
    difference == 0 && subjects.allSatisfy { $0.before == $0.after }
  }

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
}

/// The verdict on a metric.
package enum ComparisonVerdict: String, CaseIterable, Hashable, Sendable, Codable {
  /// The second side is better, beyond what the subjects' differences explain.
  case better
  /// The second side is worse.
  case worse
  /// The data cannot tell.
  case cannotTell = "cannot tell"
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
