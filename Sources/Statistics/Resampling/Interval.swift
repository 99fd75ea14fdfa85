package struct Interval: Hashable, Sendable {
  package enum Method: String, CaseIterable, Hashable, Sendable, Codable {
    case bca
    case clusterT = "cluster_t"
    /// The range that the number of clusters allows if all clusters are alike.
    case alike
  }

  package let method: Method
  /// The fraction of intervals that should contain the true number, in 0..<1.
  package let level: Double
  package let lower: Double
  package let upper: Double
  package let clusters: Int

  package init(method: Method, level: Double, lower: Double, upper: Double, clusters: Int) {
    precondition(lower <= upper, "an interval's ends are in order")
    self.method = method
    self.level = level
    self.lower = lower
    self.upper = upper
    self.clusters = clusters
  }

  package var width: Double { upper - lower }

  /// Moves both ends away from a number by a factor, on `scale` or, if it is nil, on the number's
  /// own scale.
  ///
  /// Intervals of the method `alike` do not change.
  package func widened(
    by factor: Double, about number: Double, scale: LogitScale? = nil
  ) -> Interval {
    guard method != .alike else { return self }
    func moved(_ end: Double) -> Double {
      scale?.moved(end, from: number, by: factor) ?? number + factor * (end - number)
    }
    return mapEnds(moved)
  }

  package func clamped(to range: ClosedRange<Double>) -> Interval {
    mapEnds { min(max($0, range.lowerBound), range.upperBound) }
  }

  private func mapEnds(_ end: (Double) -> Double) -> Interval {
    Interval(
      method: method, level: level, lower: end(lower), upper: end(upper), clusters: clusters)
  }
}

extension Interval: Codable {
  private enum CodingKeys: String, CodingKey {
    case method, level, lower, upper
    case clusters = "subjects"
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let name = try container.decode(String.self, forKey: .method)
    guard let method = Method(rawValue: name) else {
      let known = Method.allCases.map(\.rawValue).joined(separator: ", ")
      throw DecodingError.dataCorruptedError(
        forKey: .method, in: container, debugDescription: "found `\(name)`; allowed: \(known)")
    }
    let lower = try container.decode(Double.self, forKey: .lower)
    let upper = try container.decode(Double.self, forKey: .upper)
    guard lower <= upper else {
      throw DecodingError.dataCorruptedError(
        forKey: .lower, in: container,
        debugDescription: "found \(lower) ... \(upper); allowed: ends in order")
    }
    self.init(
      method: method, level: try container.decode(Double.self, forKey: .level), lower: lower,
      upper: upper, clusters: try container.decode(Int.self, forKey: .clusters))
  }
}

package enum IntervalValue: Hashable, Sendable {
  case interval(Interval)
  case undefined(UndefinedReason)

  package var interval: Interval? {
    guard case .interval(let interval) = self else { return nil }
    return interval
  }

  package var reason: UndefinedReason? {
    guard case .undefined(let reason) = self else { return nil }
    return reason
  }
}

extension IntervalValue: Codable {
  private enum CodingKeys: String, CodingKey { case value, reason }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let reason = try container.decodeIfPresent(UndefinedReason.self, forKey: .reason) {
      self = .undefined(reason)
    } else {
      self = .interval(try Interval(from: decoder))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .interval(let interval): try interval.encode(to: encoder)
    case .undefined(let reason):
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encodeNil(forKey: .value)
      try container.encode(reason, forKey: .reason)
    }
  }
}

extension ClusterSample {
  static let largestUndefinedShare = 0.05

  /// Returns the estimate plus or minus Student's t quantile times the standard error.
  ///
  /// Below 15 clusters, which are too few for quantiles, this interval covers better than the
  /// bootstrap. A bounded number is put on the logit scale, where its standard error is divided by
  /// u (1 - u) times the length of the range; u is the number's share of the range. Near an end of
  /// the range, the distribution of a share is skewed, which a symmetric interval ignores.
  ///
  /// - Parameters:
  ///   - level: in 0..<1, for example 0.95.
  ///   - scale: the number's logit scale; nil for numbers without a range.
  /// - Source: Tukey 1958, Annals of Mathematical Statistics 29:614, with one less than the
  ///   effective number of clusters as degrees of freedom. Logit intervals: Brown, Cai and DasGupta
  ///   2001, Statistical Science 16:101.
  package func clusterT(
    level: Double = 0.95, scale: LogitScale? = nil
  ) throws(UndefinedReason) -> Interval {
    let error = try standardError()
    guard let estimate = estimate.map(Self.rounded) else { throw .undefinedEstimate }
    let reach = StudentT.quantile((1 + level) / 2, freedom: freedom) * error
    var ends = (lower: estimate - reach, upper: estimate + reach)
    if let scale, let slope = scale.slope(estimate) {
      let position = scale.position(estimate)
      ends = (scale.number(position - reach * slope), scale.number(position + reach * slope))
    }
    return Interval(
      method: .clusterT, level: level, lower: ends.lower, upper: ends.upper, clusters: clusters)
  }

