package import PoseModel

struct ScoredStream {
  let times: [Double]
  let truth: [UInt8]
  /// Includes onsets in unscored frames, for latencies; nil if they change nothing.
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

  init(times: [Double], truth: [UInt8], answers: [UInt8]? = nil, frameSeconds: Double) {
    self.times = times
    self.truth = truth
    truthWithOnsets = nil
    self.answers = answers ?? Array(repeating: 0, count: times.count)
    self.frameSeconds = frameSeconds
  }

  var hasOnsets: Bool { truthWithOnsets != nil }

  var withOnsets: ScoredStream { truthWithOnsets.map { ScoredStream(self, truth: $0) } ?? self }

  func isScored(_ frame: Int) -> Bool { FrameTruth.isScored(truth[frame]) }

  /// A frame lasts until the next one, at most 0.5 s; the last frame lasts the median interval.
  func dwell(_ frame: Int) -> Double {
    frame + 1 < times.count
      ? min(times[frame + 1] - times[frame], FrameTiming.longestGap) : frameSeconds
  }

  func seconds(of frames: Range<Int>) -> Double { frames.reduce(0) { $0 + dwell($1) } }

  var scoredSeconds: Double { times.indices.reduce(0) { isScored($1) ? $0 + dwell($1) : $0 } }
}

extension Range<Int> {
  /// The longest pieces in which every two neighbors are alike.
  package func runs(_ areAlike: (Int, Int) -> Bool) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start = lowerBound
    for index in self where index + 1 == upperBound || !areAlike(index, index + 1) {
      runs.append(start..<index + 1)
      start = index + 1
    }
    return runs
  }
}

/// A maximal stretch of consecutive scored frames.
struct ScoredSpan {
  let frames: Range<Int>
  let start: Double
  let end: Double
  let truth: [LabelRun]
  let answers: [LabelRun]

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
    times.indices.runs { isScored($0) == isScored($1) }
      .filter { isScored($0.lowerBound) }.map(span)
  }

  private func span(_ frames: Range<Int>) -> ScoredSpan {
    let last = frames.upperBound - 1
    let end = times[last] + dwell(last)
    return ScoredSpan(
      frames: frames, start: times[frames.lowerBound], end: end,
      truth: runs(truth, frames, end), answers: runs(answers, frames, end))
  }

  private func runs(_ codes: [UInt8], _ frames: Range<Int>, _ end: Double) -> [LabelRun] {
    frames.runs { codes[$0] == codes[$1] }.map { run in
      LabelRun(
        code: codes[run.lowerBound], frames: run, start: times[run.lowerBound],
        end: run.upperBound == frames.upperBound ? end : times[run.upperBound],
        seconds: seconds(of: run))
    }
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
  /// The duration of all scored frames; a frame lasts until the next one, at most 0.5 s.
  package let evaluatedSeconds: Seconds

  package init(_ truth: FrameTruth, _ stream: AnswerStream, times: [Double], frameWeight: Seconds) {
    self.init(truth.codes(stream), stream, times: times, frameWeight: frameWeight)
  }

  package init(_ codes: [UInt8], _ stream: AnswerStream, times: [Double], frameWeight: Seconds) {
    precondition(codes.count == times.count, "a frame has a time")
    let scored = ScoredStream(times: times, truth: codes, frameSeconds: frameWeight.value)
    var frames = Array(repeating: 0, count: stream.labels.count)
    for code in codes where FrameTruth.isScored(code) { frames[Int(code)] += 1 }
    self.frames = frames
    transitions = scored.transitions(of: codes).count
    evaluatedSeconds = Seconds(scored.scoredSeconds)
  }
}

/// The truth and the answers of one sequence, which are the whole input of scoring.
package struct SequenceOutcome: Hashable, Sendable {
  package let name: String
  package let subject: String?
  package let source: String?
  package let tags: [String: String]
  package let activities: ActivityTrack?
  package let times: [Double]
  package private(set) var truth: FrameTruth
  private var streams: PerStream<StreamOutcome>
  package let missingFrames: Int
  /// The seconds that each frame represents when sequences are pooled: the median interval.
  package let frameWeight: Seconds

  package init(
    name: String, subject: String? = nil, source: String? = nil, tags: [String: String] = [:],
    activities: ActivityTrack? = nil, times: [Double], truth: FrameTruth, plank: StreamOutcome,
    form: StreamOutcome, missingFrames: Int = 0, frameWeight: Seconds
  ) {
    precondition(
      [truth.plank.count, plank.answers.count, form.answers.count]
        .allSatisfy { $0 == times.count }, "the columns of a sequence have one element per frame")
    precondition(frameWeight.value > 0 && frameWeight.value.isFinite, "a frame takes some time")
    self.name = name
    self.subject = subject
    self.source = source
    self.tags = tags
    self.activities = activities
    self.times = times
    self.truth = truth
    streams = PerStream(plank: plank, form: form)
    self.missingFrames = missingFrames
    self.frameWeight = frameWeight
  }

  package var frameCount: Int { times.count }

  package var plank: StreamOutcome { streams.plank }

  package var form: StreamOutcome { streams.form }

  package subscript(stream: AnswerStream) -> StreamOutcome { streams[stream] }

  package func answered(_ streams: PerStream<StreamOutcome>) -> SequenceOutcome {
    precondition(
      streams.all.allSatisfy { $0.answers.count == frameCount }, "an answer belongs to a frame")
    var outcome = self
    outcome.streams = streams
    return outcome
  }
}

extension SequenceOutcome {
  /// Scores a frame only where all outcomes score it.
  ///
  /// Outcomes whose calibrations take different seconds are then compared on the same frames.
  package static func scoredAlike(_ outcomes: [SequenceOutcome]) -> [SequenceOutcome] {
    guard var truth = outcomes.first?.truth, outcomes.contains(where: { $0.truth != truth }) else {
      return outcomes
    }
    for stream in AnswerStream.allCases {
      let codes = outcomes.map { $0.truth.codes(stream) }
      for frame in codes[0].indices
      where codes.contains(where: { !FrameTruth.isScored($0[frame]) }) {
        truth.ignore(frame..<frame + 1, in: stream)
      }
    }
    return outcomes.map { outcome in
      var outcome = outcome
      outcome.truth = truth
      return outcome
    }
  }
}

package struct StreamOutcome: Hashable, Sendable {
  package let answers: [UInt8]
  package let isDetermined: [Bool]
  /// For every frame, whether it is undetermined but keeps an earlier answer.
  package let isHeld: [Bool]

  package init(answers: [UInt8], isDetermined: [Bool], isHeld: [Bool]) {
    precondition(
      answers.count == isDetermined.count && answers.count == isHeld.count,
      "the columns of a stream have one element per frame")
    self.answers = answers
    self.isDetermined = isDetermined
    self.isHeld = isHeld
  }

  package init(answers: [UInt8]) {
    self.init(
      answers: answers, isDetermined: Array(repeating: true, count: answers.count),
      isHeld: Array(repeating: false, count: answers.count))
  }
}
