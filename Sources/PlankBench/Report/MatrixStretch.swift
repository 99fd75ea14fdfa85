internal import Evaluation
internal import PoseModel

/// A stretch of frames with one truth and one answer: what a cell of a confusion matrix counts.
struct MatrixStretch: Hashable, Sendable {
  let stream: AnswerStream
  let truth: UInt8
  let answer: UInt8
  var before: UInt8?
  let frames: Range<Int>
  let start: Seconds
  /// How long the frames last: each to the next one, at most 0.5 s, the last one of a sequence its
  /// median interval.
  let duration: Seconds

  var isWrong: Bool { truth != answer }

  var isLost: Bool { isWrong && before == truth }

  var isWon: Bool { !isWrong && before.map { $0 != truth } ?? false }

  /// By stream, then by time; only stretches whose truth names a class.
  ///
  /// With another side, a stretch has one answer of each.
  static func all(
    in outcome: SequenceOutcome, beside other: SequenceOutcome? = nil
  ) -> [MatrixStretch] {
    AnswerStream.allCases.flatMap { stream in
      let truth = outcome.truth.codes(stream)
      let answers = outcome[stream].answers
      let before = other?[stream].answers
      var stretches: [MatrixStretch] = []
      var start = 0
      for frame in truth.indices
      where frame == truth.endIndex - 1
        || truth[frame + 1] != truth[frame] || answers[frame + 1] != answers[frame]
        || before.map({ $0[frame + 1] != $0[frame] }) ?? false
      {
        defer { start = frame + 1 }
        guard FrameTruth.isScored(truth[frame]) else { continue }
        let seconds = (start...frame).reduce(0) { $0 + weight(of: $1, in: outcome) }
        stretches.append(
          MatrixStretch(
            stream: stream, truth: truth[frame], answer: answers[frame], before: before?[frame],
            frames: start..<frame + 1, start: Seconds(outcome.times[start]),
            duration: Seconds(seconds)))
      }
      return stretches
    }
  }

  static func weight(of frame: Int, in outcome: SequenceOutcome) -> Double {
    let times = outcome.times
    return frame + 1 < times.count
      ? min(times[frame + 1] - times[frame], FrameTiming.longestGap) : outcome.frameWeight.value
  }
}
