/// The definition of a parameter: its unit, default, valid range and meaning.
///
/// Validation, help texts, grids, readers and documentation are all made from definitions.
public struct ParameterDefinition: Hashable, Sendable {
  /// The name.
  public let key: ParameterKey
  /// The unit of a number without a suffix.
  public let unit: MeasurementUnit
  /// The published or proposed value.
  public let defaultValue: Double
  /// The closed range of allowed values.
  public let range: ClosedRange<Double>
  /// What the parameter does, in one line.
  public let meaning: String

  /// Makes a definition.
  ///
  /// - Throws: `DetectorError.inconsistentDefinition` for a default that is not allowed.
  public init(
    _ key: ParameterKey, unit: MeasurementUnit, default defaultValue: Double,
    range: ClosedRange<Double>, meaning: String
  ) throws(DetectorError) {
    self.init(checked: key, unit, defaultValue, range, meaning)
    guard accepts(defaultValue) else { throw .inconsistentDefinition(self) }
  }

  /// Makes a definition that is known to be consistent; tests check the catalogue.
  package init(
    checked key: ParameterKey, _ unit: MeasurementUnit, _ defaultValue: Double,
    _ range: ClosedRange<Double>, _ meaning: String
  ) {
    self.key = key
    self.unit = unit
    self.defaultValue = defaultValue
    self.range = range
    self.meaning = meaning
  }

  /// Whether only whole numbers are allowed.
  public var isInteger: Bool { unit == .frames }

  /// The name as a Swift identifier: `sideRise` for `side_rise`.
  public var swiftName: String {
    let words = key.rawValue.split(separator: "_")
    return words.enumerated().map { index, word in
      index == 0 ? String(word) : word.prefix(1).uppercased() + word.dropFirst()
    }.joined()
  }

  /// Whether a number is allowed: finite, in the range, and whole if required.
  public func accepts(_ value: Double) -> Bool {
    value.isFinite && range.contains(value)
      && (!isInteger || value == value.rounded(.toNearestOrEven))
  }

  /// The allowed values in words: `a number in m from 0.0 to 0.6`.
  public var allowedValues: String {
    if isInteger {
      return "a whole number of frames from \(Int(range.lowerBound)) to \(Int(range.upperBound))"
    }
    let unitText = unit == .ratio ? "" : " in \(unit.rawValue)"
    return "a number\(unitText) from \(range.lowerBound) to \(range.upperBound)"
  }

  /// A valid value, as an example for error messages.
  public var example: String {
    switch unit {
    case .meters: "5cm"
    case .degrees: "140deg"
    case .seconds: "0.5s"
    case .frames: "5"
    case .hertz: "1.5Hz"
    case .ratio, .bodyHeights, .imageHeights, .metersPerSecond, .degreesPerSecond,
      .bodyHeightsPerSecond, .imageHeightsPerSecond:
      "\(defaultValue)"
    }
  }

  /// Parses a value: a number in `unit`, or a number with a suffix of that unit.
  ///
  /// - Throws: `DetectorError` for a wrong suffix, text that is not a number, or a value that is
  ///   not allowed.
  public func parse(_ text: String) throws(DetectorError) -> Double {
    let number = try number(text)
    guard accepts(number) else { throw .invalidValue(self, number) }
    return number
  }

  /// Parses a number in `unit` as `parse` does, even if the parameter does not allow it.
  ///
  /// Steps and margins are such numbers.
  ///
  /// - Throws: `DetectorError.unreadableValue` for a wrong suffix or text that is not a number.
  public func number(_ text: String) throws(DetectorError) -> Double {
    var number = Double(text)
    for suffix in unit.suffixes where number == nil && text.hasSuffix(suffix.text) {
      var digits = text.dropLast(suffix.text.count)
      while digits.last == " " { digits.removeLast() }
      number = Double(digits).map { $0 / suffix.divisor }
    }
    guard let number else { throw .unreadableValue(self, text) }
    return number
  }
}

#if !hasFeature(Embedded)
  extension ParameterDefinition: Codable {
    private enum CodingKeys: String, CodingKey {
      case key
      case unit
      case defaultValue = "default"
      case range
      case meaning
    }

    /// Decodes a definition and checks it.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      do {
        try self.init(
          ParameterKey(try container.decode(String.self, forKey: .key)),
          unit: container.decode(MeasurementUnit.self, forKey: .unit),
          default: container.decode(Double.self, forKey: .defaultValue),
          range: container.decode(ClosedRange<Double>.self, forKey: .range),
          meaning: container.decode(String.self, forKey: .meaning))
      } catch let error as DetectorError {
        throw DecodingError.dataCorruptedError(
          forKey: .defaultValue, in: container, debugDescription: "\(error)")
      }
    }

    /// Encodes every field.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(key.rawValue, forKey: .key)
      try container.encode(unit, forKey: .unit)
      try container.encode(defaultValue, forKey: .defaultValue)
      try container.encode(range, forKey: .range)
      try container.encode(meaning, forKey: .meaning)
    }
  }

  extension MeasurementUnit: Codable {}

  extension ParameterKey: Codable {}
#endif
