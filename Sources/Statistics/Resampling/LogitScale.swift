/// With u = (x - smallest) / (largest - smallest), the share of the range, x stands at ln(u / (1 -
/// u)).
///
/// Intervals that are symmetric there never leave the range, and are longer on the side away from
/// the nearer end, as the distribution of a share is.
package struct LogitScale: Hashable, Sendable {
  package let range: ClosedRange<Double>

  /// The scale of a range; nil if it has no end on one side, or no length.
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

  /// 1 / (length u (1 - u)), by which a standard error becomes one on the scale (delta method); nil
  /// at the ends of the range.
  package func slope(_ number: Double) -> Double? {
    let share = (number - range.lowerBound) / length
    guard share > 0, share < 1 else { return nil }
    return 1 / (length * share * (1 - share))
  }

  /// An end of an interval, moved away from the number by a factor of its distance on the scale.
  package func moved(_ end: Double, from number: Double, by factor: Double) -> Double {
    let (from, to) = (position(number), position(end))
    guard from.isFinite, to.isFinite else { return end }
    return self.number(from + factor * (to - from))
  }
}
