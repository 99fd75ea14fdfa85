internal import PoseModel

/// One stream of a sequence as scoring reads it: truth beside answers.
struct ScoredStream {
  /// Timestamps in seconds.
  let times: [Double]
  /// Truth codes; `FrameTruth.isScored` says which name a class.
  let truth: [UInt8]
  /// Answer codes.
  let answers: [UInt8]
  /// The seconds of the last frame, and of any frame when counts are weighed.
  let frameSeconds: Double

  /// Takes one stream of a sequence.
  init(_ outcome: SequenceOutcome, _ stream: AnswerStream) {
    times = outcome.times
    truth = outcome.truth.codes(stream)
    answers = outcome[stream].answers
    frameSeconds = outcome.frameWeight.value
  }

  /// Takes a stream with another truth.
  init(_ stream: ScoredStream, truth: [UInt8]) {
    times = stream.times
    self.truth = truth
    answers = stream.answers
    frameSeconds = stream.frameSeconds
  }

  /// Whether the truth of a frame names a class.
  func isScored(_ frame: Int) -> Bool { FrameTruth.isScored(truth[frame]) }

  /// How long a frame lasts: to the next one, at most 0.5 s; the last one the median interval.
  func dwell(_ frame: Int) -> Double {
    frame + 1 < times.count
      ? min(times[frame + 1] - times[frame], FrameTiming.longestGap) : frameSeconds
  }

  /// The seconds of all scored frames.
  var scoredSeconds: Double {
    times.indices.reduce(0) { isScored($1) ? $0 + dwell($1) : $0 }
  }
}
