/// A maximal stretch of consecutive scored frames: what is cut off by unscored frames is judged
/// on its own, truth and answers cut alike.
struct ScoredSpan {
  /// The frames.
  let frames: Range<Int>
  /// The time of the first frame.
  let start: Double
  /// When the last frame ends: at the next one, at most 0.5 s later.
  let end: Double
  /// The runs of the truth, in time order, without holes.
  let truth: [LabelRun]
  /// The runs of the answers, in time order, without holes.
  let answers: [LabelRun]

  /// The same span with one class against everything else: runs of 1 where `isOf` holds, else 0.
  func reduced(_ isOf: (UInt8) -> Bool) -> ScoredSpan {
    ScoredSpan(
      frames: frames, start: start, end: end, truth: Self.merged(truth, isOf),
      answers: Self.merged(answers, isOf))
  }

  /// The runs of a class.
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
  /// The stretches of scored frames, in time order.
  ///
  /// - Complexity: O(frames).
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
