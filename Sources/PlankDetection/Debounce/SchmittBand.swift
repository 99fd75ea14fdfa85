/// Hysteresis around one threshold of a detector.
///
/// A comparison with the parameter p turns true once the measurement is beyond p by the half width,
/// and false once it is on the other side by as much; in between it stays as it was. At the start of
/// a sequence, and after a gap over `hold_seconds`, it is the plain comparison with p.
public struct SchmittBand: Hashable, Sendable, Codable {
  /// The parameter around whose value the band lies.
  public let parameter: ParameterKey
  /// Half the width of the band, in the parameter's unit; above 0.
  public let halfWidth: Double

  /// Checks and makes a band.
  ///
  /// - Throws: `StrategyError.invalidBand` unless the half width is finite and above 0.
  public init(_ parameter: ParameterKey, halfWidth: Double) throws(StrategyError) {
    guard halfWidth.isFinite, halfWidth > 0 else { throw .invalidBand(parameter, halfWidth) }
    self.parameter = parameter
    self.halfWidth = halfWidth
  }

  private enum CodingKeys: String, CodingKey {
    case parameter
    case halfWidth
  }

  /// Reads a band.
  ///
  /// - Throws: `DecodingError` for a half width that is not allowed.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let key = ParameterKey(try container.decode(String.self, forKey: .parameter))
    do {
      try self.init(key, halfWidth: container.decode(Double.self, forKey: .halfWidth))
    } catch let error as StrategyError {
      throw DecodingError.dataCorruptedError(
        forKey: .halfWidth, in: container, debugDescription: "\(error)")
    }
  }

  /// Writes the band.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(parameter.rawValue, forKey: .parameter)
    try container.encode(halfWidth, forKey: .halfWidth)
  }
}
