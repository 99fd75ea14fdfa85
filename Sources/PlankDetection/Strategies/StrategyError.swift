/// Why a smoothing or debounce strategy cannot be used.
public enum StrategyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A step was given a parameter that its kind lacks.
  case unknownParameter(String, of: String, available: [ParameterKey])
  /// Parameters that exclude each other were given together.
  case conflictingParameters([ParameterKey], of: String)
  /// A number lies outside its parameter's range, or is no whole number where one is needed.
  case invalidValue(ParameterDefinition, Double)
  /// The values of a step do not go together.
  case contradiction(String, String)
  /// A step on joints stands after a step on measurements.
  case jointsAfterMeasurements
  /// A Schmitt band is no positive finite number.
  case invalidBand(ParameterKey, Double)
  /// A threshold was given two Schmitt bands.
  case repeatedBand(ParameterKey)

  /// What is wrong, what is allowed, and what to do.
  public var description: String {
    switch self {
    case .unknownParameter(let key, let kind, let available):
      available.isEmpty
        ? "\(kind) has no parameters; leave out `\(key)`"
        : "\(kind) has no parameter `\(key)`; it has \(Self.list(available))"
    case .conflictingParameters(let keys, let kind):
      "\(kind) takes only one of \(Self.list(keys)); leave out the others"
    case .invalidValue(let parameter, let value):
      "\(parameter.key.rawValue) = \(value) is not allowed; give \(parameter.allowedValues)"
    case .contradiction(let kind, let problem):
      "\(kind): \(problem)"
    case .jointsAfterMeasurements:
      "a step on joints cannot follow a step on measurements, which are made from joints; put "
        + "the steps on joints first"
    case .invalidBand(let key, let width):
      "the band of \(key.rawValue) is \(width); give half its width, above 0"
    case .repeatedBand(let key):
      "\(key.rawValue) has two bands; leave one"
    }
  }

  private static func list(_ keys: [ParameterKey]) -> String {
    keys.map(\.rawValue).joined(separator: ", ")
  }
}
