internal import Evaluation
internal import Statistics

extension MetricValue {
  /// The number with some decimals, or `n/a`.
  func text(_ decimals: Int = 3) -> String {
    number.map { NumberText.fixed($0, decimals) } ?? "n/a"
  }

  /// The number as a percentage, or `n/a`.
  var percentText: String { number.map(NumberText.percent) ?? "n/a" }
}

extension Interval {
  /// The ends as people read them.
  func text(_ decimals: Int = 3) -> String {
    "\(NumberText.fixed(lower, decimals)) ... \(NumberText.fixed(upper, decimals))"
  }
}

extension MetricIntervals {
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
