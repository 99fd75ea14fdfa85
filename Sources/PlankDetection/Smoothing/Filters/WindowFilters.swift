/// The mean of the last N samples, or of the samples of the last W seconds.
///
/// At the start, the mean is over the samples so far. It is summed anew each time, because a
/// running sum drifts. Lag of a ramp: (N - 1) / 2 intervals. Gain of white noise: 1 / sqrt(N).
struct MovingAverageFilter: CausalFilter {
  private var window: SampleWindow

  /// Makes the filter.
  init(_ length: WindowLength) { window = SampleWindow(length) }

  mutating func start(_ value: Double, at time: Double) -> Double {
    window.removeAll()
    window.append(value, at: time)
    return value
  }

  mutating func update(
    _ value: Double, at time: Double, after interval: Double, _ work: inout NoTimeWork
  ) -> Double {
    window.append(value, at: time)
    return window.mean
  }
}

/// The median of the last N samples, or of the samples of the last W seconds.
///
/// An even number of samples gives the mean of the two middle ones. A step passes after (N - 1) / 2
/// samples; a spike shorter than that does not pass at all.
struct MedianFilter: CausalFilter {
  private var window: SortedWindow

  /// Makes the filter.
  init(_ length: WindowLength) { window = SortedWindow(length) }

  mutating func start(_ value: Double, at time: Double) -> Double {
    window.removeAll()
    window.append(value, at: time)
    return value
  }

  mutating func update(
    _ value: Double, at time: Double, after interval: Double, _ work: inout NoTimeWork
  ) -> Double {
    window.append(value, at: time)
    return window.median
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

  mutating func start(_ value: Double, at time: Double) -> Double {
    window.removeAll()
    window.append(value, at: time)
    return value
  }

  mutating func update(
    _ value: Double, at time: Double, after interval: Double, _ work: inout NoTimeWork
  ) -> Double {
    window.append(value, at: time)
    let median = window.median
    let deviation = Self.deviationScale * window.medianDeviation(from: median)
    return abs(value - median) > threshold * deviation ? median : value
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
  private var window: SampleWindow

  /// Makes the filter for a degree of 0...3.
  init(_ length: WindowLength, degree: Int) {
    self.degree = degree
    window = SampleWindow(length)
  }

  mutating func start(_ value: Double, at time: Double) -> Double {
    window.removeAll()
    window.append(value, at: time)
    return value
  }

  mutating func update(
    _ value: Double, at time: Double, after interval: Double, _ basis: inout EndPointBasis
  ) -> Double {
    window.append(value, at: time)
    let span = time - window.time(age: window.count - 1)
    guard span > 0 else { return value }
    if !window.hasTimes(basis.times) { basis.find(on: window, degree: degree) }
    return basis.newest(window)
  }
}

/// The orthogonal polynomials on the times of a window: once per frame for all signals in step.
struct EndPointBasis: TimeWork {
  /// The times of the samples, the oldest first.
  private(set) var times: [Double] = []
  /// The polynomials at each of them, one lane per order.
  private var polynomials: [SIMD4<Double>] = []
  /// Their sums of squares, and their values at the newest sample.
  private var squares = SIMD4<Double>()
  private var ends = SIMD4<Double>()
  /// The highest order.
  private var degree = 0

  init() {}

  /// Finds the polynomials; times are counted back from the newest and scaled to -1...0.
  ///
  /// - Precondition: the window spans some time.
  /// - Complexity: O(samples); nothing is allocated once the window has grown to its size.
  mutating func find(on window: SampleWindow, degree limit: Int) {
    let count = window.count
    let newest = window.time(age: 0)
    let scale = 1 / (newest - window.time(age: count - 1))
    degree = min(limit, count - 1)
    times.removeAll(keepingCapacity: true)
    polynomials.removeAll(keepingCapacity: true)
    for age in (0..<count).reversed() {
      times.append(window.time(age: age))
      polynomials.append(SIMD4())
    }
    var recurrence = Recurrence()
    for order in 0...degree {
      var (sum, moment) = (0.0, 0.0)
      for index in (0..<count).reversed() {
        let place = (times[index] - newest) * scale
        let polynomial = recurrence.value(at: place, order: order)
        polynomials[index][order] = polynomial
        sum += polynomial * polynomial
        moment += place * polynomial * polynomial
      }
      squares[order] = sum
      ends[order] = recurrence.value(at: 0, order: order)
      recurrence.extend(order, shift: moment / sum, squares: sum)
    }
  }

  /// The polynomial of least squares through the samples of a window, at the newest one.
  ///
  /// - Precondition: the window has these times.
  func newest(_ window: SampleWindow) -> Double {
    let weighted = window.sum(weighedBy: polynomials)
    var result = 0.0
    for order in 0...degree { result += weighted[order] / squares[order] * ends[order] }
    return result
  }

  /// P(0) = 1; P(k+1)(t) = (t - shift(k)) P(k)(t) - ratio(k) P(k-1)(t).
  private struct Recurrence {
    private var shifts = SIMD4<Double>()
    private var ratios = SIMD4<Double>()
    private var lastSquares = 1.0

    func value(at place: Double, order: Int) -> Double {
      var (before, value) = (0.0, 1.0)
      for index in 0..<order {
        (before, value) = (value, (place - shifts[index]) * value - ratios[index] * before)
      }
      return value
    }

    mutating func extend(_ order: Int, shift: Double, squares: Double) {
      shifts[order] = shift
      ratios[order] = order == 0 ? 0 : squares / lastSquares
      lastSquares = squares
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
  private let decay: Double
  private let resetGap: Double
  private var window: SampleWindow

  /// Makes the filter from the number of samples, the fall of the weights and the gap in seconds.
  init(frames: Int, alpha: Double, resetGap: Double) {
    decay = 1 - alpha
    self.resetGap = resetGap
    window = SampleWindow(.frames(frames))
  }

  mutating func start(_ value: Double, at time: Double) -> Double {
    window.removeAll()
    window.append(value, at: time)
    return value
  }

  mutating func update(
    _ value: Double, at time: Double, after interval: Double, _ work: inout NoTimeWork
  ) -> Double {
    if interval > resetGap + Debouncer.tolerance { return start(value, at: time) }
    window.append(value, at: time)
    var (sum, weights, weight) = (0.0, 0.0, 1.0)
    for age in 0..<window.count {
      sum += weight * window.value(age: age)
      weights += weight
      weight *= decay
    }
    return sum / weights
  }
}
