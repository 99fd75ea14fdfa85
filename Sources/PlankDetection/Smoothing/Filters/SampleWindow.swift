@_spi(Bench) import PoseModel

/// The newest samples of a signal with their times, in a ring buffer.
///
/// Memory grows only when a window in seconds meets a rate that it has not met before.
struct SampleWindow: Sendable {
  private let length: WindowLength
  private var values: [Double]
  private var times: [Double]
  private var oldest = 0

  /// How many samples there are.
  private(set) var count = 0

  /// Makes an empty window.
  init(_ length: WindowLength) {
    self.length = length
    values = Array(repeating: 0, count: max(1, length.expectedCount))
    times = values
  }

  /// A sample by age: 0 is the newest.
  func value(age: Int) -> Double { values[place(count - 1 - age)] }

  /// A sample's time by age: 0 is the newest.
  func time(age: Int) -> Double { times[place(count - 1 - age)] }

  /// The mean of all samples; 0 without samples.
  var mean: Double {
    var sum = 0.0
    for age in 0..<count { sum += value(age: age) }
    return sum / Double(max(1, count))
  }

  /// Whether the samples came at some times, the oldest first.
  func hasTimes(_ others: [Double]) -> Bool {
    guard others.count == count else { return false }
    let start = min(count, times.count - oldest)
    return times.withUnsafeBufferPointer { times in
      others.withUnsafeBufferPointer { others in
        var differences = 0
        for index in 0..<start { differences += times[oldest + index] == others[index] ? 0 : 1 }
        for index in start..<count { differences += times[index - start] == others[index] ? 0 : 1 }
        return differences == 0
      }
    }
  }

  /// The sum of all samples, the newest first, each times its weights.
  ///
  /// - Parameter weights: as many as there are samples, the oldest first.
  func sum(weighedBy weights: [SIMD4<Double>]) -> SIMD4<Double> {
    precondition(weights.count == count, "every sample has weights")
    return values.withUnsafeBufferPointer { values in
      weights.withUnsafeBufferPointer { weights in
        var sum = SIMD4<Double>()
        var slot = place(count)
        for index in (0..<count).reversed() {
          slot = slot == 0 ? values.count - 1 : slot - 1
          sum += weights[index] * values[slot]
        }
        return sum
      }
    }
  }

  /// Empties the window.
  mutating func removeAll() {
    oldest = 0
    count = 0
  }

  /// Adds a sample after removing those that are too old by then.
  ///
  /// - Parameter removed: receives each removed sample.
  mutating func append(_ value: Double, at time: Double, removed: (Double) -> Void = { _ in }) {
    while count > 0, isFull(at: time) {
      removed(values[oldest])
      oldest = oldest + 1 == values.count ? 0 : oldest + 1
      count -= 1
    }
    if count == values.count { grow() }
    let newest = place(count)
    values[newest] = value
    times[newest] = time
    count += 1
  }

  private func isFull(at time: Double) -> Bool {
    switch length {
    case .frames(let frames): count >= frames
    case .seconds(let seconds): time - times[oldest] >= seconds - Debouncer.tolerance
    }
  }

  private func place(_ index: Int) -> Int {
    let place = oldest + index
    return place < values.count ? place : place - values.count
  }

  private mutating func grow() {
    let order = (0..<count).map(place)
    let room = repeatElement(0.0, count: count)
    values = order.map { values[$0] } + room
    times = order.map { times[$0] } + room
    oldest = 0
  }
}

/// The newest samples of a signal in order of size.
struct SortedWindow: Sendable {
  private var window: SampleWindow
  private var sorted: [Double] = []

  /// Makes an empty window.
  init(_ length: WindowLength) {
    window = SampleWindow(length)
    sorted.reserveCapacity(length.expectedCount + 1)
  }

  /// Empties the window.
  mutating func removeAll() {
    window.removeAll()
    sorted.removeAll(keepingCapacity: true)
  }

  /// Adds a sample after removing those that are too old by then.
  ///
  /// - Complexity: O(samples).
  mutating func append(_ value: Double, at time: Double) {
    var leaving: Double?
    window.append(value, at: time) { old in
      if let earlier = leaving { sorted.remove(at: Self.place(of: earlier, in: sorted)) }
      leaving = old
    }
    guard let leaving else {
      sorted.insert(value, at: Self.place(of: value, in: sorted))
      return
    }
    replace(leaving, by: value)
  }

  /// Takes a sample out and puts another one in: only those between them move.
  private mutating func replace(_ old: Double, by value: Double) {
    var place = Self.place(of: old, in: sorted)
    sorted.withUnsafeMutableBufferPointer { sorted in
      while place + 1 < sorted.count, sorted[place + 1] < value {
        sorted[place] = sorted[place + 1]
        place += 1
      }
      while place > 0, sorted[place - 1] >= value {
        sorted[place] = sorted[place - 1]
        place -= 1
      }
      sorted[place] = value
    }
  }

  /// The middle sample; for an even count, the mean of the two middle ones.
  ///
  /// - Precondition: there is at least one sample.
  var median: Double {
    let half = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[half - 1] + sorted[half]) / 2 : sorted[half]
  }

  /// The median of the distances from a center within the samples' range.
  ///
  /// - Complexity: O(samples): distances grow outward from the center, so two pointers that move
  ///   away from it meet them in order.
  func medianDeviation(from center: Double) -> Double {
    var right = Self.place(of: center, in: sorted)
    var left = right - 1
    let half = sorted.count / 2
    var before = 0.0
    var last = 0.0
    for _ in 0...half {
      before = last
      let below = left >= 0 ? center - sorted[left] : .infinity
      let above = right < sorted.count ? sorted[right] - center : .infinity
      if below <= above { left -= 1 } else { right += 1 }
      last = min(below, above)
    }
    return sorted.count.isMultiple(of: 2) ? (before + last) / 2 : last
  }

  /// The first place whose number is not below a value.
  private static func place(of value: Double, in sorted: [Double]) -> Int {
    sorted.partitioningIndex { $0 >= value }
  }
}

/// How much of the past a window covers.
enum WindowLength: Hashable, Sendable {
  /// The newest samples, this many.
  case frames(Int)
  /// The samples of the newest stretch of time, without its older end.
  case seconds(Double)

  /// Converts the alternative that settings chose.
  init(_ settings: StrategySettings<SmoothingKind>) {
    self =
      settings[.windowSeconds].map(WindowLength.seconds)
      ?? .frames(Int(settings.value(.windowFrames)))
  }

  /// The initial room: enough for 60 samples per second.
  var expectedCount: Int {
    switch self {
    case .frames(let count): count
    case .seconds(let seconds): Int((seconds * 60).rounded(.up)) + 2
    }
  }
}
