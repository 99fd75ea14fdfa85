internal import Evaluation
internal import Statistics

extension MetricValue {
  func text(_ decimals: Int = 3) -> String {
    number.map { NumberText.fixed($0, decimals) } ?? "n/a"
  }

  var percentText: String { number.map(NumberText.percent) ?? "n/a" }
}

extension Interval {
  func text(_ decimals: Int = 3) -> String {
    "\(NumberText.fixed(lower, decimals)) ... \(NumberText.fixed(upper, decimals))"
  }
}

extension MetricIntervals {
  var methodText: String {
    switch method {
    case .clusterT: "cluster t"
    case .bca: "BCa bootstrap"
    case .alike: "all alike"
    case nil: ""
    }
  }
}

extension [StreamUncertainty] {
  func alikeSentence(_ keys: [MetricKey]) -> String {
    var names: [Int: [String]] = [:]
    for key in keys {
      let interval = lazy.compactMap { $0.intervals[key]?.wider.interval }.first
      guard let interval, interval.method == .alike else { continue }
      let range = key.metric.range
      let others = interval.width / (range.upperBound - range.lowerBound)
      names[Int((100 * others).rounded()), default: []].append("`\(key)`")
    }
    return names.sorted { $0.key < $1.key }.map { percent, names in
      "The same in every person: \(names.joined(separator: ", ")). Up to \(percent) % of all "
        + "people may still be different, and the intervals allow for that."
    }.joined(separator: " ")
  }
}

extension IntervalValue {
  var shortText: String { interval?.text() ?? "none" }

  func text(_ decimals: Int = 3) -> String {
    switch self {
    case .interval(let interval): interval.text(decimals)
    case .undefined(let gap): "none: \(gap.rawValue)"
    }
  }
}
