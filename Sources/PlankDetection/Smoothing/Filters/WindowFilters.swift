/// The mean of the last N samples, or of the samples of the last W seconds.
///
/// At the start, the mean is over the samples so far. It is summed anew each time, because a
/// running sum drifts. Lag of a ramp: (N - 1) / 2 intervals. Gain of white noise: 1 / sqrt(N).
struct MovingAverageFilter: CausalFilter {
  private var window: LaneWindow

  init(_ length: WindowLength) { window = LaneWindow(length) }

  mutating func start(_ values: Lanes, at time: Double, in lanes: LaneMask) {
    window.removeAll(in: lanes)
    window.append(values, at: time, in: lanes)
  }

  @inline(__always) mutating func update(
    _ values: Lanes, at time: Double, after intervals: Lanes, in lanes: LaneMask,
    _ work: inout NoTimeWork
  ) -> Lanes {
    window.append(values, at: time, in: lanes)
    return window.sums { _ in 1 } / window.numbers { Double($0) }
  }
}

/// The median of the last N samples, or of the samples of the last W seconds.
///
/// An even number of samples gives the mean of the two middle ones. A step passes after (N - 1) / 2
/// samples; a spike shorter than that does not pass at all.
struct MedianFilter: CausalFilter {
  private var window: SortedWindow

  init(_ length: WindowLength) { window = SortedWindow(length) }

  mutating func start(_ values: Lanes, at time: Double, in lanes: LaneMask) {
    window.removeAll(in: lanes)
    window.append(values, at: time, in: lanes)
  }

  @inline(__always) mutating func update(
    _ values: Lanes, at time: Double, after intervals: Lanes, in lanes: LaneMask,
    _ work: inout NoTimeWork
  ) -> Lanes {
    window.append(values, at: time, in: lanes)
    return window.medians
  }
}

/// The signal, with the median of the last samples in place of outliers (Hampel 1974).
///
/// m is the window's median and s = 1.4826 times the median distance from it (the standard
/// deviation of normal noise). A sample farther than k s from m is replaced by m. In a window that
/// is flat except for the newest sample, s is 0 and that sample is replaced.
struct HampelFilter: CausalFilter {
  /// From the median absolute deviation of normal noise to its standard deviation.
  static let deviationScale = 1.4826

  private let threshold: Double
  private var window: SortedWindow

  /// Makes the filter; an outlier is more than `threshold` standard deviations off.
  init(_ length: WindowLength, threshold: Double) {
    self.threshold = threshold
    window = SortedWindow(length)
  }

  mutating func start(_ values: Lanes, at time: Double, in lanes: LaneMask) {
    window.removeAll(in: lanes)
    window.append(values, at: time, in: lanes)
  }

  @inline(__always) mutating func update(
    _ values: Lanes, at time: Double, after intervals: Lanes, in lanes: LaneMask,
    _ work: inout NoTimeWork
  ) -> Lanes {
    window.append(values, at: time, in: lanes)
    let medians = window.medians
    let deviations = Self.deviationScale * window.medianDeviations(from: medians)
    let isOutlier = (values - medians).magnitudes .> threshold * deviations
    return values.replacing(with: medians, where: isOutlier)
  }
}

/// Savitzky-Golay at the end point: the least-squares polynomial through the last samples at their
/// real times, evaluated at the newest one.
///
/// With fewer samples than the degree needs, the degree is lower. From degree 1 up, a ramp passes
/// without lag; a step overshoots. Gain of white noise: degree 1 sqrt(2 (2N - 1) / (N (N + 1))).
///
/// The fit is a sum over orthogonal polynomials on the samples' times, found by their three-term
/// recurrence (Forsythe 1957, doi 10.1137/0105007), which needs no solved equations.
struct EndPointFilter: CausalFilter {
  private let degree: Int
  private var window: LaneWindow

  /// Makes the filter for a degree of 0...3.
  init(_ length: WindowLength, degree: Int) {
    self.degree = degree
    window = LaneWindow(length)
  }

  mutating func start(_ values: Lanes, at time: Double, in lanes: LaneMask) {
    window.removeAll(in: lanes)
    window.append(values, at: time, in: lanes)
  }

  @inline(__always) mutating func update(
    _ values: Lanes, at time: Double, after intervals: Lanes, in lanes: LaneMask,
    _ weights: inout EndPointWeights
  ) -> Lanes {
    window.append(values, at: time, in: lanes)
    var results = values
    var rest = lanes .& (time - window.oldestTimes .> 0)
    while let lane = rest.first {
      var equal = weights.lanes(of: window)
      if !equal[lane] {
        weights.find(on: window, lane: lane, degree: degree)
        equal = weights.lanes(of: window)
      }
      results.replace(with: weights.newest(window), where: rest .& equal)
      rest .&= .!equal
    }
    return results
  }
}

