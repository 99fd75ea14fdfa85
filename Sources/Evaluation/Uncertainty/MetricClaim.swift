package import Statistics

/// Verdict, interval, detectable difference and plan share one correction, so that none of them
/// contradicts another.
package struct MetricClaim: Hashable, Sendable, Codable {
  /// How often one or more of all claims of a comparison may be false.
  package static let risk = 0.05

  package let verdict: ComparisonVerdict
  package let tests: Int
  /// The two-sided probability of such a difference if the sides do not differ; nil if it cannot be
  /// computed.
  package let probability: Double?
  package let adjustedProbability: Double?
  /// The differences that the data leave possible, all tests together; nil without an interval.
  package let bounds: Bounds?
  /// The smallest true difference that this many subjects would show in four of five comparisons
  /// like this one; nil if it cannot be computed.
  package let detectableDifference: Double?
  /// How many subjects it takes to find a difference of the margin; nil if none was asked for, or
  /// if the subjects' differences give no standard deviation.
  package let plan: SampleSize?

  package struct Bounds: Hashable, Sendable, Codable {
    package let lower: Double
    package let upper: Double

    package var within: Double { max(lower.magnitude, upper.magnitude) }
  }

  private enum CodingKeys: String, CodingKey {
    case verdict, tests
    case probability = "p"
    case adjustedProbability = "p_holm"
    case bounds = "interval"
    case detectableDifference = "detectable_difference"
    case plan
  }

  /// Better or worse if the probability, corrected after Holm, is at most the risk and the wider
  /// interval excludes zero; or if all subjects differ alike and there are enough of them.
  init(
    _ metric: MetricComparison, adjusted: Double?, tests: (count: Int, rejected: Int),
    margin: Double?
  ) {
    let isRejected = adjusted.map { $0 <= Self.risk } ?? false
    self.tests = tests.count
    bounds = Self.bounds(metric, isRejected: isRejected, tests: tests)
    probability = metric.probability
    adjustedProbability = adjusted
    verdict = Self.verdict(metric, isRejected: isRejected)
    let risk = Self.risk / Double(max(tests.count, 1))
    detectableDifference = metric.test?.detectableDifference(risk: risk)
    plan = margin.flatMap { margin in
      metric.test.map { SampleSize(margin: margin, pilot: $0, risk: risk) }
    }
  }

  private static func verdict(
    _ metric: MetricComparison, isRejected: Bool
  ) -> ComparisonVerdict {
    guard !metric.isUndefined else { return .undefined }
    guard !metric.isUnchanged else { return .same }
    guard isRejected, let gain = metric.gain else { return .cannotTell }
    if metric.test != nil {
      guard let wider = metric.intervals.wider.interval, wider.lower > 0 || wider.upper < 0 else {
        return .cannotTell
      }
    }
    return gain > 0 ? .better : .worse
  }

  /// Student's interval with the correction, and the wider of the usual ones where that reaches
  /// further.
  ///
  /// A difference that Holm's method does not reject gets its share of the risk among those that
  /// are not rejected. One that is rejected gets its share among all, and ends at zero. Both agree
  /// with the verdict.
  ///
  /// Source: Guilbaud 2008, Biometrical Journal 50:678.
  private static func bounds(
    _ metric: MetricComparison, isRejected: Bool, tests: (count: Int, rejected: Int)
  ) -> Bounds? {
    guard let test = metric.test, let wider = metric.intervals.wider.interval else { return nil }
    let share = isRejected ? tests.count : tests.count - tests.rejected
    let student = test.interval(risk: risk / Double(max(share, 1)))
    var (lower, upper) = (student.lowerBound, student.upperBound)
    if isRejected {
      if test.estimate > 0 { lower = max(lower, 0) } else { upper = min(upper, 0) }
    }
    let range = metric.key.metric.differenceRange
    return Bounds(
      lower: max(min(lower, wider.lower), range.lowerBound),
      upper: min(max(upper, wider.upper), range.upperBound))
  }
}

package enum ComparisonVerdict: String, CaseIterable, Hashable, Sendable, Codable {
  case better
  case worse
  case cannotTell = "cannot tell"
  case same
  case undefined
}

extension PairedComparison {
  /// Holm's method corrects over pairs of sides times metrics.
  ///
  /// A metric that is undefined on both sides is no test; one without a probability counts as a
  /// test that shows nothing. Only `keys` get claims.
  package static func decided(
    _ pairs: [PairedComparison], by keys: [MetricKey], margin: Double? = nil
  ) -> [PairedComparison] {
    let metrics = pairs.flatMap(\.metrics).filter { keys.contains($0.key) && !$0.isUndefined }
    var adjusted = Holm.adjusted(metrics.map { $0.probability ?? 1 })[...]
    let tests = (count: metrics.count, rejected: adjusted.count { $0 <= MetricClaim.risk })
    return pairs.map { pair in
      var pair = pair
      for index in pair.metrics.indices where keys.contains(pair.metrics[index].key) {
        let metric = pair.metrics[index]
        let probability = metric.isUndefined ? nil : adjusted.popFirst()
        pair.metrics[index].claim = MetricClaim(
          metric, adjusted: metric.probability.flatMap { _ in probability }, tests: tests,
          margin: margin)
      }
      return pair
    }
  }
}
