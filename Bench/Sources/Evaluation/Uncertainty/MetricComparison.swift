package import Statistics

/// One metric of two sides, paired by subject; differences are second minus first.
package struct MetricComparison: Hashable, Sendable {
  /// The metric.
  package let key: MetricKey
  /// The number of the first side.
  package let before: MetricValue
  /// The number of the second side.
  package let after: MetricValue
  /// The paired sample of the difference.
  package let sample: ClusterSample
  /// The intervals of the difference.
  package let intervals: MetricIntervals
  /// The sign-flip test of the difference; nil with fewer than two subjects or if it is undefined.
  package let signFlip: SignFlipTest?
  /// The sign-flip probabilities of all metrics compared, corrected after Holm.
  package internal(set) var adjustedProbability: Double?
  /// The two-sided probability of Student's t, corrected after Holm over the metrics compared.
  package internal(set) var adjustedT: Double?
  /// The numbers by subject.
  package let subjects: [SubjectDifference]

  /// Second minus first; nil if either is undefined.
  package var difference: Double? { sample.estimate }

  /// Whether nothing changed: the difference is zero, also without any one subject.
  package var isUnchanged: Bool {
    difference == 0 && subjects.allSatisfy { $0.before == $0.after }
  }

  /// The least difference that this many subjects with such differences would show in four of five
  /// comparisons; nil if it cannot be computed.
  package var detectableDifference: Double? { try? sample.detectableDifference() }

  /// How many subjects are better, equal and worse on the second side.
  package var record: (wins: Int, ties: Int, losses: Int) {
    var result = (wins: 0, ties: 0, losses: 0)
    for difference in subjects.compactMap(\.difference) {
      let gain = key.metric.higherIsBetter ? difference : -difference
      if gain > SubjectDifference.tie {
        result.wins += 1
      } else if gain < -SubjectDifference.tie {
        result.losses += 1
      } else {
        result.ties += 1
      }
    }
    return result
  }

  /// The subjects that got worse, worst first.
  package var worse: [SubjectDifference] {
    let sign = key.metric.higherIsBetter ? 1.0 : -1
    return subjects.filter { sign * ($0.difference ?? 0) < -SubjectDifference.tie }
      .sorted { sign * ($0.difference ?? 0) < sign * ($1.difference ?? 0) }
  }

  /// Better or worse if the wider interval excludes zero and the probability of Student's t,
  /// corrected after Holm over all metrics compared, is at most 0.05; also if a difference is the
  /// same whoever is drawn.
  package var verdict: ComparisonVerdict {
    if intervals.wider == .undefined(.noVariation), let difference, difference != 0 {
      return (difference > 0) == key.metric.higherIsBetter ? .better : .worse
    }
    guard let interval = intervals.wider.interval, let adjustedT, adjustedT <= 0.05 else {
      return .cannotTell
    }
    guard interval.lower > 0 || interval.upper < 0 else { return .cannotTell }
    return (interval.lower > 0) == key.metric.higherIsBetter ? .better : .worse
  }

  /// The two-sided probability of Student's t.
  var probability: Double? {
    guard let below = try? sample.probability(below: 0) else { return nil }
    return min(1, 2 * min(below, 1 - below))
  }
}

/// The verdict on a metric.
package enum ComparisonVerdict: String, CaseIterable, Hashable, Sendable {
  /// The second side is better, beyond what the subjects' differences explain.
  case better
  /// The second side is worse.
  case worse
  /// The data cannot tell.
  case cannotTell = "cannot tell"
}

/// How one subject's number differs between two sides.
package struct SubjectDifference: Hashable, Sendable {
  /// The subject; nil for sequences without one.
  package let subject: String?
  /// The number on the first side.
  package let before: MetricValue
  /// The number on the second side.
  package let after: MetricValue

  /// Second minus first; nil if either is undefined.
  package var difference: Double? {
    guard let before = before.number, let after = after.number else { return nil }
    return after - before
  }

  /// The largest difference that counts as a tie: rounding is not a win.
  package static let tie = 1e-9
}
