package import Statistics

extension SubjectPools {
  /// How much the subjects weigh in a metric: by what it divides by, within each source; nil if
  /// nothing was counted.
  package func weights(_ key: MetricKey) -> ClusterWeights? {
    ClusterWeights(amounts: sources.map { amounts(key, $0.counts) })
  }

  private func amounts(_ key: MetricKey, _ counts: [MetricCounts]) -> [Double] {
    switch key.metric.formula {
    case .classes: key.classShares(counts.map(\.classes))
    case .changes, .stability: counts.map(\.stability.evaluatedSeconds)
    case .detections: counts.map { Double($0.detections.count) }
    case .releases: counts.map { Double($0.releases.count) }
    case .events: counts.map { Double($0.events.truth + $0.events.answers) }
    case .holds: counts.map { Double($0.holds.sequences) }
    }
  }
}

extension MetricKey {
  /// The time that the metric divides by: all scored time, or that of its class; where a metric is
  /// a mean over classes, a part's shares of each class are averaged.
  package func classShares(_ parts: [ClassCounts]) -> [Double] {
    guard let member = metric.averaged.first, let time = member.classTime else {
      return parts.map { metric.classTime?($0, code) ?? $0.total }
    }
    var shares = Array(repeating: 0.0, count: parts.count)
    for code in 0..<ClassCounts.mostClasses {
      let times = parts.map { time($0, code) }
      let total = times.reduce(0, +)
      guard total > 0 else { continue }
      for (part, own) in times.enumerated() { shares[part] += own / total }
    }
    return shares
  }
}
