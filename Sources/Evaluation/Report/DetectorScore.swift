internal import PoseModel

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

  /// `answers` and `raw` are class codes, one per frame and column, `raw` from the rules alone;
  /// `undetermined` is the raw code of a frame that they could not decide.
  package init(
    _ evaluated: SequenceOutcome, answers: PerStream<[UInt8]>, raw: PerStream<[UInt8]>,
    undetermined: UInt8
  ) {
    let weight = evaluated.frameWeight.value
    let counts = PerStream { stream in
      var counts = Counts()
      let (truth, answers, raw) = (evaluated.truth.codes(stream), answers[stream], raw[stream])
      precondition(
        truth.count == answers.count && truth.count == raw.count, "one code per frame")
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

  /// The share of the scored time with the right answer: the mean over the sources that have any.
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
