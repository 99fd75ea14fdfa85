@_spi(Bench) package import PoseModel

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

/// One pass over one signal in one stretch of frames.
///
/// Steps are between consecutive frames that are both valid and no farther apart than 0.5 s.
/// Angles are unwrapped on the way: a step is the short way around the circle.
struct HoldScan {
  /// The sums over steps.
  private(set) var sums = StepSums()
  /// The times of the valid frames.
  private(set) var times: [Double] = []
  /// Whether each valid frame is one step after the previous one.
  private(set) var isStep: [Bool] = []

  private let series: StridedSeries
  private var x: [Double] = []
  private var y: [Double] = []
  private var z: [Double] = []
  private var turns = 0.0
  private var lastValid: Double?
  private var previous: (time: Double, value: SIMD3<Double>)?
  private var slope: (interval: Double, value: SIMD3<Double>)?
  private var bend: (interval: Double, value: SIMD3<Double>)?

  /// Passes over some frames.
  init(_ series: StridedSeries, _ hold: Range<Int>, _ times: [Double]) {
    self.series = series
    x.reserveCapacity(hold.count)
    self.times.reserveCapacity(hold.count)
    isStep.reserveCapacity(hold.count)
    if series.dimension > 1 { y.reserveCapacity(hold.count) }
    if series.dimension > 2 { z.reserveCapacity(hold.count) }
    for frame in hold {
      if let value = series.sample(frame) {
        take(unwrapped(value), at: times[frame])
      } else {
        previous = nil
        slope = nil
        bend = nil
      }
    }
  }

  /// The valid values by axis, in time order.
  var valid: [[Double]] { Array([x, y, z].prefix(series.dimension)) }

  private mutating func take(_ value: SIMD3<Double>, at time: Double) {
    x.append(value.x)
    if series.dimension > 1 { y.append(value.y) }
    if series.dimension > 2 { z.append(value.z) }
    times.append(time)
    defer { previous = (time, value) }
    guard let previous, FrameTiming.isStep(from: previous.time, to: time) else {
      isStep.append(false)
      slope = nil
      bend = nil
      return
    }
    isStep.append(true)
    let step = value - previous.value
    let interval = time - previous.time
    let newSlope = step / interval
    sums.add(step: step, interval: interval)
    if let slope {
      let two = interval + slope.interval
      let newBend = 2 * (newSlope - slope.value) / two
      sums.add(bend: newBend)
      if let bend { sums.add(jerk: 3 * (newBend - bend.value) / (interval + bend.interval)) }
      bend = (two, newBend)
    }
    slope = (interval, newSlope)
  }

  private mutating func unwrapped(_ value: SIMD3<Double>) -> SIMD3<Double> {
    guard let period = series.period else { return value }
    if let lastValid, abs(value.x - lastValid) > period / 2 {
      turns += ((lastValid - value.x) / period).rounded()
    }
    lastValid = value.x
    return SIMD3(value.x + turns * period, 0, 0)
  }
}
