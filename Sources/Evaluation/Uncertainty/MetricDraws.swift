package import PoseModel
package import Statistics

/// Metrics of many resamples of subjects.
///
/// The numbers equal those of `SubjectPools.values` bit for bit, because counts are added in the
/// order of the draws.
package struct MetricDraws: Sendable {
  private let keys: [MetricKey]
  private let sources: [DrawnSource]

  /// Numbers the subjects of the second pool after those of the first, so that a resample may mix
  /// both sides.
  package init(_ pools: [SubjectPools], _ keys: [MetricKey]) {
    precondition(
      pools.allSatisfy { $0.subjects == pools[0].subjects }, "sides are of the same subjects")
    self.keys = keys
    sources = pools[0].sources.indices.map { index in
      DrawnSource(pools.map { $0.sources[index] }, keys)
    }
  }

  package func numbers(of drawn: [Int]) -> [Double?] {
    let parts = sources.compactMap { $0.numbers(keys, of: drawn) }
    guard parts.count > 1 else { return parts.first ?? keys.map { _ in nil } }
    return keys.indices.map { key in
      let defined = parts.compactMap { $0[key] }
      return defined.isEmpty ? nil : defined.reduce(0, +) / Double(defined.count)
    }
  }
}

private struct DrawnSource: Sendable {
  private let isPresent: [Bool]?
  private let classes: [ClassCounts]
  private let stability: [StabilityCounts]
  private let events: [EventCounts]
  private let holds: [HoldCounts]
  private let detections: OrderedLatencies?
  private let releases: OrderedLatencies?

  init(_ sides: [SubjectPools.Source], _ keys: [MetricKey]) {
    let counts = sides.flatMap(\.counts)
    let present = sides.flatMap(\.isPresent)
    func read<Part>(_ part: (MetricCounts) -> Part, by isReader: (Metric.Formula) -> Bool) -> [Part]
    {
      keys.contains { isReader($0.metric.formula) } ? counts.map(part) : []
    }
    isPresent = present.allSatisfy(\.self) ? nil : present
    classes = read(\.classes) { if case .classes = $0 { true } else { false } }
    stability = read(\.stability) {
      switch $0 {
      case .changes, .stability: true
      default: false
      }
    }
    events = read(\.events) { if case .events = $0 { true } else { false } }
    holds = read(\.holds) { if case .holds = $0 { true } else { false } }
    let detections = read(\.detections) { if case .detections = $0 { true } else { false } }
    let releases = read(\.releases) { if case .releases = $0 { true } else { false } }
    self.detections = detections.isEmpty ? nil : OrderedLatencies(detections)
    self.releases = releases.isEmpty ? nil : OrderedLatencies(releases)
  }

  func numbers(_ keys: [MetricKey], of drawn: [Int]) -> [Double?]? {
    let own = isPresent.map { isPresent in drawn.filter { isPresent[$0] } } ?? drawn
    guard !own.isEmpty else { return nil }
    let classes = Self.sum(classes, own, ClassCounts(), +=)
    let stability = Self.sum(stability, own, StabilityCounts(), +=)
    let events = Self.sum(events, own, EventCounts(), +=)
    let holds = Self.sum(holds, own, HoldCounts(), +=)
    let copies = detections == nil && releases == nil ? [] : copies(own)
    return keys.map { key in
      switch key.metric.formula {
      case .classes(let formula): formula(classes, key.code).number
      case .changes(let formula): formula(stability.changes).number
      case .stability(let formula): formula(stability).number
      case .events(let formula): formula(events).number
      case .holds(let formula): formula(holds).number
      case .detections(let formula): detections?.number(formula, copies, own)
      case .releases(let formula): releases?.number(formula, copies, own)
      }
    }
  }

  private static func sum<Part>(
    _ parts: [Part], _ own: [Int], _ zero: Part, _ add: (inout Part, Part) -> Void
  ) -> Part {
    guard !parts.isEmpty else { return zero }
    return own.reduce(into: zero) { add(&$0, parts[$1]) }
  }

  private func copies(_ own: [Int]) -> [Int] {
    var copies = Array(repeating: 0, count: detections?.subjects ?? releases?.subjects ?? 0)
    for subject in own { copies[subject] += 1 }
    return copies
  }
}

struct OrderedLatencies: Sendable {
  let subjects: Int
  private let times: [Double]
  private let isCensored: [Bool]
  private let owners: [Int]
  private let observed: [Int]
  private let changes: [Int]
  private let hits: [Int]

