/// A kind of step with a value for each of its parameters.
///
/// Values are checked against the catalogue when settings are made; what is left out takes its
/// default, so that equal settings are equal however they were written.
public struct StrategySettings<Kind: StrategyKind>: Hashable, Sendable {
  /// What the step does.
  public let kind: Kind
  private let values: [ParameterKey: Double]

  /// Checks and makes settings.
  ///
  /// - Parameters:
  ///   - kind: what the step does.
  ///   - given: values in the units of the catalogue; the others take their defaults.
  /// - Throws: `StrategyError` for keys that the kind lacks, two alternatives at once, values out
  ///   of range and values that contradict each other.
  public init(_ kind: Kind, _ given: [ParameterKey: Double] = [:]) throws(StrategyError) {
    for key in given.keys where !kind.parameters.contains(where: { $0.key == key }) {
      throw .unknownParameter(
        key.rawValue, of: kind.rawValue, available: kind.parameters.map(\.key))
    }
    let chosen = kind.alternatives.filter { given[$0] != nil }
    guard chosen.count <= 1 else { throw .conflictingParameters(chosen, of: kind.rawValue) }
    let alternative = chosen.first ?? kind.alternatives.first
    var values: [ParameterKey: Double] = [:]
    for parameter in kind.parameters {
      let isLeftOut = kind.alternatives.contains(parameter.key) && parameter.key != alternative
      if isLeftOut { continue }
      let value = given[parameter.key] ?? parameter.defaultValue
      guard parameter.accepts(value) else { throw .invalidValue(parameter, value) }
      values[parameter.key] = value
    }
    if let problem = kind.contradiction(in: values) {
      throw .contradiction(kind.rawValue, problem)
    }
    self.kind = kind
    self.values = values
  }

  /// The value of a parameter in its unit; nil for an alternative that was not chosen.
  public subscript(key: ParameterKey) -> Double? { values[key] }

  /// Every parameter that has a value, in the order of the catalogue.
  public var entries: [(definition: ParameterDefinition, value: Double)] {
    kind.parameters.compactMap { parameter in
      values[parameter.key].map { (definition: parameter, value: $0) }
    }
  }

  /// The value of a parameter that is no alternative; every one has a value by construction.
  func value(_ key: ParameterKey) -> Double { values[key] ?? 0 }
}
