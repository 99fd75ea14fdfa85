/// How a measurement is compared with a parameter.
public enum Comparison: String, CaseIterable, Hashable, Sendable {
  /// The measurement is larger.
  case greater = ">"
  /// The measurement is larger or equal.
  case greaterOrEqual = ">="
  /// The measurement is smaller.
  case less = "<"
  /// The measurement is smaller or equal.
  case lessOrEqual = "<="

  /// Whether the comparison holds; false where either side is NaN.
  @inlinable public func holds(_ measurement: Float, _ threshold: Float) -> Bool {
    switch self {
    case .greater: measurement > threshold
    case .greaterOrEqual: measurement >= threshold
    case .less: measurement < threshold
    case .lessOrEqual: measurement <= threshold
    }
  }

  /// How far a measurement is on the side where the comparison holds; negative on the other.
  @inlinable public func margin(_ measurement: Float, _ threshold: Float) -> Float {
    self == .greater || self == .greaterOrEqual
      ? measurement - threshold : threshold - measurement
  }
}
