internal import Statistics

/// In JSON an object: the keys are those of gates and options, such as `plank.recall[high]`.
package struct MetricTable: Hashable, Sendable {
  private var values: [MetricKey: MetricValue]

  package init(_ keys: some Sequence<MetricKey>, value: (MetricKey) -> MetricValue) {
    values = Dictionary(keys.map { ($0, value($0).clamped(to: $0.metric.range)) }) { first, _ in
      first
    }
  }

  package init(_ entries: some Sequence<(MetricKey, MetricValue)>) {
    values = Dictionary(entries.map { ($0.0, $0.1) }) { first, _ in first }
  }

  package var keys: [MetricKey] { MetricKey.all.filter { values[$0] != nil } }

  package subscript(key: MetricKey) -> MetricValue? { values[key] }
}

extension MetricTable: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let named = try container.decode([String: MetricValue].self)
    values = [:]
    for (name, value) in named {
      guard let key = try? MetricKey(name) else {
        throw DecodingError.dataCorruptedError(
          in: container, debugDescription: "found the metric `\(name)`, which does not exist")
      }
      values[key] = value
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(
      Dictionary(uniqueKeysWithValues: values.map { ($0.key.description, $0.value) }))
  }
}

extension MetricKey: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let key = try? MetricKey(name) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "found the metric `\(name)`, which does not exist")
    }
    self = key
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension MetricKey: CodingKeyRepresentable {
  package var codingKey: any CodingKey { MetricName(stringValue: description) }

  package init?(codingKey: some CodingKey) {
    guard let key = try? MetricKey(codingKey.stringValue) else { return nil }
    self = key
  }

  private struct MetricName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

extension MetricValue: Codable {
  private enum CodingKeys: String, CodingKey { case value, reason }

  /// Reads a number, or `{"value": null, "reason": "..."}`.
  package init(from decoder: any Decoder) throws {
    if let number = try? decoder.singleValueContainer().decode(Double.self) {
      self = .value(number)
      return
    }
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self = .undefined(try container.decode(UndefinedReason.self, forKey: .reason))
  }

  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .value(let number):
      var container = encoder.singleValueContainer()
      try container.encode(number)
    case .undefined(let reason):
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encodeNil(forKey: .value)
      try container.encode(reason, forKey: .reason)
    }
  }
}
