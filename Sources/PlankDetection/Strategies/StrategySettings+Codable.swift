extension StrategySettings: Codable {
  private enum CodingKeys: String, CodingKey {
    case kind
    case parameters
  }

  /// Reads a kind and its parameters, and checks them as the initializer does.
  ///
  /// - Throws: `DecodingError` for an unknown kind and for what `StrategyError` names.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let name = try container.decode(String.self, forKey: .kind)
    guard let kind = Kind(rawValue: name) else {
      throw DecodingError.dataCorruptedError(
        forKey: .kind, in: container,
        debugDescription: "no \(Kind.family) `\(name)`; there are "
          + Kind.allCases.map(\.rawValue).joined(separator: ", "))
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

  /// Writes the kind and every parameter by key.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(kind.rawValue, forKey: .kind)
    let named = entries.map { ($0.definition.key.rawValue, $0.value) }
    try container.encode(Dictionary(uniqueKeysWithValues: named), forKey: .parameters)
  }
}
