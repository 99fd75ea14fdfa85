package enum ComparisonChoice: Hashable, Sendable {
  /// Take the second side: it is better, and neither worse nor, as far as the data show, fallen
  /// anywhere.
  case take
  /// It is better in one place; in another it fell, and the data cannot tell.
  case takeWithCare
  case trade
  case keep
  /// Nothing differs by more than the margin.
  case either
  case cannotTell
  case nothing
}

extension PairedComparison {
  package var judged: [(metric: MetricComparison, claim: MetricClaim)] {
    metrics.compactMap { metric in metric.claim.map { (metric, $0) } }
  }

  /// `margin` is the difference that counts as none; nil for `MetricComparison.nearlyEqual`.
  package func choice(margin: Double?) -> ComparisonChoice {
    let known = judged.filter { $0.claim.verdict != .undefined }
    guard !known.isEmpty else { return .nothing }
    let isBetter = known.contains { $0.claim.verdict == .better }
    let isWorse = known.contains { $0.claim.verdict == .worse }
    if isBetter && isWorse { return .trade }
    if isWorse { return .keep }
    if isBetter {
      return known.contains { $0.metric.isDoubtfulLoss(margin: margin) } ? .takeWithCare : .take
    }
    let isEither = known.allSatisfy {
      $0.metric.subjects.count > 1 && $0.metric.isWithin(margin: margin)
    }
    return isEither ? .either : .cannotTell
  }
}

extension MetricComparison {
  /// The difference up to which shares and coefficients count as the same unless a margin is given.
  package static let nearlyEqual = 0.05

  /// Whether the claim's interval excludes every difference beyond a margin, or the sides are the
  /// same; false without a claim.
  ///
  /// Nil is `nearlyEqual`, which metrics with a unit do not have.
  package func isWithin(margin: Double?) -> Bool {
    guard let claim else { return false }
    if claim.verdict == .same { return true }
    guard let bounds = claim.bounds, let limit = margin ?? (unit == "-" ? Self.nearlyEqual : nil)
    else { return false }
    return bounds.within <= limit
  }

  /// Whether the number fell and the data cannot tell, so that it may be worse by more than a margin,
  /// or whether it is there no longer.
  package func isDoubtfulLoss(margin: Double?) -> Bool {
    if before.number != nil && after.number == nil { return true }
    guard claim?.verdict == .cannotTell, let gain, gain < 0 else { return false }
    return !isWithin(margin: margin)
  }
}
