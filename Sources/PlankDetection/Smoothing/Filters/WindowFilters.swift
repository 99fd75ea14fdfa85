/// The mean of the last N samples, or of the samples of the last W seconds.
///
/// At the start, the mean is over the samples so far. Each mean is summed anew, because a running
/// sum drifts. The lag for a ramp is (N - 1) / 2 intervals. The gain for white noise is 1 /
/// sqrt(N).
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
/// For an even number of samples, the median is the mean of the two middle samples. A step passes
/// after (N - 1) / 2 samples; a spike of fewer samples does not pass at all.
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

/// The signal, with outliers replaced by the median of the last samples (Hampel 1974).
///
/// m is the window's median. s is 1.4826 times the median distance of the samples from m, which
/// estimates the standard deviation of normal noise. A sample farther than k s from m is replaced
/// by m. In a window that is flat except for the newest sample, s is 0 and the newest sample is
/// replaced.
struct HampelFilter: CausalFilter {
  static let deviationScale = 1.4826

  private let threshold: Double
  private var window: SortedWindow

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

/// The Savitzky-Golay filter at the end point: the least-squares polynomial through the last
/// samples at their real times, evaluated at the newest sample.
///
/// With too few samples for the degree, the degree is lowered. From degree 1 up, a ramp passes
/// without lag, and a step overshoots. At degree 1, the gain for white noise is sqrt(2 (2N - 1) /
/// (N (N + 1))).
///
/// The fit is a sum of orthogonal polynomials on the samples' times. Their three-term recurrence
/// (Forsythe 1957, doi 10.1137/0105007) needs no system of equations.
struct EndPointFilter: CausalFilter {
  private let degree: Int
  private var window: LaneWindow

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

/// The weights of a window's samples in the polynomial, shared by all signals with the same sample
/// times.
struct EndPointWeights: TimeWork {
  private struct Sample {
    let time, place: Double
    var weight = 0.0
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

  /// Finds the weights for the sample times of a lane.
  ///
  /// P(0) = 1; P(k+1)(t) = (t - shift(k)) P(k)(t) - ratio(k) P(k-1)(t). The weight of a sample is
  /// the sum over k of P(k) at the sample's time times P(k) at the newest time, divided by the sum
  /// of squares of P(k).
  ///
  /// - Precondition: the lane's samples do not all have the same time.
  /// - Complexity: O(samples), without allocation once the window has grown to its full size.
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

  /// The weighted sums of a window; meaningless for lanes with other sample times.
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

/// The filter of ML Kit's sample apps: exponential weights over N samples, reset by a short gap.
///
/// y is the sum over the window of (1 - alpha)^age x(age), divided by the sum of the weights. With
/// N = 10 and alpha = 0.2, the lag is 2.797 samples. A gap longer than `resetGap` (100 ms in ML
/// Kit) empties the window, so nothing is smoothed below 10 Hz.
struct WindowedExponentialFilter: CausalFilter {
  private let resetGap: Double
  private var weights: [Double] = []
  private var sums: [Double] = []
  private var window: LaneWindow

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

/// The newest samples of four signals with their times.
///
/// A row has one sample per lane, and the last row has the newest sample of every lane. If a lane
/// misses a sample, its older samples move up by a row, so lanes differ only in how far back their
/// samples go. Memory grows only when a window in seconds holds more samples than ever before.
struct LaneWindow: Sendable {
  private let length: WindowLength
  private var values: [Lanes]
  private var times: [Lanes]
  private var end = 0
  /// How many of the newest rows have the same time in all lanes.
  private var commonTimes = 0

  private(set) var rowCount = 0
  private(set) var ownCounts: Lanes?

  init(_ length: WindowLength) {
    self.length = length
    values = Array(repeating: Lanes(), count: 2 * max(1, length.expectedCount))
    times = values
  }

  var counts: Lanes { ownCounts ?? Lanes(repeating: Double(rowCount)) }

  var isInStep: Bool { ownCounts == nil && commonTimes >= rowCount }

  var oldestTimes: Lanes { oldest(in: times) }

