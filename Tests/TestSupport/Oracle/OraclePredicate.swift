/// `measurement op parameter`, where the parameter may be negated.
package struct OraclePredicate: Sendable, Equatable {
  /// Name of the measurement.
  package var measurement: String
  /// One of `>`, `>=`, `<`, `<=`.
  package var operation: String
  /// Key of the parameter.
  package var key: String
  /// The parameter is compared with its sign changed.
  package var isNegated: Bool

  /// Makes a predicate.
  package init(
    _ measurement: String, _ operation: String, _ key: String, isNegated: Bool = false
  ) {
    self.measurement = measurement
    self.operation = operation
    self.key = key
    self.isNegated = isNegated
  }

  /// Compares the Float measurement with the parameter rounded to Float.
  package func holds(_ value: Float, _ parameter: Double) -> Bool {
    let bound = isNegated ? -Float(parameter) : Float(parameter)
    switch operation {
    case ">": return value > bound
    case ">=": return value >= bound
    case "<": return value < bound
    case "<=": return value <= bound
    default: preconditionFailure("unknown operation \(operation)")
    }
  }
}
