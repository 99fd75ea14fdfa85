@_spi(Bench) package import PoseModel
internal import Statistics

/// The stretches over which jitter is measured: all movement in them is noise and sway.
package enum HoldSegments {
  /// The maximal runs of consecutive scored frames of one plank class other than none and one true
  /// form, as ranges of frames; a form that was not judged counts as a form of its own.
  ///
  /// - Complexity: O(frames).
  package static func find(in truth: FrameTruth) -> [Range<Int>] {
    var holds: [Range<Int>] = []
    var start: Int?
    for frame in truth.plank.indices {
      let code = truth.plank[frame]
      let isHeld = FrameTruth.isScored(code) && code != PlankClass.none.code
      if let first = start,
        !isHeld || code != truth.plank[first] || truth.form[frame] != truth.form[first]
      {
        holds.append(first..<frame)
        start = nil
      }
      if isHeld, start == nil { start = frame }
    }
    if let start { holds.append(start..<truth.plank.count) }
    return holds
  }

  /// How much time at the start of a hold a smoother gets to settle.
  ///
  /// Ours: by then, a window of up to a second no longer contains the movement before the hold, and
  /// a first-order filter with a cutoff of 0.5 Hz still shows exp(-pi), 4 %, of a step.
  package static let settling = Seconds(1)

  /// The holds without their starts: frames within some time of a hold's first one are left out,
  /// and with them holds that are no longer than that.
  ///
  /// - Complexity: O(frames).
  static func find(
    in truth: FrameTruth, times: [Double], after settling: Seconds
  ) -> [Range<Int>] {
    find(in: truth).compactMap { hold in
      let start = times[hold.lowerBound] + settling.value - FrameTiming.slack
      return hold.first { times[$0] >= start }.map { $0..<hold.upperBound }
    }
  }
}

/// The stretches that are contrasted with holds: nobody planks, and whoever is there moves or
/// rests.
package enum MovementSegments {
  /// The maximal runs of consecutive scored frames of the class none, as ranges of frames.
  ///
  /// - Complexity: O(frames).
  package static func find(in truth: FrameTruth) -> [Range<Int>] {
    var segments: [Range<Int>] = []
    var start: Int?
    for frame in 0...truth.plank.count {
      let isNone = frame < truth.plank.count && truth.plank[frame] == PlankClass.none.code
      if isNone, start == nil { start = frame }
      if !isNone, let first = start {
        segments.append(first..<frame)
        start = nil
      }
    }
    return segments
  }
}

extension FrameTiming {
  /// Whether two consecutive valid frames are near enough for their difference to be noise and sway.
  static func isStep(from earlier: Double, to later: Double) -> Bool {
    later - earlier <= longestGap + slack
  }
}

/// The valid frames of one signal in one stretch of frames, and its steps.
///
/// Steps are between consecutive frames that are both valid and no farther apart than 0.5 s.
/// Angles are unwrapped: a step is the short way around the circle.
struct HoldScan {
  /// The times of the valid frames.
  private(set) var times: [Double] = []
  /// The valid values by axis, in time order.
  private(set) var axes: [[Double]] = []
  /// The valid frames, cut where the next one is no step away.
  private(set) var runs: [Range<Int>] = []
  /// The sums over steps.
  private(set) var sums = StepSums()

  /// Passes over some frames.
  init(_ series: StridedSeries, _ hold: Range<Int>, _ clock: [Double]) {
    if series.dimension == 1 {
      var values = gather(hold, clock, series.number)
      if let period = series.period { Self.unwrap(&values, period) }
      for run in runs { sums.add(run, of: values, times) }
      axes = [values]
    } else {
      let values = gather(hold, clock, series.sample)
      for run in runs { sums.add(run, of: values, times) }
      axes = (0..<series.dimension).map { axis in values.map { $0[axis] } }
    }
  }

  /// The median of an axis, whose values lose their order; nil if there are none.
  mutating func median(reordering axis: Int) -> Double? {
    Description.median(reordering: &axes[axis])
  }

  /// The valid values; notes their times and runs.
  private mutating func gather<Value>(
    _ hold: Range<Int>, _ clock: [Double], _ sample: (Int) -> Value?
  ) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(hold.count)
    times.reserveCapacity(hold.count)
    var start = 0
    var isBroken = false
    for frame in hold {
      guard let value = sample(frame) else {
        isBroken = true
        continue
      }
      let time = clock[frame]
      if let last = times.last, isBroken || !FrameTiming.isStep(from: last, to: time) {
        runs.append(start..<values.count)
        start = values.count
      }
      isBroken = false
      values.append(value)
      times.append(time)
    }
    if start < values.count { runs.append(start..<values.count) }
    return values
  }

  private static func unwrap(_ values: inout [Double], _ period: Double) {
    guard var last = values.first else { return }
    var turns = 0.0
    for index in values.indices {
      let value = values[index]
      if abs(value - last) > period / 2 { turns += ((last - value) / period).rounded() }
      last = value
      values[index] = value + turns * period
    }
  }
}
