public import PoseModel

struct FilterChain: Sendable {
  private var banks: [ChannelBank]
  private var samples: [Lanes]

  init(_ steps: [SmoothingStep], blocks: Int) {
    banks = steps.compactMap { ChannelBank($0.settings, blocks: blocks) }
    samples = Array(repeating: Lanes(repeating: .nan), count: blocks)
  }

  var isEmpty: Bool { banks.isEmpty }

  /// `fill` writes the next samples, with NaN for a missing one, and `use` gets the results.
  ///
  /// An unused lane costs least if its sample always equals that of another lane of its block.
  @inline(__always) mutating func update(
    at time: Double, _ fill: (UnsafeMutablePointer<Lanes>) -> Void,
    _ use: (UnsafePointer<Lanes>) -> Void
  ) {
    samples.withUnsafeMutableBufferPointer { samples in
      guard let first = samples.baseAddress else { return }
      fill(first)
      for index in banks.indices { banks[index].update(first, at: time) }
      use(first)
    }
  }
}

/// An enum, because Embedded Swift has no values of protocol types, and because the compiler then
/// specializes each kind.
private enum ChannelBank: Sendable {
  case movingAverage(FilterBank<MovingAverageFilter>)
  case exponential(FilterBank<ExponentialFilter>)
  case holt(FilterBank<HoltFilter>)
  case median(FilterBank<MedianFilter>)
  case hampel(FilterBank<HampelFilter>)
  case oneEuro(FilterBank<OneEuroFilter>)
  case savitzkyGolay(FilterBank<EndPointFilter>)
  case kalman(FilterBank<ConstantVelocityFilter>)
  case butterworth(FilterBank<ButterworthFilter>)
  case mlKit(FilterBank<WindowedExponentialFilter>)
  case lent

  init?(_ settings: StrategySettings<SmoothingKind>, blocks: Int) {
    func bank<Filter>(_ filter: Filter) -> FilterBank<Filter> { FilterBank(filter, blocks: blocks) }
    switch settings.kind {
    case .none: return nil
    case .movingAverage: self = .movingAverage(bank(MovingAverageFilter(WindowLength(settings))))
    case .exponential:
      self = .exponential(bank(ExponentialFilter(cutoff: settings.value(.cutoff))))
    case .holt:
      self = .holt(
        bank(HoltFilter(alpha: settings.value(.alpha), beta: settings.value(.beta))))
    case .median: self = .median(bank(MedianFilter(WindowLength(settings))))
    case .hampel:
      self = .hampel(
        bank(HampelFilter(WindowLength(settings), threshold: settings.value(.threshold))))
    case .oneEuro:
      self = .oneEuro(
        bank(
          OneEuroFilter(
            minCutoff: settings.value(.minCutoff), beta: settings.value(.beta),
            derivativeCutoff: settings.value(.derivativeCutoff))))
    case .savitzkyGolay:
      self = .savitzkyGolay(
        bank(EndPointFilter(WindowLength(settings), degree: Int(settings.value(.degree)))))
    case .kalman:
      self = .kalman(
        bank(
          ConstantVelocityFilter(
            processNoise: settings.value(.processNoise),
            measurementNoise: settings.value(.measurementNoise))))
    case .butterworth:
      self = .butterworth(bank(ButterworthFilter(cutoff: settings.value(.cutoff))))
    case .mlKit:
      self = .mlKit(
        bank(
          WindowedExponentialFilter(
            frames: Int(settings.value(.windowFrames)), alpha: settings.value(.alpha),
            resetGap: settings.value(.resetGap))))
    }
  }

  mutating func update(_ samples: UnsafeMutablePointer<Lanes>, at time: Double) {
    func lend<Filter>(
      _ bank: consuming FilterBank<Filter>, _ keep: (FilterBank<Filter>) -> ChannelBank
    ) {
      self = .lent
      bank.update(samples, at: time)
      self = keep(bank)
    }
    switch self {
    case .movingAverage(let bank): lend(consume bank, ChannelBank.movingAverage)
    case .exponential(let bank): lend(consume bank, ChannelBank.exponential)
    case .holt(let bank): lend(consume bank, ChannelBank.holt)
    case .median(let bank): lend(consume bank, ChannelBank.median)
    case .hampel(let bank): lend(consume bank, ChannelBank.hampel)
    case .oneEuro(let bank): lend(consume bank, ChannelBank.oneEuro)
    case .savitzkyGolay(let bank): lend(consume bank, ChannelBank.savitzkyGolay)
    case .kalman(let bank): lend(consume bank, ChannelBank.kalman)
    case .butterworth(let bank): lend(consume bank, ChannelBank.butterworth)
    case .mlKit(let bank): lend(consume bank, ChannelBank.mlKit)
    case .lent: break
    }
  }
}

private struct FilterBank<Filter: CausalFilter>: Sendable {
  private var blocks: [FilterBlock<Filter>]
  private var work = Filter.TimeWork()

  init(_ filter: Filter, blocks count: Int) {
    blocks = Array(repeating: FilterBlock(filter), count: count)
  }

  mutating func update(_ samples: UnsafeMutablePointer<Lanes>, at time: Double) {
    guard time.isFinite else {
      for index in blocks.indices { samples[index] = Lanes(repeating: .nan) }
      return
    }
    blocks.withUnsafeMutableBufferPointer { blocks in
      for index in blocks.indices {
        samples[index] = blocks[index].update(samples[index], at: time, &work)
      }
    }
  }
}

