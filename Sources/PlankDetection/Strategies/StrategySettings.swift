/// A kind of step with a value for each of its parameters.
///
/// Values are checked against the catalogue when settings are made; missing ones take their
/// defaults, so that equal settings are equal however they were written.
public struct StrategySettings<Kind: StrategyKind>: Hashable, Sendable {
  /// The kind of step.
  public let kind: Kind
  private let values: [ParameterKey: Double]

  /// Checks and makes settings.
  ///
  /// - Parameters:
  ///   - kind: the kind of step.
  ///   - given: values in the units of the catalogue; the others take their defaults.
  /// - Throws: `StrategyError` for keys that the kind lacks, two alternatives at once, values out
  ///   of range and values that contradict each other.
  public init(_ kind: Kind, _ given: [ParameterKey: Double] = [:]) throws(StrategyError) {
    for key in given.keys where !kind.parameters.contains(where: { $0.key == key }) {
      throw .unknownParameter(
        key.rawValue, of: kind.rawValue, available: kind.parameters.map { $0.key })
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

  /// The value of a parameter without alternatives; every one has a value by construction.
  func value(_ key: ParameterKey) -> Double { values[key] ?? 0 }
}

#if !hasFeature(Embedded)
  extension StrategySettings: Codable {
    private enum CodingKeys: String, CodingKey {
      case kind
      case parameters
    }

    /// Decodes a kind and its parameters, and checks them as the initializer does.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let name = try container.decode(String.self, forKey: .kind)
      guard let kind = Kind(rawValue: name) else {
        throw DecodingError.dataCorruptedError(
          forKey: .kind, in: container,
          debugDescription: "no \(Kind.family) `\(name)`; there are "
            + Kind.allCases.map { $0.rawValue }.joined(separator: ", "))
      }
      let given = try container.decode([String: Double].self, forKey: .parameters)
      let keyed = given.map { (ParameterKey($0), $1) }
      do {
        try self.init(kind, Dictionary(uniqueKeysWithValues: keyed))
      } catch {
        throw DecodingError.dataCorruptedError(
          forKey: .parameters, in: container, debugDescription: "\(error)")
      }
    }

    /// Encodes the kind and every parameter by key.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(kind.rawValue, forKey: .kind)
      let named = entries.map { ($0.definition.key.rawValue, $0.value) }
      try container.encode(Dictionary(uniqueKeysWithValues: named), forKey: .parameters)
    }
  }
#endif

/// A family of interchangeable steps, each with its own parameters.
///
/// A conforming enum is a catalogue: names, summaries and parameters of smoothing or debounce come
/// from it, as do validation, the text form, `--help` and the documentation.
public protocol StrategyKind: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// The name of the family in messages: `smoothing`, `debounce`.
  static var family: String { get }
  /// What it does, in one line.
  var summary: String { get }
  /// The parameters in the order of documentation and output.
  var parameters: [ParameterDefinition] { get }
  /// Parameters of which exactly one is given; if none is, the first one takes its default.
  var alternatives: [ParameterKey] { get }
  /// A conflict that no single parameter shows; nil if the values go together.
  func contradiction(in values: [ParameterKey: Double]) -> String?
}

extension StrategyKind {
  /// No alternatives.
  public var alternatives: [ParameterKey] { [] }

  /// Values always go together.
  public func contradiction(in values: [ParameterKey: Double]) -> String? { nil }
}

/// Why a smoothing or debounce strategy cannot be used.
public enum StrategyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A step has a parameter that its kind lacks.
  case unknownParameter(String, of: String, available: [ParameterKey])
  /// Parameters that exclude each other were given together.
  case conflictingParameters([ParameterKey], of: String)
  /// A number is out of its parameter's range, or is not whole although it must be.
  case invalidValue(ParameterDefinition, Double)
  /// The values of a step do not go together.
  case contradiction(String, String)
  /// A step on joints comes after a step on measurements.
  case jointsAfterMeasurements
  /// A Schmitt band is not a positive finite number.
  case invalidBand(ParameterKey, Double)
  /// A threshold has two Schmitt bands.
  case repeatedBand(ParameterKey)

  /// What is wrong, what is allowed, and what to do.
  public var description: String {
    switch self {
    case .unknownParameter(let key, let kind, let available):
      available.isEmpty
        ? "\(kind) has no parameters; remove `\(key)`"
        : "\(kind) has no parameter `\(key)`; it has \(Self.list(available))"
    case .conflictingParameters(let keys, let kind):
      "\(kind) takes only one of \(Self.list(keys)); remove the others"
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
      "\(key.rawValue) has two bands; remove one"
    }
  }

  private static func list(_ keys: [ParameterKey]) -> String {
    keys.map { $0.rawValue }.joined(separator: ", ")
  }
}