  /// The oldest row comes first; the last rows belong to every lane, earlier rows only to lanes
  /// with enough samples.
  @inline(__always) func withRows<Result>(
    _ body: (_ values: UnsafeBufferPointer<Lanes>, _ times: UnsafeBufferPointer<Lanes>) -> Result
  ) -> Result {
    let rows = end - rowCount..<end
    return values.withUnsafeBufferPointer { values in
      times.withUnsafeBufferPointer { times in
        body(
          UnsafeBufferPointer(rebasing: values[rows]), UnsafeBufferPointer(rebasing: times[rows]))
      }
    }
  }

  @inline(__always) func sums(_ weight: (_ age: Int) -> Double) -> Lanes {
    withRows { rows, _ in
      var sums = Lanes()
      guard let counts = ownCounts else {
        for age in rows.indices { sums += weight(age) * rows[rows.count - 1 - age] }
        return sums
      }
      for age in rows.indices {
        let next = sums + weight(age) * rows[rows.count - 1 - age]
        sums.replace(with: next, where: counts .> Double(age))
      }
      return sums
    }
  }

  @inline(__always) func numbers(_ make: (_ count: Int) -> Double) -> Lanes {
    guard let counts = ownCounts else { return Lanes(repeating: rowCount > 0 ? make(rowCount) : 0) }
    var numbers = Lanes()
    for lane in numbers.indices where counts[lane] > 0 { numbers[lane] = make(Int(counts[lane])) }
    return numbers
  }

  mutating func removeAll(in lanes: LaneMask) {
    setCounts(counts.replacing(with: Lanes(), where: lanes))
  }

  @inline(__always) mutating func append(
    _ newest: Lanes, at time: Double, in lanes: LaneMask,
    removed: (Lanes, LaneMask) -> Void = { _, _ in }
  ) {
    if all(lanes), ownCounts == nil, case .frames(let frames) = length {
      if rowCount >= frames {
        removed(values[end - rowCount], .all)
        rowCount -= 1
      }
    } else {
      while case let full = lanes .& fullLanes(at: time), any(full) {
        removed(oldest(in: values), full)
        setCounts(counts.replacing(with: counts - 1, where: full))
      }
    }
    if end == values.count { makeRoom() }
    if all(lanes) {
      values[end] = newest
      times[end] = Lanes(repeating: time)
      commonTimes += 1
      rowCount += 1
      if let counts = ownCounts { setCounts(counts + 1) }
    } else {
      push(newest, at: time, in: lanes)
    }
    end += 1
  }

  @inline(__always) private func fullLanes(at time: Double) -> LaneMask {
    switch length {
    case .frames(let frames): counts .>= Double(frames)
    case .seconds(let seconds):
      (counts .> 0) .& (time - oldest(in: times) .>= seconds - Debouncer.tolerance)
    }
  }

  @inline(__always) private func oldest(in rows: [Lanes]) -> Lanes {
    guard let counts = ownCounts else { return rows[max(0, end - max(1, rowCount))] }
    var oldest = Lanes()
    for lane in oldest.indices where counts[lane] > 0 {
      oldest[lane] = rows[end - Int(counts[lane])][lane]
    }
    return oldest
  }

  private mutating func setCounts(_ counts: Lanes) {
    rowCount = Int(counts.max())
    ownCounts = all(counts .== counts[0]) ? nil : counts
    if rowCount == 0 { (end, commonTimes) = (0, 0) }
  }

  private mutating func push(_ newest: Lanes, at time: Double, in lanes: LaneMask) {
    for row in (end - rowCount..<end).reversed() {
      values[row + 1].replace(with: values[row], where: .!lanes)
      times[row + 1].replace(with: times[row], where: .!lanes)
    }
    values[end].replace(with: newest, where: lanes)
    times[end].replace(with: Lanes(repeating: time), where: lanes)
    commonTimes = 0
    setCounts(counts.replacing(with: counts + 1, where: lanes))
  }