/// The weights of a window's samples in the polynomial, found once per frame for all signals in
/// step.
struct EndPointWeights: TimeWork {
  private struct Sample {
    /// Its time, and the same counted back from the newest and scaled to -1...0.
    let time, place: Double
    var weight = 0.0
    /// The orthogonal polynomial of an order at its time, and that of the order before.
    var value = 1.0
    var before = 0.0
  }

  private var samples: [Sample] = []

  init() {}

  @inline(__always) func lanes(of window: LaneWindow) -> LaneMask {
    let count = samples.count
    guard window.rowCount >= count else { return LaneMask() }
    return samples.withUnsafeBufferPointer { samples in
      window.withRows { _, rows in
        let first = rows.count - count
        if window.isInStep {
          guard first == 0 else { return LaneMask() }
          for index in 0..<count where rows[index][0] != samples[index].time { return LaneMask() }
          return .all
        }
        var isEqual = window.counts .== Double(count)
        for index in 0..<count { isEqual .&= rows[first + index] .== samples[index].time }
        return isEqual
      }
    }
  }

  /// Finds the weights on a lane's times.
  ///
  /// P(0) = 1; P(k+1)(t) = (t - shift(k)) P(k)(t) - ratio(k) P(k-1)(t). A sample weighs the sum over k
  /// of P(k) at its time times P(k) at the newest one, over the sum of squares of P(k).
  ///
  /// - Precondition: the lane's samples span some time.
  /// - Complexity: O(samples); nothing is allocated once the window has grown to its size.
  mutating func find(on window: LaneWindow, lane: Int, degree: Int) {
    let count = Int(window.counts[lane])
    samples.removeAll(keepingCapacity: true)
    window.withRows { _, rows in
      let first = rows.count - count
      let newest = rows[rows.count - 1][lane]
      let scale = 1 / (newest - rows[first][lane])
      for index in first..<rows.count {
        let time = rows[index][lane]
        samples.append(Sample(time: time, place: (time - newest) * scale))
      }
    }
    samples.withUnsafeMutableBufferPointer { samples in
      var (end, endBefore, lastSquares) = (1.0, 0.0, 1.0)
      for order in 0...min(degree, count - 1) {
        var (squares, moment) = (0.0, 0.0)
        for index in (0..<count).reversed() {
          let (place, value) = (samples[index].place, samples[index].value)
          squares += value * value
          moment += place * value * value
        }
        let (shift, ratio) = (moment / squares, order == 0 ? 0 : squares / lastSquares)
        for index in 0..<count {
          let sample = samples[index]
          samples[index].weight += sample.value * (end / squares)
          samples[index].value = (sample.place - shift) * sample.value - ratio * sample.before
          samples[index].before = sample.value
        }
        (end, endBefore, lastSquares) = (-shift * end - ratio * endBefore, end, squares)
      }
    }
  }

  /// The weighted sums of a window; meaningless for lanes with other times than these.
  @inline(__always) func newest(_ window: LaneWindow) -> Lanes {
    window.withRows { rows, _ in
      samples.withUnsafeBufferPointer { samples in
        var result = Lanes()
        let first = rows.count - samples.count
        for index in samples.indices.reversed() {
          result += samples[index].weight * rows[first + index]
        }
        return result
      }
    }
  }
}

/// The filter of ML Kit's sample apps: exponential weights over the last N samples, restarted after
/// a short gap.
///
/// y = sum over the window of (1 - alpha)^age x(age), over the sum of the weights. With N = 10 and
/// alpha = 0.2 the lag is 2.797 samples. A gap over `resetGap` (100 ms in ML Kit) empties the
/// window, so below 10 Hz nothing is smoothed.
struct WindowedExponentialFilter: CausalFilter {
  private let resetGap: Double
  private var weights: [Double] = []
  private var sums: [Double] = []
  private var window: LaneWindow

  /// `resetGap` is in seconds.
  init(frames: Int, alpha: Double, resetGap: Double) {
    self.resetGap = resetGap
    window = LaneWindow(.frames(frames))
    var (weight, sum) = (1.0, 0.0)
    for _ in 0..<frames {
      sum += weight
      weights.append(weight)
      sums.append(sum)
      weight *= 1 - alpha
    }
  }

  mutating func start(_ values: Lanes, at time: Double, in lanes: LaneMask) {
    window.removeAll(in: lanes)
    window.append(values, at: time, in: lanes)
  }

  @inline(__always) mutating func update(
    _ values: Lanes, at time: Double, after intervals: Lanes, in lanes: LaneMask,
    _ work: inout NoTimeWork
  ) -> Lanes {
    let late = lanes .& (intervals .> resetGap + Debouncer.tolerance)
    if any(late) { window.removeAll(in: late) }
    window.append(values, at: time, in: lanes)
    let sum = window.sums { weights[$0] }
    let results = sum / window.numbers { sums[$0 - 1] }
    return results.replacing(with: values, where: late)
  }
}
