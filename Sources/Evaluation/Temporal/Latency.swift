package import PoseModel

package struct Latency: Hashable, Sendable {
  package enum Change: Hashable, Sendable {
    /// Between two scored frames, or at an onset; the latency counts from the first frame after it.
    case observed
    /// In an unscored stretch between two classes; the latency counts from the end of the stretch,
    /// and the change may have happened up to that many seconds earlier.
    case hidden(upTo: Double)
    /// It may have happened before the recording, or not at all.
    case unknown
  }

  /// Seconds from the change to the first answer; without an answer, the time in which one could
  /// have come.
  ///
  /// Below 0 if the rule lets answers come early. For a change that was not observed, it is the
  /// smallest possible latency.
  package let seconds: Double
  package let isCensored: Bool
  package let isEarly: Bool
  package let change: Change

  package init(
    seconds: Double, isCensored: Bool, isEarly: Bool = false, change: Change = .observed
  ) {
    self.seconds = seconds
    self.isCensored = isCensored
    self.isEarly = isEarly
    self.change = change
  }

  var greatest: Latency? {
    switch change {
    case .observed: self
    case .hidden(let earlier):
      Latency(seconds: seconds + earlier, isCensored: isCensored, isEarly: isEarly)
    case .unknown: nil
    }
  }
}

package struct LatencyRule: Hashable, Sendable {
  /// How long before the true change an answer may start and still count.
  package var early = Seconds(0)
  /// How long the answer must then stay.
  package var confirm = Seconds(0)

  /// The rule of the metrics: no earlier than the change, and the first frame counts.
  package static let standard = LatencyRule()
}

/// The spans of a stream in which latencies are judged: scored frames, and unscored ones with a
/// class by an onset.
struct LatencySpans {
  private let stream: ScoredStream
  private let spans: [ScoredSpan]
  private let scoring: ScoredStream

  init(_ stream: ScoredStream, _ scored: [ScoredSpan]) {
    scoring = stream
    self.stream = stream.withOnsets
    spans = stream.hasOnsets ? self.stream.spans : scored
  }

  func latencies(
    rule: LatencyRule, _ isOf: (UInt8) -> Bool
  ) -> (detections: [Latency], releases: [Latency]) {
    var result: (detections: [Latency], releases: [Latency]) = ([], [])
    var previous: ScoredSpan?
    for span in spans.map({ $0.reduced(isOf) }) {
      let scan = LatencyScan(
        rule: rule, span: span, times: stream.times,
        opening: SpanOpening(span, after: previous, stream, isOf), isScored: scoring.isScored)
      result.detections += scan.detections
      result.releases += scan.releases
      previous = span
    }
    return result
  }
}

/// What is known about an event that starts with a span: the start of scoring is not a change.
struct SpanOpening {
  private let wasTrue: Bool?
  private let hidden: Double
  private let answered: Double

  init(
    _ span: ScoredSpan, after previous: ScoredSpan?, _ stream: ScoredStream,
    _ isOf: (UInt8) -> Bool
  ) {
    let start = span.frames.lowerBound
    wasTrue = previous?.truth.last.map { $0.code == 1 }
    let last = previous.map { $0.frames.upperBound - 1 } ?? start
    hidden = span.start - (previous?.end ?? span.start)
    var since = start
    while since > last, isOf(stream.answers[since]), isOf(stream.answers[since - 1]) { since -= 1 }
    answered = min(hidden, span.start - stream.times[since])
  }

  var change: Latency.Change {
    wasTrue == false ? .hidden(upTo: hidden - answered) : .unknown
  }
}

struct LatencyScan {
  let rule: LatencyRule
  let span: ScoredSpan
  let times: [Double]
  let opening: SpanOpening
  let isScored: (Int) -> Bool

  /// For every true event, the time to the first answer of the class.
  ///
  /// An answer must come before the event ends and include a scored frame: an answer that comes and
  /// goes in frames that are left out does not count. An event without an answer is censored at its
  /// length. An event that starts with the span was not seen to start: its latency counts from the
  /// start of scoring and is marked accordingly.
  ///
  /// - Complexity: O(truth + answers) runs, and O(early seconds) more per run.
  var detections: [Latency] {
    ScoredSpan.events(span.truth).map { event in
      let found =
        isMissed(event)
        ? Latency(seconds: event.end - event.start, isCensored: true)
        : latency(of: 1, from: event.start, before: event.end, at: event.frames.lowerBound)
      guard event.frames.lowerBound == span.frames.lowerBound else { return found }
      return Latency(
        seconds: found.seconds, isCensored: found.isCensored, isEarly: found.isEarly,
        change: opening.change)
    }
  }

  /// For every true event that was answered, the time from its end to the first other answer.
  ///
  /// An event that ends with the span has no release, nor has one that was never answered. A
  /// release must come before the class is true again and before the span ends; otherwise it is
  /// censored there.
  var releases: [Latency] {
    let events = ScoredSpan.events(span.truth)
    return events.enumerated().compactMap { index, event in
      guard event.frames.upperBound < span.frames.upperBound, isAnswered(during: event) else {
        return nil
      }
      let horizon = index + 1 < events.count ? events[index + 1].start : span.end
      return latency(
        of: 0, from: event.end, before: horizon, at: event.frames.upperBound)
    }
  }

  private func isAnswered(during event: LabelRun) -> Bool {
    guard let index = firstRun(endingAfter: event.frames.lowerBound) else { return false }
    return span.answers[index...].prefix { $0.frames.lowerBound < event.frames.upperBound }
      .contains { $0.code == 1 && $0.frames.clamped(to: event.frames).contains(where: isScored) }
  }

  private func isMissed(_ event: LabelRun) -> Bool {
    !event.frames.allSatisfy(isScored) && !isAnswered(during: event)
  }

  private func latency(
    of code: UInt8, from change: Double, before end: Double, at frame: Int
  ) -> Latency {
    let earliest = change - rule.early.value - FrameTiming.slack
    var index = firstRun(endingAfter: frame) ?? span.answers.count
    while index > 0, span.answers[index - 1].end > earliest { index -= 1 }
    for run in span.answers[min(index, span.answers.count)...] {
      guard run.start < end - FrameTiming.slack else { break }
      guard run.code == code, let time = firstTime(in: run, from: earliest),
        time < end - FrameTiming.slack,
        run.end - time >= rule.confirm.value - FrameTiming.slack
      else { continue }
      return Latency(
        seconds: time - change, isCensored: false,
        isEarly: run.frames.lowerBound < frame && run.frames.upperBound > frame || time < change)
    }
    return Latency(seconds: end - change, isCensored: true)
  }

  private func firstRun(endingAfter frame: Int) -> Int? {
    let index = span.answers.partitioningIndex { $0.frames.upperBound > frame }
    return index < span.answers.endIndex ? index : nil
  }

  private func firstTime(in run: LabelRun, from earliest: Double) -> Double? {
    if run.start >= earliest { return run.start }
    let index = times[run.frames].partitioningIndex { $0 >= earliest }
    return index < run.frames.upperBound ? times[index] : nil
  }
}