  private mutating func makeRoom() {
    for row in 0..<rowCount {
      values[row] = values[end - rowCount + row]
      times[row] = times[end - rowCount + row]
    }
    end = rowCount
    guard 2 * rowCount > values.count else { return }
    values += repeatElement(Lanes(), count: rowCount)
    times += repeatElement(Lanes(), count: rowCount)
  }
}

struct SortedWindow: Sendable {
  private var window: LaneWindow
  private var sorted: [Lanes]

  init(_ length: WindowLength) {
    window = LaneWindow(length)
    sorted = Array(repeating: Lanes(repeating: .infinity), count: length.expectedCount + 2)
  }

  mutating func removeAll(in lanes: LaneMask) {
    for row in 0..<window.rowCount {
      sorted[row].replace(with: Lanes(repeating: .infinity), where: lanes)
    }
    window.removeAll(in: lanes)
  }

  @inline(__always) mutating func append(_ values: Lanes, at time: Double, in lanes: LaneMask) {
    let nothing = Lanes(repeating: .infinity)
    var leaving = nothing
    var isLeaving = false
    let rows = window.rowCount + 1
    if rows == sorted.count { sorted += repeatElement(nothing, count: rows) }
    window.append(values, at: time, in: lanes) { old, full in
      if isLeaving { Self.exchange(leaving, for: nothing, in: &sorted, rows: rows) }
      leaving = nothing.replacing(with: old, where: full)
      isLeaving = true
    }
    let entering = nothing.replacing(with: values, where: lanes)
    Self.exchange(leaving, for: entering, in: &sorted, rows: rows)
  }

  @inline(__always) private static func exchange(
    _ leaving: Lanes, for entering: Lanes, in sorted: inout [Lanes], rows: Int
  ) {
    sorted.withUnsafeMutableBufferPointer { sorted in
      var before = Lanes(repeating: -.infinity)
      var here = sorted[0]
      for row in 0..<rows {
        let next = sorted[row + 1]
        let kept = next.replacing(with: here, where: here .< leaving)
        sorted[row] = kept.lesser(entering.greater(before))
        (before, here) = (kept, next)
      }
    }
  }

  var medians: Lanes {
    guard let counts = window.ownCounts else { return median(of: window.rowCount) }
    var medians = Lanes()
    for lane in medians.indices where counts[lane] > 0 {
      medians[lane] = median(of: Int(counts[lane]))[lane]
    }
    return medians
  }

  private func median(of count: Int) -> Lanes {
    let half = count / 2
    return count.isMultiple(of: 2) ? (sorted[half - 1] + sorted[half]) / 2 : sorted[half]
  }

  /// Takes O(samples) time, because the samples nearest to a center are consecutive, and the
  /// farthest of these is at one end.
  func medianDeviations(from centers: Lanes) -> Lanes {
    guard let counts = window.ownCounts else {
      return deviations(from: centers, count: window.rowCount)
    }
    var deviations = Lanes()
    for lane in deviations.indices where counts[lane] > 0 {
      deviations[lane] = self.deviations(from: centers, count: Int(counts[lane]))[lane]
    }
    return deviations
  }

  private func deviations(from centers: Lanes, count: Int) -> Lanes {
    let last = distances(from: centers, rank: count / 2, count: count)
    guard count.isMultiple(of: 2) else { return last }
    return (distances(from: centers, rank: count / 2 - 1, count: count) + last) / 2
  }

  private func distances(from centers: Lanes, rank: Int, count: Int) -> Lanes {
    sorted.withUnsafeBufferPointer { sorted in
      var least = Lanes(repeating: .infinity)
      for row in 0..<count - rank {
        let farthest = (centers - sorted[row]).greater(sorted[row + rank] - centers)
        least = farthest.lesser(least)
      }
      return least
    }
  }
}

enum WindowLength: Hashable, Sendable {
  case frames(Int)
  /// A sample that is exactly this old is excluded.
  case seconds(Double)

  init(_ settings: StrategySettings<SmoothingKind>) {
    self =
      settings[.windowSeconds].map(WindowLength.seconds)
      ?? .frames(Int(settings.value(.windowFrames)))
  }

  var expectedCount: Int {
    switch self {
    case .frames(let count): count
    case .seconds(let seconds): Int((seconds * 60).rounded(.up)) + 2
    }
  }
}
