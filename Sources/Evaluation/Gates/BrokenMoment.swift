package import PoseModel

package struct BrokenMoment: Hashable, Sendable, Codable {
  package struct Span: Hashable, Sendable, Codable {
    package let label: String?
    package let start: Seconds
    package let end: Seconds

    private enum CodingKeys: String, CodingKey {
      case label = "class"
      case start = "start_s"
      case end = "end_s"
    }
  }

  package let sequence: String
  package let subject: String?
  package let stream: AnswerStream
  package let start: Seconds
  package let duration: Seconds
  package let frame: Int
  package let middle: Seconds
  package let origin: Seconds
  package let length: Seconds
  package let truth: [Span]
  package let before: [Span]
  package let after: [Span]

  private enum CodingKeys: String, CodingKey {
    case sequence, subject, stream, frame, truth
    case start = "start_s"
    case duration = "duration_s"
    case middle = "middle_s"
    case origin = "recording_start_s"
    case length = "recording_s"
    case before = "baseline"
    case after = "candidate"
  }

  package init?(_ cell: CellGrowth, from before: SequenceOutcome, to after: SequenceOutcome) {
    precondition(before.times == after.times, "both sides have the same frames")
    guard cell.slice.contains(subject: after.subject, tags: after.tags),
      let truth = cell.stream.code(of: cell.truth), let answer = cell.stream.code(of: cell.answer)
    else { return nil }
    let scored = ScoredStream(after, cell.stream)
    let known = before[cell.stream].answers
    let covered = cell.slice.frames(of: after)
    let stretches = scored.stretches { frame in
      scored.truth[frame] == truth && scored.answers[frame] == answer && known[frame] != answer
        && covered?[frame] != false
    }
    guard let longest = stretches.min(by: WrongStretch.isWorse), let first = after.times.first
    else { return nil }
    let end = (after.times.last ?? first) + after.frameWeight.value
    let labels = cell.stream.labels
    func spans(_ codes: [UInt8], _ isClass: (UInt8) -> Bool) -> [Span] {
      Self.spans(codes, after.times, end: end) { isClass($0) ? labels[Int($0)] : nil }
    }
    sequence = after.name
    subject = after.subject
    stream = cell.stream
    start = Seconds(after.times[longest.frames.lowerBound])
    duration = Seconds(longest.seconds)
    frame = (longest.frames.lowerBound + longest.frames.upperBound - 1) / 2
    middle = Seconds(after.times[frame])
    origin = Seconds(first)
    length = Seconds(end - first)
    self.truth = spans(scored.truth, FrameTruth.isScored)
    self.before = spans(known) { _ in true }
    self.after = spans(scored.answers) { _ in true }
  }

  package static func longest(_ moments: [BrokenMoment]) -> BrokenMoment? {
    var longest: BrokenMoment?
    for moment in moments where moment.duration.value > (longest?.duration.value ?? -1) + 1e-6 {
      longest = moment
    }
    return longest
  }

  private static func spans(
    _ codes: [UInt8], _ times: [Double], end: Double, _ label: (UInt8) -> String?
  ) -> [Span] {
    codes.indices.runs { codes[$0] == codes[$1] }.map { run in
      let until = run.upperBound == codes.count ? end : times[run.upperBound]
      return Span(
        label: label(codes[run.lowerBound]), start: Seconds(times[run.lowerBound] - times[0]),
        end: Seconds(until - times[0]))
    }
  }
}

/// Consecutive scored frames of one true class that the earlier run answers right and the later run
/// answers wrong.
package struct LostMoment: Hashable, Sendable, Codable {
  package let sequence: String
  package let subject: String?
  package let tags: [String: String]
  package let stream: AnswerStream
  package let start: Seconds
  /// The sum of the frames' durations; a frame lasts until the next one, at most 0.5 s.
  package let duration: Seconds
  package let truth: String
  package let answer: String

  private enum CodingKeys: String, CodingKey {
    case sequence, subject, tags, stream, truth
    case answer = "prediction"
    case start = "start_s"
    case duration = "duration_s"
  }

  package static func all(from before: SequenceOutcome, to after: SequenceOutcome) -> [LostMoment] {
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

/// The runs of equal answers as text, for example `none?*12 high*300`.
///
/// A question mark says that the rules could not decide.
package struct AnswerRuns: Hashable, Sendable {
  package let text: String

  package init(text: String) { self.text = text }

  package init(_ outcome: StreamOutcome, _ stream: AnswerStream) {
    var runs: [(token: String, count: Int)] = []
    for frame in outcome.answers.indices {
      let label = stream.labels[Int(outcome.answers[frame])]
      let token = outcome.isDetermined[frame] ? label : label + "?"
      if runs.last?.token == token {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((token, 1))
      }
    }
    text = runs.map { "\($0.token)*\($0.count)" }.joined(separator: " ")
  }

  package func outcome(_ stream: AnswerStream, frames: Int) -> StreamOutcome? {
    var answers: [UInt8] = []
    var isDetermined: [Bool] = []
    for run in text.split(separator: " ") {
      let parts = run.split(separator: "*", omittingEmptySubsequences: false)
      guard parts.count == 2, let count = Int(parts[1]), count >= 1, count <= frames - answers.count
      else { return nil }
      let isUnsure = parts[0].last == "?"
      guard let code = stream.code(of: String(isUnsure ? parts[0].dropLast() : parts[0]))
      else { return nil }
      answers += Array(repeating: code, count: count)
      isDetermined += Array(repeating: !isUnsure, count: count)
    }
    guard answers.count == frames else { return nil }
    return StreamOutcome(
      answers: answers, isDetermined: isDetermined, isHeld: Array(repeating: false, count: frames))
  }
}
