internal import Evaluation

extension MetricValue {
  /// The number, or null; the reason stands in `remarks` beside it.
  var json: JSONValue { .optional(number) }

  /// The number with some decimals, or `n/a`.
  func text(_ decimals: Int = 3) -> String {
    number.map { NumberText.fixed($0, decimals) } ?? "n/a"
  }

  /// The number as a percentage, or `n/a`.
  var percentText: String { number.map(NumberText.percent) ?? "n/a" }
}

extension JSONValue {
  /// Numbers by name, undefined ones as null; `remarks` then holds the reasons by name.
  static func members(_ values: [String: MetricValue]) -> [String: JSONValue] {
    var members = values.mapValues(\.json)
    let reasons = values.compactMapValues { $0.reason.map { JSONValue.string($0.rawValue) } }
    if !reasons.isEmpty { members["remarks"] = .object(reasons) }
    return members
  }
}

extension [MetricResult] {
  /// The metrics by name, undefined ones as null.
  var json: JSONValue {
    .object(Dictionary(uniqueKeysWithValues: map { ($0.metric.rawValue, $0.value.json) }))
  }

  /// Why metrics are undefined, and which classes means leave out, by name; only where any are.
  var remarks: JSONValue {
    var members: [String: JSONValue] = [:]
    for result in self {
      if let reason = result.value.reason {
        members[result.metric.rawValue] = .string(reason.rawValue)
      } else if !result.excluded.isEmpty {
        members[result.metric.rawValue] = .string(
          "without " + result.excluded.joined(separator: ", ") + ": undefined there")
      }
    }
    return .object(members)
  }
}
