package import PoseModel
package import Statistics

/// The flicker of answers and the dropouts, found without labels.
///
/// Answers that last less than half a second are always flicker, because nobody planks for so short
/// a time.
package struct AnswerFlicker: Codable, Hashable, Sendable {
  package struct Stream: Codable, Hashable, Sendable {
    package fileprivate(set) var changes = 0
    /// The number of answers that lie between two changes and last less than 0.5 s.
    package fileprivate(set) var shortAnswers = 0
    /// The duration of the counted frames in seconds; a frame lasts until the next one, at most 0.5
    /// s.
    package fileprivate(set) var seconds = 0.0
    package fileprivate(set) var secondsByAnswer: [String: Double]
    package fileprivate(set) var changesPerMinute = MetricValue.undefined(.noAnsweredTime)
    package fileprivate(set) var shortAnswersPerMinute = MetricValue.undefined(.noAnsweredTime)

    private enum CodingKeys: String, CodingKey {
      case changes = "transitions"
      case shortAnswers = "short_predictions"
      case seconds
      case secondsByAnswer = "seconds_by_prediction"
      case changesPerMinute = "transitions_per_minute"
      case shortAnswersPerMinute = "short_predictions_per_minute"
    }

    fileprivate init(_ stream: AnswerStream) {
      secondsByAnswer = Dictionary(uniqueKeysWithValues: stream.labels.map { ($0, 0) })
    }

    fileprivate mutating func add(_ stream: ScoredStream, _ labels: [String]) {
      changes += stream.transitions(of: stream.answers).count
      seconds += stream.scoredSeconds
      let bound = ScoredStream.flickerBound - FrameTiming.slack
      for span in stream.spans {
        for run in span.answers {
          secondsByAnswer[labels[Int(run.code)], default: 0] += run.seconds
        }
        shortAnswers += span.answers.dropFirst().dropLast().count { $0.end - $0.start < bound }
      }
      summarize()
    }

    fileprivate mutating func add(_ other: Stream) {
      changes += other.changes
      shortAnswers += other.shortAnswers
      seconds += other.seconds
      secondsByAnswer.merge(other.secondsByAnswer, uniquingKeysWith: +)
      summarize()
    }

    private mutating func summarize() {
      changesPerMinute = .ratio(Double(changes), seconds / 60, orElse: .noAnsweredTime)
      shortAnswersPerMinute = .ratio(Double(shortAnswers), seconds / 60, orElse: .noAnsweredTime)
    }
  }

  package struct Dropouts: Codable, Hashable, Sendable {
    package fileprivate(set) var count = 0
    package fileprivate(set) var seconds = 0.0
    package fileprivate(set) var longest = 0.0

    private enum CodingKeys: String, CodingKey {
      case count, seconds
      case longest = "longest_s"
    }

    fileprivate mutating func add(_ seconds: Double) {
      count += 1
      self.seconds += seconds
      longest = max(longest, seconds)
    }

    fileprivate mutating func add(_ other: Dropouts) {
      count += other.count
      seconds += other.seconds
      longest = max(longest, other.longest)
    }
  }

  /// Forms are counted only on frames answered with a plank, because a user sees a form only then.
  private var streams = PerStream(Stream.init)
  package private(set) var dropouts = Dropouts()
  package private(set) var dropoutsPerMinute = MetricValue.undefined(.noAnsweredTime)
  package private(set) var restlessMoments: [RestlessMoment] = []

  private enum CodingKeys: String, SnakeCaseKey {
    case streams, dropouts, dropoutsPerMinute, restlessMoments
  }

  package init() {}

  package init(_ outcome: SequenceOutcome, isMissing: [Bool]) {
    precondition(isMissing.count == outcome.frameCount, "a frame has a pose or not")
    let isPlank = outcome.plank.answers.map { $0 != PlankClass.none.code }
    let planks = ScoredStream(
      ScoredStream(outcome, .plank), truth: isPlank.map { _ in Self.counted })
    let forms = ScoredStream(
      ScoredStream(outcome, .form), truth: isPlank.map { $0 ? Self.counted : FrameTruth.unlabeled })
    streams.plank.add(planks, AnswerStream.plank.labels)
    streams.form.add(forms, AnswerStream.form.labels)
    let gaps = ScoredStream(
      planks, truth: isMissing.map { $0 ? Self.counted : FrameTruth.unlabeled })
    for gap in gaps.stretches({ _ in true }) { dropouts.add(gap.seconds) }
    let changes = planks.transitions(of: planks.answers) + forms.transitions(of: forms.answers)
    restlessMoments = RestlessMoment.moments(in: outcome.name, changes.map(\.time).sorted())
    summarize()
  }

  package var plank: Stream { streams.plank }

  package var form: Stream { streams.form }

  package subscript(stream: AnswerStream) -> Stream { streams[stream] }

  private mutating func summarize() {
    dropoutsPerMinute = .ratio(Double(dropouts.count), plank.seconds / 60, orElse: .noAnsweredTime)
  }

  package static func += (left: inout AnswerFlicker, right: AnswerFlicker) {
    left.streams.plank.add(right.plank)
    left.streams.form.add(right.form)
    left.dropouts.add(right.dropouts)
    left.restlessMoments = RestlessMoment.worst(left.restlessMoments + right.restlessMoments)
    left.summarize()
  }

  private static let counted: UInt8 = 0
}

