package import PoseModel

struct ScoredStream {
  let times: [Double]
  let truth: [UInt8]
  /// Truth codes with onsets among unscored frames, by which latencies are judged; nil if they are
  /// the same.
  let truthWithOnsets: [UInt8]?
  let answers: [UInt8]
  let frameSeconds: Double

  init(_ outcome: SequenceOutcome, _ stream: AnswerStream) {
    times = outcome.times
    truth = outcome.truth.codes(stream)
    let withOnsets = outcome.truth.codesWithOnsets(stream)
    truthWithOnsets = withOnsets == truth ? nil : withOnsets
    answers = outcome[stream].answers
    frameSeconds = outcome.frameWeight.value
  }

  init(_ stream: ScoredStream, truth: [UInt8]) {
    times = stream.times
    self.truth = truth
    truthWithOnsets = nil
    answers = stream.answers
    frameSeconds = stream.frameSeconds
  }

  init(times: [Double], truth: [UInt8], frameSeconds: Double) {
    self.times = times
    self.truth = truth
    truthWithOnsets = nil
    answers = Array(repeating: 0, count: times.count)
    self.frameSeconds = frameSeconds
  }

  var hasOnsets: Bool { truthWithOnsets != nil }

  var withOnsets: ScoredStream { truthWithOnsets.map { ScoredStream(self, truth: $0) } ?? self }

  func isScored(_ frame: Int) -> Bool { FrameTruth.isScored(truth[frame]) }

  /// How long a frame lasts: to the next one, at most 0.5 s; for the last one, the median interval.
  func dwell(_ frame: Int) -> Double {
    frame + 1 < times.count
      ? min(times[frame + 1] - times[frame], FrameTiming.longestGap) : frameSeconds
  }

  var scoredSeconds: Double {
    times.indices.reduce(0) { isScored($1) ? $0 + dwell($1) : $0 }
  }
}

/// A maximal stretch of consecutive scored frames; parts separated by unscored frames are judged
/// separately, with truth and answers cut alike.
struct ScoredSpan {
  let frames: Range<Int>
  let start: Double
  let end: Double
  let truth: [LabelRun]
  let answers: [LabelRun]

  /// The same span with one class against everything else: runs of 1 if `isOf` holds, otherwise 0.
  func reduced(_ isOf: (UInt8) -> Bool) -> ScoredSpan {
    ScoredSpan(
      frames: frames, start: start, end: end, truth: Self.merged(truth, isOf),
      answers: Self.merged(answers, isOf))
  }

  static func events(_ runs: [LabelRun], of code: UInt8 = 1) -> [LabelRun] {
    runs.filter { $0.code == code }
  }

  private static func merged(_ runs: [LabelRun], _ isOf: (UInt8) -> Bool) -> [LabelRun] {
    var result: [LabelRun] = []
    for run in runs {
      let code: UInt8 = isOf(run.code) ? 1 : 0
      guard let last = result.last, last.code == code else {
        result.append(
          LabelRun(
            code: code, frames: run.frames, start: run.start, end: run.end, seconds: run.seconds))
        continue
      }
      result[result.count - 1] = LabelRun(
        code: code, frames: last.frames.lowerBound..<run.frames.upperBound, start: last.start,
        end: run.end, seconds: last.seconds + run.seconds)
    }
    return result
  }
}

extension ScoredStream {
  var spans: [ScoredSpan] {
    var spans: [ScoredSpan] = []
    var start: Int?
    for frame in 0...times.count {
      let isScored = frame < times.count && self.isScored(frame)
      if isScored, start == nil { start = frame }
      if !isScored, let first = start {
        spans.append(span(first..<frame))
        start = nil
      }
    }
    return spans
  }

  private func span(_ frames: Range<Int>) -> ScoredSpan {
    let last = frames.upperBound - 1
    let end = times[last] + dwell(last)
    return ScoredSpan(
      frames: frames, start: times[frames.lowerBound], end: end,
      truth: runs(truth, frames, end), answers: runs(answers, frames, end))
  }

  private func runs(_ codes: [UInt8], _ frames: Range<Int>, _ end: Double) -> [LabelRun] {
    var runs: [LabelRun] = []
    var first = frames.lowerBound
    var seconds = 0.0
    for frame in frames {
      seconds += dwell(frame)
      let isLast = frame + 1 == frames.upperBound
      guard isLast || codes[frame + 1] != codes[frame] else { continue }
      runs.append(
        LabelRun(
          code: codes[frame], frames: first..<frame + 1, start: times[first],
          end: isLast ? end : times[frame + 1], seconds: seconds))
      first = frame + 1
      seconds = 0
    }
    return runs
  }
}

struct LabelRun: Hashable {
  let code: UInt8
  let frames: Range<Int>
  let start: Double
  let end: Double
  let seconds: Double
}

package struct TruthCounts: Hashable, Sendable {
  package let frames: [Int]
  package let transitions: Int
  /// The duration of all scored frames; a frame lasts to the next, at most 0.5 s.
  package let evaluatedSeconds: Seconds

  package init(
    _ truth: FrameTruth, _ stream: AnswerStream, times: [Double], frameWeight: Seconds
  ) {
    let codes = truth.codes(stream)
    precondition(codes.count == times.count, "a frame has a time")
    let scored = ScoredStream(times: times, truth: codes, frameSeconds: frameWeight.value)
    var frames = Array(repeating: 0, count: stream.labels.count)
    for code in codes where FrameTruth.isScored(code) { frames[Int(code)] += 1 }
    self.frames = frames
    transitions = scored.transitions(of: codes).count
    evaluatedSeconds = Seconds(scored.scoredSeconds)
  }
}
