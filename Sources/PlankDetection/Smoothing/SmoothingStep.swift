/// One filter of a strategy: its kind, its numbers, and what it works on.
public struct SmoothingStep: Hashable, Sendable {
  /// The kind with a value for each parameter.
  public let settings: StrategySettings<SmoothingKind>
  /// What the filter works on.
  public let target: SmoothingTarget

  /// Makes a step.
  ///
  /// - Parameters:
  ///   - kind: the filter.
  ///   - values: parameters in the units of the catalogue; the others take their defaults.
  ///   - target: what it works on.
  /// - Throws: `StrategyError` for parameters that the kind lacks or does not allow.
  public init(
    _ kind: SmoothingKind, _ values: [ParameterKey: Double] = [:],
    on target: SmoothingTarget = .joints
  ) throws(StrategyError) {
    self.init(settings: try StrategySettings(kind, values), on: target)
  }

  /// Makes a step from settings.
  public init(settings: StrategySettings<SmoothingKind>, on target: SmoothingTarget) {
    self.settings = settings
    self.target = target
  }
}

extension SmoothingStep: Codable {
  private enum CodingKeys: String, CodingKey { case target }

  /// Reads settings and target.
  ///
  /// - Throws: `DecodingError` for what the catalogue does not allow.
  public init(from decoder: any Decoder) throws {
    settings = try StrategySettings(from: decoder)
    let container = try decoder.container(keyedBy: CodingKeys.self)
    target = try container.decode(SmoothingTarget.self, forKey: .target)
  }

  /// Writes settings and target into one object.
  public func encode(to encoder: any Encoder) throws {
    try settings.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(target, forKey: .target)
  }
}
