package import PlankDetection

/// An axis with its values as numbers, ascending and distinct.
package struct ResolvedAxis: Hashable, Sendable {
  /// The parameter, its unit and range.
  package let definition: ParameterDefinition
  /// The values in the parameter's unit.
  package let values: [Double]

  /// The parameter.
  package var key: ParameterKey { definition.key }
}
