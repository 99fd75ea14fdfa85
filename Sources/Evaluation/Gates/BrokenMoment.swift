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
    case sequence, subject, stream, frame
    case start = "start_s"
    case duration = "duration_s"
    case middle = "middle_s"
    case origin = "recording_start_s"
    case length = "recording_s"
    case truth
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
    var spans: [Span] = []
    var first = 0
    for frame in codes.indices where frame + 1 == codes.count || codes[frame + 1] != codes[first] {
      let until = frame + 1 == codes.count ? end : times[frame + 1]
      spans.append(
        Span(
          label: label(codes[first]), start: Seconds(times[first] - times[0]),
          end: Seconds(until - times[0])))
      first = frame + 1
    }
    return spans
  }
}
