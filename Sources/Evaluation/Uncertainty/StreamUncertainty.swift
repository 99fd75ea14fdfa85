package import PoseModel
package import Statistics

/// The uncertainty of a stream's metrics, resampled by subject, never by frame.
package struct StreamUncertainty: Codable, Hashable, Sendable {
  package static let resamplesShown = 2_000
  package static let resamplesDeciding = 10_000

  package let intervals: [MetricKey: MetricIntervals]
  package let subjects: Int

  package init() {
    intervals = [:]
    subjects = 0
  }

  package init(
    _ sequences: [SequenceScores], _ stream: AnswerStream, _ keys: [MetricKey],
    resamples: Int = resamplesShown, seed: UInt64 = 0,
    progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) {
    let pools = SubjectPools(sequences, stream)
    let total = pools.drawCount(resamples: resamples)
    var done = 0
    progress(done, total)
    let samples = pools.samples(keys, resamples: resamples, seed: seed) { count in
      done += count
      progress(done, total)
    }
    subjects = pools.subjects.count
    intervals = Dictionary(
      uniqueKeysWithValues: zip(keys, samples).map { key, sample in
        (key, MetricIntervals(sample, range: key.metric.range, scale: key.metric.logitScale))
      })
  }
}

extension SubjectPools {
  /// The draws depend only on the seed, the stream and the number of subjects, so that two sides
  /// with the same subjects get the same draws.
  package func samples(
    _ keys: [MetricKey], resamples: Int, seed: UInt64, progress: (Int) -> Void = { _ in }
  ) -> [ClusterSample] {
    guard !subjects.isEmpty else {
      return keys.map { _ in ClusterSample(estimate: nil, omissions: [], replicates: []) }
    }
    let draws = ClusterResamples(
      clusters: subjects.count, count: subjects.count < 2 ? 1 : resamples,
      stream: RandomStream(seed: seed, purpose: "bootstrap.\(stream.rawValue)"))
    let metrics = MetricDraws([self], keys)
    let samples = ClusterSample.make(draws, progress: progress) { metrics.numbers(of: $0) }
    return zip(keys, samples).map { key, sample in
      var sample = sample
      sample.spread = key.metric.spread
      sample.weights = key.metric.spread == .jackknife ? weights(key) : nil
      return sample
    }
  }

  func drawCount(resamples: Int) -> Int {
    subjects.isEmpty ? 0 : subjects.count + (subjects.count < 2 ? 1 : resamples)
  }
}

/// Two intervals of a metric, of which the wider one is shown and decides.
///
/// Student's t is too narrow for skewed numbers, and the bootstrap is too narrow for few subjects.
package struct MetricIntervals: Hashable, Sendable, Codable {
  /// Student's t with the standard error of the metric's spread, on the logit scale if the metric
  /// has one.
  ///
  /// If all subjects are alike, this is the interval that their number allows.
  package let clusterT: IntervalValue
  package let bca: IntervalValue
  package let subjects: Int
  /// How many subjects with equal amounts of data would be as informative; nil if it was not
  /// computed.
  package let effectiveSubjects: Double?
  package let method: Interval.Method?

  private enum CodingKeys: String, SnakeCaseKey {
    case clusterT, bca, subjects, effectiveSubjects
    case method = "wider"
  }

  /// Intervals are cut off at the ends of `range`; `scale` is nil for numbers without a logit
  /// scale, and for differences.
  package init(
    _ sample: ClusterSample, level: Double = 0.95,
    range: ClosedRange<Double> = -.infinity ... .infinity, scale: LogitScale? = nil
  ) {
    func attempt(_ body: () throws(UndefinedReason) -> Interval) -> IntervalValue {
      do { return .interval(try body().clamped(to: range)) } catch { return .undefined(error) }
    }
    subjects = sample.clusters
    effectiveSubjects = sample.weights?.effective
    var first = attempt { () throws(UndefinedReason) in
      try sample.clusterT(level: level, scale: scale)
    }
    let second = attempt { () throws(UndefinedReason) in try sample.bca(level: level) }
    if let scale, first.reason == .noVariation {
      first = attempt { () throws(UndefinedReason) in try sample.alike(level: level, scale: scale) }
    }
    clusterT = first
    bca = second
    guard let student = first.interval, let bootstrap = second.interval else {
      method = first.interval?.method
      return
    }
    method = bootstrap.width > student.width ? .bca : .clusterT
  }

  package var wider: IntervalValue { method == .bca ? bca : clusterT }
}
