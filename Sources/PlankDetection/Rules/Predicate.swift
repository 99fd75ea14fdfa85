/// One comparison of a measurement with a parameter, for example `shoulderRise < -side_rise`.
public struct Predicate: Hashable, Sendable, CustomStringConvertible {
  /// What is measured.
  public var measurement: Measurement
  /// How it is compared.
  public var comparison: Comparison
  /// The parameter it is compared with.
  public var parameter: ParameterKey
  /// Whether the parameter's negative is meant.
  public var isNegated: Bool

  /// Makes a predicate.
  public init(
    _ measurement: Measurement, _ comparison: Comparison, _ parameter: ParameterKey,
    negated: Bool = false
  ) {
    self.measurement = measurement
    self.comparison = comparison
    self.parameter = parameter
    isNegated = negated
  }

  /// The predicate as it is written in detector files.
  public var description: String {
    "\(measurement.name) \(comparison.rawValue) \(isNegated ? "-" : "")\(parameter.rawValue)"
  }
}
