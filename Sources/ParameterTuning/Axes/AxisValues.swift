/// The values of an axis as an experiment states them.
package enum AxisValues: Hashable, Sendable {
  /// from + i step for i = 0, 1, ... up to `to`, in decimal arithmetic.
  case range(from: Double, to: Double, step: Double)
  /// The values themselves, in any order.
  case list([Double])
  /// So many quantiles of the observed measurement that the parameter is compared with.
  ///
  /// They are at the fractions (i + 1/2) / count of the defined values that lie in the parameter's
  /// range; where a rule negates the parameter, of the negated values. Equal quantiles count once.
  case quantiles(Int)
}