package struct RestlessMoment: Codable, Hashable, Sendable {
  package static let seconds = 2.0
  package static let limit = 10

  package let sequence: String
  package let start: Seconds
  package let changes: Int

  private enum CodingKeys: String, CodingKey {
    case sequence, changes
    case start = "start_s"
  }

  static func moments(in sequence: String, _ times: [Double]) -> [RestlessMoment] {
    var moments: [RestlessMoment] = []
    var end = 0
    for (first, time) in times.enumerated() {
      while end < times.count, times[end] < time + seconds { end += 1 }
      guard end - first > 1 else { continue }
      moments.append(RestlessMoment(sequence: sequence, start: Seconds(time), changes: end - first))
    }
    var chosen: [RestlessMoment] = []
    for moment in moments.sorted(by: isWorse) where chosen.count < limit {
      let isApart = chosen.allSatisfy { abs($0.start.value - moment.start.value) >= seconds }
      if isApart { chosen.append(moment) }
    }
    return chosen
  }

  static func worst(_ moments: [RestlessMoment]) -> [RestlessMoment] {
    Array(moments.sorted(by: isWorse).prefix(limit))
  }

  private static func isWorse(_ left: RestlessMoment, _ right: RestlessMoment) -> Bool {
    if left.changes != right.changes { return left.changes > right.changes }
    if left.sequence != right.sequence { return left.sequence < right.sequence }
    return left.start < right.start
  }
}

extension UndefinedReason {
  package static let noAnsweredTime = UndefinedReason("no frame counts")
}

extension SequenceOutcome {
  /// The answers taken as the truth, for jitter without labels.
  ///
  /// A stretch answered with a plank counts as a plank, including gaps of up to half a second;
  /// everything else is unlabeled.
  package var answeredHolds: FrameTruth {
    let stream = ScoredStream(
      ScoredStream(self, .plank),
      truth: plank.answers.map {
        $0 == PlankClass.none.code ? FrameTruth.unlabeled : PlankClass.forearm.code
      })
    var segments: [LabeledSegment] = []
    for span in stream.spans {
      let start = Seconds(span.start)
      if let last = segments.last, start.value - last.end.value <= ScoredStream.flickerBound {
        segments[segments.count - 1].end = Seconds(span.end)
      } else {
        segments.append(LabeledSegment(start: start, end: Seconds(span.end), plank: .forearm))
      }
    }
    let track = try? LabelTrack(segments)
    return track?.truth(at: times) ?? FrameTruth(count: frameCount)
  }
}
