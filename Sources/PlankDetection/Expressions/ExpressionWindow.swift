import PoseModel

/// The samples in the window of `speed`, `range` or `relative`, with the gap rules of
/// `FilterBlock`.
struct ExpressionWindow: Sendable {
  enum Kind: Hashable, Sendable {
    /// The slope of the least-squares line, per second.
    case speed
    case range
    /// The sample minus the median of the first samples.
    case relative
  }

  struct Settings: Hashable, Sendable {
    let kind: Kind
    let seconds: Double
    let turns: Bool
  }

  private let settings: Settings
  private var samples: SampleWindow
  private var first: [Double]
  private var unwrapper = AngleUnwrapper()
  private var start = 0.0
  private var baseline = Double.nan
  private var lastTime = -Double.infinity
  private var lastResult = Double.nan

  init(_ settings: Settings) {
    self.settings = settings
    let length = WindowLength.seconds(settings.seconds)
    samples = SampleWindow(settings.kind == .relative ? .frames(1) : length)
    first = []
    if settings.kind == .relative { first.reserveCapacity(length.expectedCount) }
  }

  /// Returns the window's result, or NaN if there is none.
  ///
  /// - Complexity: O(samples in the window), without allocation at up to 60 samples per second.
  mutating func update(_ value: Double, at time: Double) -> Double {
    guard value.isFinite, time.isFinite else { return .nan }
    let interval = time - lastTime
    if abs(interval) > SmoothingStrategy.largestGap + Debouncer.tolerance {
      samples.removeAll()
      first.removeAll(keepingCapacity: true)
      unwrapper = AngleUnwrapper()
      baseline = .nan
      start = time
    } else if interval <= 0 {
      return lastResult
    }
    lastTime = time
    let sample = settings.turns ? unwrapper.unwrap(value, at: time) : value
    lastResult = settings.kind == .relative ? relative(sample, time) : recent(sample, time)
    return lastResult
  }

  private mutating func recent(_ sample: Double, _ time: Double) -> Double {
    samples.append(sample, at: time)
    let span = time - samples.time(age: samples.count - 1)
    guard span >= settings.seconds / 2 - Debouncer.tolerance, span > 0 else { return .nan }
    return settings.kind == .speed ? slope : spread
  }

  private var slope: Double {
    let (newest, latest) = (samples.time(age: 0), samples.value(age: 0))
    var (times, values) = (0.0, 0.0)
    for age in 0..<samples.count {
      times += samples.time(age: age) - newest
      values += samples.value(age: age) - latest
    }
    let (meanTime, mean) = (times / Double(samples.count), values / Double(samples.count))
    var (moment, squares) = (0.0, 0.0)
    for age in 0..<samples.count {
      let time = samples.time(age: age) - newest - meanTime
      moment += time * (samples.value(age: age) - latest - mean)
      squares += time * time
    }
    return moment / squares
  }

  private var spread: Double {
    var (low, high) = (samples.value(age: 0), samples.value(age: 0))
    for age in 1..<samples.count {
      low = min(low, samples.value(age: age))
      high = max(high, samples.value(age: age))
    }
    return high - low
  }

  private mutating func relative(_ sample: Double, _ time: Double) -> Double {
    if baseline.isNaN {
      guard time - start >= settings.seconds - Debouncer.tolerance else {
        first.insert(sample, at: place(of: sample))
        return .nan
      }
      baseline = first.middle ?? .nan
    }
    let difference = sample - baseline
    return settings.turns ? AngleUnwrapper.wrap(difference, to: -180...180) : difference
  }

  private func place(of value: Double) -> Int { first.partitioningIndex { $0 >= value } }
}

struct SampleWindow: Sendable {
  private let length: WindowLength
  private var values: [Double]
  private var times: [Double]
  private var oldest = 0
  private(set) var count = 0

  init(_ length: WindowLength) {
    self.length = length
    values = Array(repeating: 0, count: max(1, length.expectedCount))
    times = values
  }

  func value(age: Int) -> Double { values[place(count - 1 - age)] }

  func time(age: Int) -> Double { times[place(count - 1 - age)] }

  mutating func removeAll() {
    oldest = 0
    count = 0
  }

  mutating func append(_ value: Double, at time: Double) {
    while count > 0, isFull(at: time) {
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