  /// Returns the interval that remains possible if all clusters of the sample are alike.
  ///
  /// With n such clusters, at least the share q = (1 - level)^(1/n) of all clusters is like them:
  /// if the share were smaller, fewer than 1 - level of such draws would be alike. The other
  /// clusters may be anywhere in the range, so the mean over clusters is between q x + (1 - q)
  /// smallest and q x + (1 - q) largest. If x is an end of the range, one of these bounds is that
  /// end. Source: Clopper and Pearson 1934, Biometrika 26:404, one-sided, for n of n; the step to
  /// means was derived for this project.
  package func alike(level: Double = 0.95, scale: LogitScale) throws(UndefinedReason) -> Interval {
    guard clusters >= 2 else { throw .fewerThanTwoClusters }
    guard let estimate = estimate.map(Self.rounded) else { throw .undefinedEstimate }
    let clusters = weights?.contributing ?? Double(clusters)
    let share = Self.leastShareAlike(clusters, level: level)
    return Interval(
      method: .alike, level: level, lower: share * estimate + (1 - share) * scale.range.lowerBound,
      upper: share * estimate + (1 - share) * scale.range.upperBound, clusters: self.clusters)
  }

  /// Returns the smallest share of clusters that can be like n of n drawn ones: (1 - level)^(1/n).
  package static func leastShareAlike(_ clusters: Double, level: Double = 0.95) -> Double {
    Exponential.exp(Exponential.log(1 - level) / clusters)
  }

  /// Returns quantiles of the resamples (type 7), corrected for bias and acceleration.
  ///
  /// Resamples within a tie of the estimate e count as equal to e. The formulas are z0 =
  /// Phi^-1((#{r < e} + #{r = e} / 2) / B) and a = sum d^3 / (6 (sum d^2)^(3/2)) over the
  /// jackknife's deviations d; the ends are at Phi(z0 + (z0 + z) / (1 - a (z0 + z))). Source: Efron
  /// 1987, JASA 82:171, with half of the ties below, as in `scipy.stats.bootstrap`.
  package func bca(level: Double = 0.95) throws(UndefinedReason) -> Interval {
    let values = try definedReplicates()
    guard let estimate = estimate.map(Self.rounded) else { throw .undefinedEstimate }
    let acceleration = try acceleration()
    let below = Double(values.count { $0 < estimate - Self.tie })
    let equal = Double(values.count { abs($0 - estimate) <= Self.tie })
    let share = (below + equal / 2) / Double(values.count)
    guard share > 0, share < 1 else { throw .oneSided }
    let bias = Normal.quantile(share)
    func corrected(_ tail: Double) -> Double {
      let shifted = bias + Normal.quantile(tail)
      return Normal.cumulative(bias + shifted / (1 - acceleration * shifted))
    }
    let fractions = [corrected((1 - level) / 2), corrected((1 + level) / 2)]
    guard let ends = Description.quantiles(values, at: fractions.map { min(max($0, 0), 1) }) else {
      throw .undefinedReplicates
    }
    return Interval(
      method: .bca, level: level, lower: min(ends[0], ends[1]), upper: max(ends[0], ends[1]),
      clusters: clusters)
  }

  /// The acceleration is 0 for quantiles and totals, for which only the bias is corrected.
  private func acceleration() throws(UndefinedReason) -> Double {
    _ = try standardError()
    guard spread == .jackknife else { return 0 }
    let deviations = try deviations()
    let squares = deviations.reduce(0) { $0 + $1 * $1 }
    let cubes = deviations.reduce(0) { $0 + $1 * $1 * $1 }
    return cubes / (6 * squares * squares.squareRoot())
  }

  func definedReplicates() throws(UndefinedReason) -> [Double] {
    guard clusters >= 2 else { throw .fewerThanTwoClusters }
    guard estimate != nil else { throw .undefinedEstimate }
    let values = replicates.compactMap(\.self)
    let missing = Double(replicates.count - values.count)
    guard let first = values.first, missing <= Self.largestUndefinedShare * Double(replicates.count)
    else { throw .undefinedReplicates }
    guard values.contains(where: { abs($0 - first) > Self.tie }) else { throw .noVariation }
    return values
  }
}

/// The logit scale of a bounded number.
///
/// With the share u = (x - smallest) / (largest - smallest), x has the position ln(u / (1 - u)).
/// Intervals that are symmetric on this scale never leave the range. They are longer on the side
/// away from the nearer end, as the distribution of a share is.
package struct LogitScale: Hashable, Sendable {
  package let range: ClosedRange<Double>

  /// Makes the scale of a range; nil for a range that is infinite or has no length.
  package init?(_ range: ClosedRange<Double>) {
    let length = range.upperBound - range.lowerBound
    guard length > 0, length.isFinite else { return nil }
    self.range = range
  }

  private var length: Double { range.upperBound - range.lowerBound }

  package func position(_ number: Double) -> Double {
    let share = min(max((number - range.lowerBound) / length, 0), 1)
    return Exponential.log(share / (1 - share))
  }

  package func number(_ position: Double) -> Double {
    range.lowerBound + length / (1 + Exponential.exp(-position))
  }

  /// Returns 1 / (length u (1 - u)), which converts a standard error to the logit scale.
  ///
  /// The factor is that of the delta method; nil at the ends of the range.
  package func slope(_ number: Double) -> Double? {
    let share = (number - range.lowerBound) / length
    guard share > 0, share < 1 else { return nil }
    return 1 / (length * share * (1 - share))
  }

  package func moved(_ end: Double, from number: Double, by factor: Double) -> Double {
    let (from, to) = (position(number), position(end))
    guard from.isFinite, to.isFinite else { return end }
    return self.number(from + factor * (to - from))
  }
}
