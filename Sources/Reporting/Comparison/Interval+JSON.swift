internal import Evaluation
internal import Statistics

extension Interval {
  /// The ends and what they rest on.
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
  /// Both intervals by method, null where there is none; `remarks` then says why.
  var json: JSONValue {
    let all = [
      (Interval.Method.clusterT.rawValue, clusterT), (Interval.Method.bca.rawValue, bca),
    ]
    var members: [String: JSONValue] = ["subjects": .integer(subjects)]
    var remarks: [String: JSONValue] = [:]
    for (name, result) in all {
      switch result {
      case .success(let interval): members[name] = interval.json
      case .failure(let gap):
        members[name] = .null
        remarks[name] = .string(gap.rawValue)
      }
    }
    if !remarks.isEmpty { members["remarks"] = .object(remarks) }
    return .object(members)
  }
}

extension Result<Interval, IntervalGap> {
  /// The ends, or that there are none.
  var shortText: String {
    if case .success(let interval) = self { interval.text() } else { "none" }
  }

  /// Why there are none; nil where there are.
  var gap: IntervalGap? {
    if case .failure(let gap) = self { gap } else { nil }
  }

  /// The ends, or why there are none.
  func text(_ decimals: Int = 3) -> String {
    switch self {
    case .success(let interval): interval.text(decimals)
    case .failure(let gap): "none: \(gap.rawValue)"
    }
  }
}
