/// A run of consecutive scored frames of one true class that are all answered wrong.
struct WrongStretch: Hashable {
  /// The frames.
  let frames: Range<Int>
  /// The sum of the frames' durations, in seconds.
  let seconds: Double

  /// A duration in ticks of a timestamp's last digit, so that rounding does not rank.
  static func ticks(_ seconds: Double) -> Double { (seconds * 1e6).rounded() }

  /// Whether a stretch ranks before another of the same sequence: longer, else earlier.
  static func isWorse(_ left: WrongStretch, _ right: WrongStretch) -> Bool {
    let (one, other) = (ticks(left.seconds), ticks(right.seconds))
    return one != other ? one > other : left.frames.lowerBound < right.frames.lowerBound
  }
}

extension ScoredStream {
  /// Every wrong stretch, in time order; a change of the truth ends one and may begin another.
  ///
  /// - Complexity: O(frames).
  var wrongStretches: [WrongStretch] {
    stretches { answers[$0] != truth[$0] }
  }

  /// Every stretch of scored frames of one true class that are chosen, in time order.
  ///
  /// - Complexity: O(frames).
  func stretches(_ isChosen: (Int) -> Bool) -> [WrongStretch] {
    var stretches: [WrongStretch] = []
    var start: Int?
    var seconds = 0.0
    for frame in times.indices {
      let isWrong = isScored(frame) && isChosen(frame)
      if let first = start, !isWrong || truth[frame] != truth[first] {
        stretches.append(WrongStretch(frames: first..<frame, seconds: seconds))
        start = nil
      }
      guard isWrong else { continue }
      if start == nil {
        start = frame
        seconds = 0
      }
      seconds += dwell(frame)
    }
    if let start {
      stretches.append(WrongStretch(frames: start..<times.count, seconds: seconds))
    }
    return stretches
  }
}
