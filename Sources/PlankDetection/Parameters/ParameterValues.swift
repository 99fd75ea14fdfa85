/// The parameters of one detector, each with a value.
public struct ParameterValues: Hashable, Sendable {
  /// The name of the detector, for messages.
  public let detectorName: String
  /// The definitions, in output order.
  public let definitions: [ParameterDefinition]
  private var values: [Double]

  init(detectorName: String, definitions: [ParameterDefinition]) {
    self.detectorName = detectorName
    self.definitions = definitions
    values = definitions.map { $0.defaultValue }
  }

  /// The value of a parameter in its unit, or nil if the detector does not use it.
  public subscript(key: ParameterKey) -> Double? {
    definitions.firstIndex { $0.key == key }.map { values[$0] }
  }

  /// Every definition with its value.
  public var entries: [(definition: ParameterDefinition, value: Double)] {
    zip(definitions, values).map { (definition: $0, value: $1) }
  }

  /// Sets a parameter.
  ///
  /// - Throws: `DetectorError` for a key that the detector does not use and for values that the
  ///   parameter does not allow.
  public mutating func set(_ key: ParameterKey, to value: Double) throws(DetectorError) {
    let index = try index(of: key.rawValue)
    guard definitions[index].accepts(value) else {
      throw .invalidValue(definitions[index], value)
    }
    values[index] = value
  }

  /// Sets a parameter from a text such as `sag=3cm`.
  ///
  /// - Throws: `DetectorError` for a text without `=`, an unknown key, or a value that is unreadable
  ///   or not allowed.
  public mutating func set(_ assignment: String) throws(DetectorError) {
    let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
      throw .unreadableAssignment(assignment)
    }
    let index = try index(of: String(parts[0]))
    do {
      values[index] = try definitions[index].parse(String(parts[1]))
    } catch .unreadableValue(let definition, let text, _) {
      throw .unreadableValue(definition, text, available: definitions.map { $0.key })
    }
  }

  private func index(of key: String) throws(DetectorError) -> Int {
    guard let index = definitions.firstIndex(where: { $0.key.rawValue == key }) else {
      throw .unusedParameter(
        key, detector: detectorName, available: definitions.map { $0.key })
    }
    return index
  }
}

#if !hasFeature(Embedded)
  extension ParameterValues: Codable {
    private enum CodingKeys: String, CodingKey {
      case detector
      case definitions
      case values
    }

    /// Decodes a detector's parameters with their definitions.
    ///
    /// - Throws: `DecodingError` for a key without a definition or with two, and for values that are
    ///   not allowed.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let definitions = try container.decode([ParameterDefinition].self, forKey: .definitions)
      for (index, definition) in definitions.enumerated()
      where definitions[..<index].contains(where: { $0.key == definition.key }) {
        throw DecodingError.dataCorruptedError(
          forKey: .definitions, in: container,
          debugDescription: "`\(definition.key.rawValue)` is defined twice; remove one")
      }
      self.init(
        detectorName: try container.decode(String.self, forKey: .detector),
        definitions: definitions)
      for (key, value) in try container.decode([String: Double].self, forKey: .values) {
        do {
          try set(ParameterKey(key), to: value)
        } catch {
          throw DecodingError.dataCorruptedError(
            forKey: .values, in: container, debugDescription: "\(error)")
        }
      }
    }

    /// Encodes the detector's name, the definitions, and the values by key.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(detectorName, forKey: .detector)
      try container.encode(definitions, forKey: .definitions)
      let named = entries.map { ($0.definition.key.rawValue, $0.value) }
      try container.encode(Dictionary(uniqueKeysWithValues: named), forKey: .values)
    }
  }
#endif