  init(_ latencies: [[Latency]]) {
    let all = latencies.enumerated().flatMap { subject, own in
      own.filter { $0.change == .observed }.map { (latency: $0, subject: subject) }
    }.sorted { $0.latency.seconds < $1.latency.seconds }
    subjects = latencies.count
    times = all.map(\.latency.seconds)
    isCensored = all.map(\.latency.isCensored)
    owners = all.map(\.subject)
    observed = latencies.map { $0.count { $0.change == .observed } }
    changes = latencies.map(\.count)
    hits = latencies.map { $0.count { !$0.isCensored } }
  }

  func number(_ formula: LatencyFormula, _ copies: [Int], _ drawn: [Int]) -> Double? {
    switch formula {
    case .hitRate:
      let all = drawn.reduce(0) { $0 + changes[$1] }
      return all == 0 ? nil : Double(drawn.reduce(0) { $0 + hits[$1] }) / Double(all)
    case .quantile(let share, _):
      return quantile(share, copies, atRisk: drawn.reduce(0) { $0 + observed[$1] })
    }
  }

  private func quantile(_ share: Double, _ copies: [Int], atRisk: Int) -> Double? {
    var (atRisk, survival, index) = (atRisk, 1.0, 0)
    while index < times.count {
      guard copies[owners[index]] > 0 else {
        index += 1
        continue
      }
      let (time, before) = (times[index], atRisk)
      var followed = 0
      while index < times.count, times[index] - time <= FrameTiming.slack {
        let count = copies[owners[index]]
        if !isCensored[index] { followed += count }
        atRisk -= count
        index += 1
      }
      guard followed > 0 else { continue }
      survival *= 1 - Double(followed) / Double(before)
      if survival <= SurvivalCurve.bound(share) { return time }
    }
    return nil
  }
}

/// The counts of a stream by source and subject, for resampling.
///
/// Sequences without a subject count as one subject, because it is unknown whom they show. Counts
/// are pooled within a source. A metric is the mean over the sources that define it, as in
/// `ScoreView`.
package struct SubjectPools: Hashable, Sendable {
  /// The subjects in order of names, nil last, without those that have no scored frame of the
  /// stream.
  package let subjects: [String?]
  package let stream: AnswerStream
  package let frameCounts: FrameCounts
  let sources: [Source]

  struct Source: Hashable, Sendable {
    let counts: [MetricCounts]
    let isPresent: [Bool]

    func values(_ keys: [MetricKey], of drawn: [Int]) -> [MetricValue]? {
      let own = drawn.filter { isPresent[$0] }
      guard !own.isEmpty else { return nil }
      var sums = SummedCounts(counts, drawn: own)
      return keys.map { sums.value($0.metric, code: $0.code) }
    }
  }

  /// `subjects` are the subjects to keep, in order; nil keeps all with a scored frame.
  package init(_ sequences: [SequenceScores], _ stream: AnswerStream, subjects: [String?]? = nil) {
    let groups = Dictionary(grouping: sequences, by: \.subject)
    let scored = groups.filter { $0.value.contains { $0[stream].frames.scored > 0 } }
    let names = scored.keys.compactMap(\.self).sorted().map(Optional.some)
    let found = subjects ?? names + (scored.keys.contains(nil) ? [nil] : [])
    self.subjects = found
    self.stream = stream
    let members = found.map { groups[$0] ?? [] }
    frameCounts = members.joined().reduce(into: FrameCounts()) { $0 += $1[stream].frames }
    let bySource = Dictionary(grouping: members.joined()) { $0.source ?? "" }
    sources = bySource.keys.sorted().map { name in
      let own = members.map { $0.filter { ($0.source ?? "") == name } }
      return Source(
        counts: own.map { MetricCounts(PooledCounts($0, stream)) },
        isPresent: own.map { !$0.isEmpty })
    }
  }

  package func values(_ keys: [MetricKey], of drawn: [Int]? = nil) -> [MetricValue] {
    let drawn = drawn ?? Array(subjects.indices)
    return Self.mean(sources.compactMap { $0.values(keys, of: drawn) }, keys)
  }

  private static func mean(_ sources: [[MetricValue]], _ keys: [MetricKey]) -> [MetricValue] {
    guard !sources.isEmpty else {
      var none = SummedCounts([])
      return keys.map { none.value($0.metric, code: $0.code) }
    }
    return keys.indices.map { key in .mean(sources.map { $0[key] }) }
  }
}

extension SubjectPools {
  /// Weighs each subject by its time in the metric's denominator, within each source; nil if
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
    case .events: counts.map { Double($0.events.truth + $0.events.predicted) }
    case .holds: counts.map { Double($0.holds.sequences) }
    }
  }
}

extension MetricKey {
  /// What each part adds to the metric's denominator: its scored time, or its time of the metric's
  /// class.
  ///
  /// For a mean over classes, a part's shares of the classes are averaged.
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
