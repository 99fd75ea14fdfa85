package import PoseModel

/// Consecutive scored frames of one true class, right before a change and wrong after it.
package struct LostMoment: Hashable, Sendable, Codable {
  package let sequence: String
  package let subject: String?
  package let tags: [String: String]
  package let stream: AnswerStream
  package let start: Seconds
  /// The sum of the frames' durations, each to the next frame, at most 0.5 s.
  package let duration: Seconds
  package let truth: String
  package let answer: String

  private enum CodingKeys: String, CodingKey {
    case sequence, subject, tags, stream
    case start = "start_s"
    case duration = "duration_s"
    case truth, answer
  }

  package static func all(
    from before: SequenceOutcome, to after: SequenceOutcome
  ) -> [LostMoment] {
    precondition(before.times == after.times, "both sides have the same frames")
    let found = AnswerStream.allCases.flatMap { stream in
      let scored = ScoredStream(after, stream)
      let known = before[stream].answers
      let lost = scored.stretches { frame in
        known[frame] == scored.truth[frame] && scored.answers[frame] != scored.truth[frame]
      }
      return lost.map { LostMoment(after, scored, stream, $0) }
    }
    return sorted(found)
  }

  package static func sorted(_ moments: [LostMoment]) -> [LostMoment] {
    moments.sorted { left, right in
      let (one, other) = (
        WrongStretch.ticks(left.duration.value), WrongStretch.ticks(right.duration.value)
      )
      if one != other { return one > other }
      return (left.sequence, left.stream.rawValue, left.start.value)
        < (right.sequence, right.stream.rawValue, right.start.value)
    }
  }

  private init(
    _ outcome: SequenceOutcome, _ scored: ScoredStream, _ stream: AnswerStream,
    _ stretch: WrongStretch
  ) {
    let labels = stream.labels
    let answers = scored.answers[stretch.frames]
    let counts = labels.indices.map { code in answers.count { Int($0) == code } }
    guard let most = counts.max(), let majority = counts.firstIndex(of: most) else {
      preconditionFailure("a stream has classes")
    }
    sequence = outcome.name
    subject = outcome.subject
    tags = outcome.tags
    self.stream = stream
    start = Seconds(scored.times[stretch.frames.lowerBound])
    duration = Seconds(stretch.seconds)
    truth = labels[Int(scored.truth[stretch.frames.lowerBound])]
    answer = labels[majority]
  }
}
