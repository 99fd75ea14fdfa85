package import PoseModel
internal import Statistics

package struct DetectorScore: Codable, Hashable, Sendable {
  package let name: String
  package let accuracy: PerStream<MetricValue>
  package let determined: PerStream<MetricValue>

  private enum CodingKeys: String, CodingKey {
    case name = "detector"
    case accuracy
    case determined = "determined_share"
  }

  package init(name: String, _ tally: AccuracyTally) {
    self.name = name
    accuracy = tally.accuracy
    determined = tally.determined
  }

  package var isJudged: Bool { (determined.plank.number ?? determined.form.number ?? 0) >= 0.5 }

  package var meanAccuracy: Double {
    let numbers = accuracy.all.compactMap(\.number)
    return numbers.isEmpty ? 0 : numbers.reduce(0, +) / Double(numbers.count)
  }
}

package struct AccuracyTally: Hashable, Sendable {
  private struct Counts: Hashable {
    var rightSeconds = 0.0
    var scoredSeconds = 0.0
    var scored = 0
    var determined = 0

    mutating func add(_ other: Counts) {
      rightSeconds += other.rightSeconds
      scoredSeconds += other.scoredSeconds
      scored += other.scored
      determined += other.determined
    }
  }

  private var sources: [String: PerStream<Counts>] = [:]

  package init() {}

  /// `answers` and `raw` are class codes, one per frame; `raw` is before debounce, and
  /// `undetermined` is the raw code of a frame that the rules could not decide.
  package init(
    _ evaluated: SequenceOutcome, answers: PerStream<[UInt8]>, raw: PerStream<[UInt8]>,
    undetermined: UInt8
  ) {
    let weight = evaluated.frameWeight.value
    let counts = PerStream { stream in
      var counts = Counts()
      let (truth, answers, raw) = (evaluated.truth.codes(stream), answers[stream], raw[stream])
      precondition(truth.count == answers.count && truth.count == raw.count, "one code per frame")
      var right = 0
      for frame in truth.indices where FrameTruth.isScored(truth[frame]) {
        counts.scored += 1
        if answers[frame] == truth[frame] { right += 1 }
        if raw[frame] != undetermined { counts.determined += 1 }
      }
      counts.rightSeconds = Double(right) * weight
      counts.scoredSeconds = Double(counts.scored) * weight
      return counts
    }
    sources = [evaluated.source ?? "": counts]
  }

  package var accuracy: PerStream<MetricValue> {
    PerStream { mean($0) { .ratio($0.rightSeconds, $0.scoredSeconds, orElse: .noScoredFrames) } }
  }

  package var determined: PerStream<MetricValue> {
    PerStream { stream in
      let counts = sources.values.map { $0[stream] }
      return .ratio(
        Double(counts.reduce(0) { $0 + $1.determined }),
        Double(counts.reduce(0) { $0 + $1.scored }), orElse: .noScoredFrames)
    }
  }

  private func mean(_ stream: AnswerStream, _ value: (Counts) -> MetricValue) -> MetricValue {
    let values = sources.sorted { $0.key < $1.key }.map { value($0.value[stream]) }
    return values.isEmpty ? .undefined(.noScoredFrames) : .mean(values)
  }

  package static func += (left: inout AccuracyTally, right: AccuracyTally) {
    for (source, counts) in right.sources {
      for stream in AnswerStream.allCases {
        left.sources[source, default: PerStream { _ in Counts() }][stream].add(counts[stream])
      }
    }
  }
}

/// The time with and without planks, and how much of it is answered wrong.
///
/// Times are in seconds; each frame is as long as its sequence's median interval.
package struct PlankTime: Codable, Hashable, Sendable {
  package let none: Double
  package let falsePlank: Double
  package let falseShare: MetricValue
  package let plank: Double
  package let missed: Double
  package let mistaken: Double

  private enum CodingKeys: String, CodingKey {
    case none = "none_s"
    case falsePlank = "false_plank_s"
    case falseShare = "false_plank_share"
    case plank = "plank_s"
    case missed = "missed_s"
    case mistaken = "mistaken_s"
  }

  package init(_ seconds: ConfusionMatrix<Double>) {
    let planks = seconds.labels.indices.dropFirst()
    let total = seconds.truthTotal(0)
    let wrong = planks.reduce(0) { $0 + seconds[0, $1] }
    none = total
    falsePlank = wrong
    falseShare = .ratio(wrong, total, orElse: .noTruth)
    plank = planks.reduce(0) { $0 + seconds.truthTotal($1) }
    missed = planks.reduce(0) { $0 + seconds[$1, 0] }
    mistaken = planks.reduce(0) { sum, truth in
      sum + planks.reduce(0) { $1 == truth ? $0 : $0 + seconds[truth, $1] }
    }
  }

  package var wrong: Double { falsePlank + missed + mistaken }
}

