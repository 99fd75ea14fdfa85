internal import Evaluation
internal import Statistics

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

extension [MetricKey: MetricValue] {
  /// The numbers by the keys that gates take, undefined ones as null: `metrics` in every result.
  var json: JSONValue { .object(named(\.json)) }

  /// Why numbers are undefined, by key: `metrics_remarks` in every result.
  var remarks: JSONValue {
    .object(named { .optional($0.reason?.rawValue) }.filter { $0.value != .null })
  }

  private func named(_ json: (MetricValue) -> JSONValue) -> [String: JSONValue] {
    reduce(into: [:]) { $0["\($1.key)"] = json($1.value) }
  }
}

extension [MetricResult] {
  /// The metrics by name, undefined ones as null.
  var json: [String: JSONValue] {
    Dictionary(uniqueKeysWithValues: map { ($0.key.metric.name, $0.value.json) })
  }

  /// Why metrics are undefined and which classes a mean leaves out, by name; only if there are any.
  var remarks: JSONValue {
    var members: [String: JSONValue] = [:]
    for result in self {
      if let reason = result.value.reason {
        members[result.key.metric.name] = .string(reason.rawValue)
      } else if !result.excluded.isEmpty {
        members[result.key.metric.name] = .string(
          "without " + result.excluded.joined(separator: ", ") + ": undefined there")
      }
    }
    return .object(members)
  }
}

extension Interval {
  /// The ends and their evidence.
  var json: JSONValue {
    .object([
      "method": .string(method.rawValue), "level": .number(level), "lower": .number(lower),
      "upper": .number(upper), "subjects": .integer(clusters),
    ])
  }

  /// The ends as people read them.
  func text(_ decimals: Int = 3) -> String {
    "\(NumberText.fixed(lower, decimals)) ... \(NumberText.fixed(upper, decimals))"
  }
}

extension MetricIntervals {
  /// Both intervals by method, null if there is none; `remarks` then says why.
  var json: JSONValue {
    let all = [
      (Interval.Method.clusterT.rawValue, clusterT), (Interval.Method.bca.rawValue, bca),
    ]
    var members: [String: JSONValue] = ["subjects": .integer(subjects)]
    var remarks: [String: JSONValue] = [:]
    for (name, result) in all {
      switch result {
      case .interval(let interval): members[name] = interval.json
      case .undefined(let gap):
        members[name] = .null
        remarks[name] = .string(gap.rawValue)
      }
    }
    if !remarks.isEmpty { members["remarks"] = .object(remarks) }
    if let method { members["wider"] = .string(method.rawValue) }
    return .object(members)
  }

  /// Which method gave the wider interval; empty without one.
  var methodText: String {
    method.map { $0 == .clusterT ? "cluster t" : "BCa bootstrap" } ?? ""
  }
}

extension IntervalValue {
  /// The ends, or that there is no interval.
  var shortText: String { interval?.text() ?? "none" }

  /// The ends, or why there is no interval.
  func text(_ decimals: Int = 3) -> String {
    switch self {
    case .interval(let interval): interval.text(decimals)
    case .undefined(let gap): "none: \(gap.rawValue)"
    }
  }
}