/// Smooths a single number, frame by frame, with the steps of a strategy.
///
/// Use it for signals that do not belong to the detector, such as a heart rate or an angle on a
/// display. The detector smooths joints and measurements by itself.
public struct SignalSmoother: Sendable {
  private let strategy: SmoothingStrategy
  private var chain: FilterChain

  /// Starts a smoother with the steps of a strategy, whose targets do not matter.
  public init(_ strategy: SmoothingStrategy) {
    self.strategy = strategy
    chain = FilterChain(strategy.steps, blocks: 1)
  }

  /// Smooths the next sample.
  ///
  /// A sample that is missing (nil or not finite), or whose time is not finite, gives nil and
  /// changes nothing. After more than 0.5 s without a sample, the filter restarts. A sample at or
  /// before the time of the last one gives the last result again.
  ///
  /// - Complexity: O(samples in the window), without allocation once the windows are full.
  public mutating func update(_ value: Double?, at time: Seconds) -> Double? {
    guard time.value.isFinite else { return nil }
    guard !chain.isEmpty else { return value.flatMap { $0.isFinite ? $0 : nil } }
    var result = value ?? .nan
    chain.update(at: time.value) { samples in
      samples[0] = Lanes(repeating: result)
    } _: { smoothed in
      result = smoothed[0][0]
    }
    return result.isFinite ? result : nil
  }

  /// Forgets the past: the next sample restarts the filter.
  public mutating func reset() { self = SignalSmoother(strategy) }
}

/// Each joint is a block, because the lanes of a block must have the same sample times.
struct JointSmoother: Sendable {
  private var chain: FilterChain

  init(_ strategy: SmoothingStrategy) {
    chain = FilterChain(strategy.steps(on: .joints), blocks: Joint.count)
  }

  var isEmpty: Bool { chain.isEmpty }

  @inline(__always) mutating func smooth(
    _ joints: JointReader, at time: Double, _ body: (JointReader) -> Void
  ) {
    chain.update(at: time) { samples in
      joints.write(to: samples)
    } _: { smoothed in
      body(joints.replacing(by: smoothed))
    }
  }

  @inline(__always) mutating func smooth(
    at time: Double, _ fill: (UnsafeMutablePointer<Lanes>) -> Void,
    _ use: (UnsafePointer<Lanes>) -> Void
  ) { chain.update(at: time, fill, use) }
}

/// Rounds measurements to `Float`, as columns store them, and then smooths them.
///
/// Angles that wrap around are unwrapped before smoothing: from 179 to -179 degrees is a step of 2
/// degrees.
struct MeasurementSmoother: Sendable {
  private let fullTurns: [ClosedRange<Double>?]
  private var chain: FilterChain
  private var turns: [AngleUnwrapper]

  init(_ strategy: SmoothingStrategy, _ measurements: [Measurement]) {
    fullTurns = measurements.map { $0.turn }
    let blocks = (measurements.count + Lanes.scalarCount - 1) / Lanes.scalarCount
    chain = FilterChain(strategy.steps(on: .measurements), blocks: blocks)
    turns = Array(repeating: AngleUnwrapper(), count: chain.isEmpty ? 0 : measurements.count)
  }

  var isEmpty: Bool { chain.isEmpty }

  mutating func smooth(_ values: UnsafeMutablePointer<Float>, at time: Double) {
    let (count, lanes) = (fullTurns.count, Lanes.scalarCount)
    chain.update(at: time) { samples in
      for index in 0..<count {
        let sample = Double(values[index])
        let isTurned = fullTurns[index] != nil && !sample.isNaN
        samples[index / lanes][index % lanes] =
          isTurned ? turns[index].unwrap(sample, at: time) : sample
      }
      for index in count..<(count + lanes - 1) / lanes * lanes {
        samples[index / lanes][index % lanes] = samples[(count - 1) / lanes][(count - 1) % lanes]
      }
    } _: { smoothed in
      for index in 0..<count where !values[index].isNaN {
        let value = smoothed[index / lanes][index % lanes]
        values[index] = Float(fullTurns[index].map { AngleUnwrapper.wrap(value, to: $0) } ?? value)
      }
    }
  }
}

struct AngleUnwrapper: Sendable {
  private var last = 0.0
  private var lastUnwrapped = 0.0
  private var lastTime = -Double.infinity

  /// Adds the number of whole turns that brings the sample nearest to the previous one; a gap
  /// restarts the unwrapping.
  mutating func unwrap(_ degrees: Double, at time: Double) -> Double {
    let isAfterGap = !(abs(time - lastTime) <= SmoothingStrategy.largestGap + Debouncer.tolerance)
    let step = degrees - last
    let turned = step - 360 * (step / 360).rounded(.toNearestOrEven)
    lastUnwrapped = isAfterGap ? degrees : lastUnwrapped + turned
    last = degrees
    lastTime = time
    return lastUnwrapped
  }

  static func wrap(_ degrees: Double, to range: ClosedRange<Double>) -> Double {
    if range.contains(degrees) { return degrees }
    let turns = ((degrees - range.lowerBound) / 360).rounded(.down)
    return degrees - 360 * turns
  }
}