package struct ActivityScore: Codable, Hashable, Sendable {
  package let activity: String?
  package let sequences: Int
  package let people: Int
  package let seconds: ConfusionMatrix<Double>
  package let time: PlankTime

  private enum CodingKeys: String, CodingKey {
    case activity, sequences, people, time
    case seconds = "confusion_seconds"
  }

  private init(_ activity: String?, _ parts: [(SequenceScores, ActivityCounts)]) {
    self.activity = activity
    sequences = parts.count
    people = Set(parts.map(\.0.subject)).count
    var seconds = ConfusionMatrix<Double>(labels: AnswerStream.plank.labels)
    for (scores, counts) in parts {
      seconds += counts.confusion(.plank).weighted(by: scores.frameWeight.value)
    }
    self.seconds = seconds
    time = PlankTime(seconds)
  }

  /// The scores of all activities, sorted by wrong seconds (most first), then by name; empty if no
  /// sequence has activities.
  package static func all(_ sequences: [SequenceScores]) -> [ActivityScore] {
    guard sequences.contains(where: { !$0.activities.isEmpty }) else { return [] }
    var parts: [String?: [(SequenceScores, ActivityCounts)]] = [:]
    for scores in sequences {
      let own = scores.activities.isEmpty ? [ActivityCounts(whole: scores)] : scores.activities
      for counts in own where counts.confusion(.plank).total > 0 {
        parts[counts.activity, default: []].append((scores, counts))
      }
    }
    return parts.map { ActivityScore($0.key, $0.value) }.sorted {
      ($1.time.wrong, $0.activity ?? "") < ($0.time.wrong, $1.activity ?? "")
    }
  }

  /// The wrong answer that takes the most seconds during the activity; nil if everything is right.
  package var worst: (truth: String, answer: String, seconds: Double)? {
    let cells = seconds.wrongCells.map { ($0.truth, $0.answer, seconds[$0.truth, $0.answer]) }
    guard let most = cells.max(by: { $0.2 < $1.2 }), most.2 > 0 else { return nil }
    return (seconds.labels[most.0], seconds.labels[most.1], most.2)
  }
}

package struct ActivityChange: Codable, Hashable, Sendable {
  package let activity: String?
  package let before: PlankTime
  package let after: PlankTime

  package static func all(
    _ before: [SequenceScores], _ after: [SequenceScores]
  ) -> [ActivityChange] {
    let later = Dictionary(
      uniqueKeysWithValues: ActivityScore.all(after).map { ($0.activity, $0.time) })
    let changes = ActivityScore.all(before).compactMap { score in
      later[score.activity].map {
        ActivityChange(activity: score.activity, before: score.time, after: $0)
      }
    }
    return changes.sorted {
      ($1.change.magnitude, $0.activity ?? "") < ($0.change.magnitude, $1.activity ?? "")
    }
  }

  package var change: Double { after.wrong - before.wrong }
}

