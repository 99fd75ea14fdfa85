internal import PoseModel
internal import Statistics

package struct DwellSummary: Codable, Hashable, Sendable {
  package let runs: Int
  package let median: MetricValue
  package let tenth: MetricValue
  package let ninetieth: MetricValue
  package let longest: MetricValue
  package let shortShare: MetricValue

  private enum CodingKeys: String, CodingKey {
    case runs
    case median = "p50_s"
    case tenth = "p10_s"
    case ninetieth = "p90_s"
    case longest = "longest_s"
    case shortShare = "share_under_500_ms"
  }

  package init(_ durations: [Double]) {
    let quantiles = Description.quantiles(durations, at: [0.1, 0.5, 0.9, 1])
    func quantile(_ index: Int) -> MetricValue {
      quantiles.map { .value($0[index]) } ?? .undefined(.occursNowhere)
    }
    runs = durations.count
    tenth = quantile(0)
    median = quantile(1)
    ninetieth = quantile(2)
    longest = quantile(3)
    let bound = ScoredStream.flickerBound - FrameTiming.slack
    shortShare = .ratio(
      Double(durations.count { $0 < bound }), Double(durations.count), orElse: .occursNowhere)
  }
}

package struct ClassDwells: Codable, Hashable, Sendable {
  package let truth: DwellSummary
  package let answers: DwellSummary

  private enum CodingKeys: String, CodingKey {
    case truth = "true"
    case answers = "answered"
  }
}

/// A dwell is a run of consecutive scored frames of one class; runs that unscored frames cut are
/// counted in parts.
package struct DwellCounts: Hashable, Sendable {
  package private(set) var truth: [[Double]] = []
  package private(set) var answers: [[Double]] = []

  package init() {}

  init(_ spans: [ScoredSpan], labelCount: Int) {
    guard !spans.isEmpty else { return }
    truth = Array(repeating: [], count: labelCount)
    answers = truth
    for span in spans {
      for run in span.truth { truth[Int(run.code)].append(run.seconds) }
      for run in span.answers { answers[Int(run.code)].append(run.seconds) }
    }
  }

  package static func += (left: inout DwellCounts, right: DwellCounts) {
    add(&left.truth, right.truth)
    add(&left.answers, right.answers)
  }

  func summaries(_ labels: [String]) -> [String: ClassDwells] {
    func summary(_ durations: [[Double]], _ code: Int) -> DwellSummary {
      DwellSummary(code < durations.count ? durations[code] : [])
    }
    return Dictionary(
      uniqueKeysWithValues: labels.enumerated().map { code, label in
        (label, ClassDwells(truth: summary(truth, code), answers: summary(answers, code)))
      })
  }

  package var longestAnswer: MetricValue {
    .of(answers.joined().max(), orElse: .noScoredFrames)
  }

  private static func add(_ left: inout [[Double]], _ right: [[Double]]) {
    if left.isEmpty { left = Array(repeating: [], count: right.count) }
    for (code, durations) in right.enumerated() { left[code] += durations }
  }
}
