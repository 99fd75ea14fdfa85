/// A number, or the reason why there is none; never 0, -1 or NaN in its place.
package enum MetricValue: Hashable, Sendable {
  /// A finite number.
  case value(Double)
  /// No number, and why.
  case undefined(UndefinedReason)

  /// The number, or nil where it is undefined.
  package var number: Double? {
    guard case .value(let number) = self else { return nil }
    return number
  }

  /// Why there is no number, or nil where there is one.
  package var reason: UndefinedReason? {
    guard case .undefined(let reason) = self else { return nil }
    return reason
  }

  /// A quotient, undefined where the divisor is exactly zero.
  static func ratio(
    _ dividend: Double, _ divisor: Double, orElse reason: UndefinedReason
  ) -> MetricValue {
    divisor == 0 ? .undefined(reason) : .value(dividend / divisor)
  }
}