/// The metrics and counts of one stream over some sequences.
///
/// Counts are sums over all frames. A metric is computed from the pool of each source and averaged
/// over the sources that define it, so that a large source does not outvote a small one.
package struct ScoreView: Codable, Hashable, Sendable {
  package let counts: ScoreCounts
  /// Metrics over all scored frames; the plank stream also has the metrics of the session.
  let metrics: MetricTable
  let determined: MetricTable

  private enum CodingKeys: String, CodingKey {
    case counts, metrics
    case determined = "metrics_determined"
  }

  init(_ counts: ScoreCounts, metrics: MetricTable, determined: MetricTable) {
    self.counts = counts
    self.metrics = metrics
    self.determined = determined
  }

  package init(_ pool: PooledCounts) { self.init(sources: [pool]) }

  package init(_ sequences: [SequenceScores], _ stream: AnswerStream) {
    self.init(sources: Self.pools(of: sequences) { PooledCounts($0, stream) })
  }

  init(formEndToEnd sequences: [SequenceScores]) {
    self.init(sources: Self.pools(of: sequences) { PooledCounts(formEndToEnd: $0) })
  }

  init(sources: [PooledCounts]) {
    let all = Self.sum(sources)
    let scored = sources.filter { $0.frameCounts.scored > 0 }
    let counted = scored.isEmpty ? [all] : scored
    func table(_ keys: [MetricKey], determined: Bool) -> MetricTable {
      var sums = counted.map { SummedCounts([MetricCounts($0, determined: determined)]) }
      return MetricTable(keys) { key in
        .mean(sums.indices.map { sums[$0].value(key.metric, code: key.code) })
      }
    }
    let keys = MetricKey.keys(of: all.stream)
    counts = ScoreCounts(all)
    metrics = table(keys, determined: false)
    determined = table(keys.filter { $0.metric.section == .classification }, determined: true)
  }

  static func pools(
    of sequences: [SequenceScores], _ pool: ([SequenceScores]) -> PooledCounts
  ) -> [PooledCounts] {
    let groups = Dictionary(grouping: sequences) { $0.source ?? "" }
    return groups.isEmpty ? [pool([])] : groups.sorted { $0.key < $1.key }.map { pool($0.value) }
  }

  static func sum(_ sources: [PooledCounts]) -> PooledCounts {
    sources.dropFirst().reduce(into: sources[0]) { $0 += $1 }
  }

  /// The value of a metric; undefined (`notMeasured`) for a metric of the other stream.
  ///
  /// If `determined`, only determined frames count, which is possible for metrics of a confusion
  /// matrix.
  package func value(_ key: MetricKey, determined isDetermined: Bool = false) -> MetricValue {
    (isDetermined ? determined : metrics)[key] ?? .undefined(.notMeasured)
  }

  package subscript(metric: Metric, label: String? = nil) -> MetricValue {
    value(MetricKey(metric, in: counts.stream, label: label))
  }

  package func results(
    _ section: Metric.Section, _ scope: Metric.Scope = .stream, determined: Bool = false
  ) -> [MetricResult] {
    let metrics = Metric.all.filter { $0.section == section && $0.scope == scope }
    return metrics.flatMap { metric in
      let parts = metric.averaged.flatMap { MetricKey.keys(of: $0, in: counts.stream) }
      let excluded = parts.filter { value($0, determined: determined).number == nil }
      return MetricKey.keys(of: metric, in: counts.stream).map { key in
        MetricResult(
          key: key, value: value(key, determined: determined),
          excluded: excluded.compactMap(\.label))
      }
    }
  }

  package var confusion: ConfusionMatrix<Int> { counts.confusion }

  /// Each frame is as long as its sequence's median interval.
  package var confusionSeconds: ConfusionMatrix<Double> { counts.confusionSeconds }

  package var determinedFrames: DeterminedShare { counts.determinedFrames }

  package var determinedSeconds: DeterminedShare { counts.determinedSeconds }

  package var stability: StabilityCounts { counts.stability }

  package var frameCounts: FrameCounts { counts.frames }
}

extension ScoreView {
  package var trueLabels: [String] {
    confusion.labels.indices.filter { confusion.truthTotal($0) > 0 }.map { confusion.labels[$0] }
  }

  package var strayLabels: [String] {
    confusion.labels.indices.filter { code in
      confusion.truthTotal(code) == 0
        && confusion.labels.indices.contains { confusion[$0, code] > 0 }
    }.map { confusion.labels[$0] }
  }

  package func tells(_ metric: Metric) -> Bool {
    switch metric.formula {
    case .changes, .stability, .holds: true
    case .detections, .releases, .events: counts.events.count > 0
    case .classes:
      metric == .accuracy || trueLabels.count > 1 && (metric != .f1Macro || strayLabels.isEmpty)
    }
  }
}

/// Percentiles and maximum of the time per frame.
///
/// A clock is too coarse for a single frame, so batches of 64 frames are timed and divided by 64;
/// the numbers are those of batch means.
package struct FrameCost: Codable, Hashable, Sendable {
  package static let batchFrames = 64
  package static let frameBudget = Seconds(1.0 / 30)

  package let batches: Int
  package let p50: Seconds
  package let p90: Seconds
  package let p99: Seconds
  package let maximum: Seconds

  private enum CodingKeys: String, CodingKey {
    case batches
    case p50 = "p50_s"
    case p90 = "p90_s"
    case p99 = "p99_s"
    case maximum = "max_s"
  }

  /// Quantiles interpolate linearly (type 7); nil if there are no batches or a time is not finite.
  package init?(secondsPerFrame: [Double]) {
    let fractions = [0.5, 0.9, 0.99, 1]
    guard let quantiles = Description.quantiles(secondsPerFrame, at: fractions) else {
      return nil
    }
    batches = secondsPerFrame.count
    p50 = Seconds(quantiles[0])
    p90 = Seconds(quantiles[1])
    p99 = Seconds(quantiles[2])
    maximum = Seconds(quantiles[3])
  }

  package var p99BudgetShare: Double { p99.value / Self.frameBudget.value }
}

package struct TimingSummary: Codable, Hashable, Sendable {
  package struct Stage: Codable, Hashable, Sendable {
    package let name: String
    package let duration: Seconds

    private enum CodingKeys: String, CodingKey {
      case name
      case duration = "duration_s"
    }

    package init(name: String, duration: Seconds) {
      self.name = name
      self.duration = duration
    }
  }

  package let stages: [Stage]
  package let frames: Int
  package let frameCost: FrameCost?

  private enum CodingKeys: String, SnakeCaseKey { case stages, frames, frameCost }

  package init(stages: [Stage], frames: Int, frameCost: FrameCost?) {
    self.stages = stages
    self.frames = frames
    self.frameCost = frameCost
  }
}
