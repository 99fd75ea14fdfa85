package import PoseModel
internal import Statistics

package struct PairedComparison: Hashable, Sendable, Codable {
  package let metrics: [MetricComparison]
  package let sequences: [SequenceDifference]

  /// Both sides must have the same sequences in the same order.
  package init(
    _ before: [SequenceScores], _ after: [SequenceScores], keys: [MetricKey],
    resamples: Int = StreamUncertainty.resamplesDeciding, seed: UInt64 = 0,
    progress: (_ count: Int, _ total: Int) -> Void = { _, _ in }
  ) {
    precondition(before.map(\.name) == after.map(\.name), "sides have the same sequences")
    let sides = AnswerStream.allCases.filter { stream in keys.contains { $0.stream == stream } }
      .map { stream in
        let first = SubjectPools(before, stream)
        return (first: first, second: SubjectPools(after, stream, subjects: first.subjects))
      }
    let total = sides.reduce(0) { $0 + 2 * $1.first.drawCount(resamples: resamples) }
    progress(0, total)
    var found: [MetricKey: MetricComparison] = [:]
    for (first, second) in sides {
      let own = keys.filter { $0.stream == first.stream }
      for comparison in Self.compare(
        first, second, own, (resamples, seed), { progress($0, total) })
      {
        found[comparison.key] = comparison
      }
    }
    metrics = keys.compactMap { found[$0] }
    sequences = SequenceDifference.all(before, after)
  }

  private static func compare(
    _ first: SubjectPools, _ second: SubjectPools, _ keys: [MetricKey],
    _ options: (resamples: Int, seed: UInt64), _ progress: (Int) -> Void
  ) -> [MetricComparison] {
    let all = Array(first.subjects.indices)
    let values = (before: first.values(keys), after: second.values(keys))
    let samples = zip(
      second.samples(keys, resamples: options.resamples, seed: options.seed, progress: progress),
      first.samples(keys, resamples: options.resamples, seed: options.seed, progress: progress)
    ).map { $0 - $1 }
    let subjects = all.map { (first.values(keys, of: [$0]), second.values(keys, of: [$0])) }
    return keys.enumerated().map { index, key in
      MetricComparison(
        key, before: values.before[index], after: values.after[index], sample: samples[index],
        subjects: zip(first.subjects, subjects).map { subject, own in
          SubjectDifference(subject: subject, before: own.0[index], after: own.1[index])
        })
    }
  }
}

package struct SequenceDifference: Hashable, Sendable, Codable {
  package let name: String
  package let subject: String?
  package let tags: [String: String]
  package let stream: AnswerStream
  package let before: Double
  package let after: Double
  package let lost: Double

  private enum CodingKeys: String, CodingKey {
    case name = "sequence"
    case subject, tags, stream
    case before = "wrong_before_s"
    case after = "wrong_after_s"
    case lost = "lost_s"
  }

  private init(_ left: SequenceScores, _ right: SequenceScores, _ stream: AnswerStream) {
    name = left.name
    subject = left.subject
    tags = left.tags
    self.stream = stream
    before = Self.wrongSeconds(left, stream)
    after = Self.wrongSeconds(right, stream)
    lost = after - before
  }

  static func all(_ before: [SequenceScores], _ after: [SequenceScores]) -> [SequenceDifference] {
    let found = AnswerStream.allCases.flatMap { stream in
      zip(before, after).map { SequenceDifference($0, $1, stream) }
    }
    return found.filter { $0.lost != 0 }.sorted {
      ($1.lost, $0.name, $0.stream.rawValue) < ($0.lost, $1.name, $1.stream.rawValue)
    }
  }

  private static func wrongSeconds(_ scores: SequenceScores, _ stream: AnswerStream) -> Double {
    let matrix = scores[stream].confusion
    return Double(scores[stream].frames.scored - matrix.right) * scores.frameWeight.value
  }
}

extension SequenceDifference {
  package static func lost(from before: GateSide, to after: GateSide) -> [SequenceDifference] {
    guard before.sequences.map(\.name) == after.sequences.map(\.name) else { return [] }
    return all(before.sequences, after.sequences).filter { $0.lost > 0 }
  }
}

/// One metric of two sides, paired by subject; differences are second side minus first side.
package struct MetricComparison: Hashable, Sendable, Codable {
  package let key: MetricKey
  package let unit: String
  package let higherIsBetter: Bool
  package let before: MetricValue
  package let after: MetricValue
  package let difference: Double?
  package let standardError: Double?
  package let intervals: MetricIntervals
  package let wins: Int
  package let ties: Int
  package let losses: Int
  package let subjects: [SubjectDifference]

  private enum CodingKeys: String, SnakeCaseKey {
    case unit, before, after, difference, wins, ties, losses, subjects
    case key = "metric"
    case higherIsBetter, standardError
    case intervals = "interval"
  }

  init(
    _ key: MetricKey, before: MetricValue, after: MetricValue, sample: ClusterSample,
    subjects: [SubjectDifference]
  ) {
    self.key = key
    unit = key.metric.unit
    higherIsBetter = key.metric.higherIsBetter
    self.before = before
    self.after = after
    self.subjects = subjects
    difference = sample.estimate
    intervals = MetricIntervals(sample, range: key.metric.differenceRange)
    standardError = (try? sample.test())?.standardError
    let gains = subjects.compactMap(\.difference).map { key.metric.higherIsBetter ? $0 : -$0 }
    wins = gains.count { $0 > SubjectDifference.tie }
    losses = gains.count { $0 < -SubjectDifference.tie }
    ties = gains.count - wins - losses
  }
}

extension MetricComparison {
  package var isUnchanged: Bool { difference == 0 && subjects.allSatisfy { $0.before == $0.after } }

  package var isUndefined: Bool { before.number == nil && after.number == nil }

  package var gain: Double? { difference.map { higherIsBetter ? $0 : -$0 } }

  package var worse: [SubjectDifference] {
    let sign = higherIsBetter ? 1.0 : -1
    return subjects.filter { sign * ($0.difference ?? 0) < -SubjectDifference.tie }
      .sorted { sign * ($0.difference ?? 0) < sign * ($1.difference ?? 0) }
  }

  var test: StudentTest? {
    guard let difference, let standardError else { return nil }
    return StudentTest(estimate: difference, standardError: standardError, clusters: subjects.count)
  }
}

package struct SubjectDifference: Hashable, Sendable, Codable {
  package let subject: String?
  package let before: MetricValue
  package let after: MetricValue
  package let difference: Double?

  init(subject: String?, before: MetricValue, after: MetricValue) {
    self.subject = subject
    self.before = before
    self.after = after
    difference = before.number.flatMap { first in after.number.map { $0 - first } }
  }

  /// The largest difference that counts as a tie, because rounding is not a win.
  package static let tie = 1e-9
}
