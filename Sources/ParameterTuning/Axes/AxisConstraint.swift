package import PlankDetection

/// A relation between two parameters that a cell must keep: `left op right + margin`.
///
/// Cells that break it are degenerate: they are not evaluated, and counted.
package struct AxisConstraint: Hashable, Sendable, CustomStringConvertible {
  /// The parameter on the left.
  package let left: ParameterKey
  /// How the sides compare.
  package let comparison: Comparison
  /// The parameter on the right.
  package let right: ParameterKey
  /// What is added to the right side, in its unit.
  package let margin: Double

  /// Makes a constraint.
  package init(
    _ left: ParameterKey, _ comparison: Comparison, _ right: ParameterKey, margin: Double = 0
  ) {
    self.left = left
    self.comparison = comparison
    self.right = right
    self.margin = margin
  }

  /// The relation as experiments write it.
  package var description: String {
    "\(left.rawValue) \(comparison.rawValue) \(right.rawValue)"
      + (margin == 0 ? "" : " + \(margin)")
  }

  /// Whether values keep the relation; true where a side is missing.
  package func holds(_ value: (ParameterKey) -> Double?) -> Bool {
    guard let left = value(left), let right = value(right).map({ $0 + margin }) else {
      return true
    }
    return switch comparison {
    case .greater: left > right
    case .greaterOrEqual: left >= right
    case .less: left < right
    case .lessOrEqual: left <= right
    }
  }
}
