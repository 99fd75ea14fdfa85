public import PoseModel

/// Several steps, one after another, over many signals.
struct FilterChain: Sendable {
  private var banks: [any ChannelBank]

  /// Makes the chain of a strategy's steps on a target.
  init(_ steps: [SmoothingStep], channels count: Int) {
    banks = steps.compactMap { $0.bank(channels: count) }
  }

  /// Whether the chain does nothing.
  var isEmpty: Bool { banks.isEmpty }

  /// Filters the next sample of a channel; NaN for a missing one.
  mutating func update(_ channel: Int, _ value: Double, at time: Double) -> Double {
    var result = value
    for index in banks.indices { result = banks[index].update(channel, result, at: time) }
    return result
  }

  /// Filters the next sample of every channel in place.
  mutating func update(_ samples: UnsafeMutablePointer<Double>, at time: Double) {
    for index in banks.indices { banks[index].update(samples, at: time) }
  }

  /// Forgets the past.
  mutating func reset() {
    for index in banks.indices { banks[index].reset() }
  }
}

/// Many signals through filters of one kind, each with its own state.
protocol ChannelBank: Sendable {
  /// Filters the next sample of a channel.
  mutating func update(_ channel: Int, _ value: Double, at time: Double) -> Double
  /// Filters the next sample of every channel in place.
  mutating func update(_ samples: UnsafeMutablePointer<Double>, at time: Double)
  /// Forgets the past of every channel.
  mutating func reset()
}

/// A bank for one type of filter.
///
/// A chain holds banks of any type, which keeps the compiler from making a copy of the code for each
/// type of filter; the attributes ask for one.
struct FilterBank<Filter: CausalFilter>: ChannelBank {
  private var channels: [FilterChannel<Filter>]
  private var work = Filter.TimeWork()

  /// Makes equal channels without memory.
  init(_ filter: Filter, count: Int) {
    channels = Array(repeating: FilterChannel(filter), count: count)
  }

  @_specialize(where Filter == MovingAverageFilter)
  @_specialize(where Filter == ExponentialFilter)
  @_specialize(where Filter == HoltFilter)
  @_specialize(where Filter == MedianFilter)
  @_specialize(where Filter == HampelFilter)
  @_specialize(where Filter == OneEuroFilter)
  @_specialize(where Filter == EndPointFilter)
  @_specialize(where Filter == ConstantVelocityFilter)
  @_specialize(where Filter == ButterworthFilter)
  @_specialize(where Filter == WindowedExponentialFilter)
  mutating func update(_ channel: Int, _ value: Double, at time: Double) -> Double {
    channels[channel].update(value, at: time, &work)
  }

  @_specialize(where Filter == MovingAverageFilter)
  @_specialize(where Filter == ExponentialFilter)
  @_specialize(where Filter == HoltFilter)
  @_specialize(where Filter == MedianFilter)
  @_specialize(where Filter == HampelFilter)
  @_specialize(where Filter == OneEuroFilter)
  @_specialize(where Filter == EndPointFilter)
  @_specialize(where Filter == ConstantVelocityFilter)
  @_specialize(where Filter == ButterworthFilter)
  @_specialize(where Filter == WindowedExponentialFilter)
  mutating func update(_ samples: UnsafeMutablePointer<Double>, at time: Double) {
    for channel in channels.indices {
      samples[channel] = channels[channel].update(samples[channel], at: time, &work)
    }
  }

  mutating func reset() {
    for channel in channels.indices { channels[channel].reset() }
  }
}

extension SmoothingStep {
  /// A bank of filters for this step; nil for a step that does nothing.
  func bank(channels count: Int) -> (any ChannelBank)? {
    switch settings.kind {
    case .none: nil
    case .movingAverage: FilterBank(MovingAverageFilter(WindowLength(settings)), count: count)
    case .exponential:
      FilterBank(ExponentialFilter(cutoff: settings.value(.cutoff)), count: count)
    case .holt:
      FilterBank(
        HoltFilter(alpha: settings.value(.alpha), beta: settings.value(.beta)), count: count)
    case .median: FilterBank(MedianFilter(WindowLength(settings)), count: count)
    case .hampel:
      FilterBank(
        HampelFilter(WindowLength(settings), threshold: settings.value(.threshold)), count: count)
    case .oneEuro: FilterBank(oneEuro, count: count)
    case .savitzkyGolay:
      FilterBank(
        EndPointFilter(WindowLength(settings), degree: Int(settings.value(.degree))), count: count)
    case .kalman:
      FilterBank(
        ConstantVelocityFilter(
          processNoise: settings.value(.processNoise),
          measurementNoise: settings.value(.measurementNoise)), count: count)
    case .butterworth:
      FilterBank(ButterworthFilter(cutoff: settings.value(.cutoff)), count: count)
    case .mlKit:
      FilterBank(
        WindowedExponentialFilter(
          frames: Int(settings.value(.windowFrames)), alpha: settings.value(.alpha),
          resetGap: settings.value(.resetGap)), count: count)
    }
  }

  private var oneEuro: OneEuroFilter {
    OneEuroFilter(
      minCutoff: settings.value(.minCutoff), beta: settings.value(.beta),
      derivativeCutoff: settings.value(.derivativeCutoff))
  }
}

/// Smooths a single number, frame by frame, with the steps of a strategy.
///
/// It is for signals beside the detector's own: a heart rate, an angle on a display. The detector
/// smooths joints and measurements itself.
public struct SignalSmoother: Sendable {
  private var chain: FilterChain

  /// Makes a smoother; the targets of the steps do not matter here.
  public init(_ strategy: SmoothingStrategy) {
    chain = FilterChain(strategy.steps, channels: 1)
  }

  /// Takes the next sample and returns the smoothed one.
  ///
  /// A missing sample (nil, not finite, or at no finite time) gives nil and changes nothing. After
  /// more than 0.5 s without a sample the filter restarts. A sample at the time of the last one, or
  /// before it, gives the last result again.
  ///
  /// - Complexity: O(samples in the window); nothing is allocated once windows are full.
  public mutating func update(_ value: Double?, at time: Seconds) -> Double? {
    guard time.value.isFinite else { return nil }
    let result = chain.update(0, value ?? .nan, at: time.value)
    return result.isFinite ? result : nil
  }

  /// Forgets the past: the next sample restarts the filter.
  public mutating func reset() { chain.reset() }
}
