public import PoseModel

/// Several steps, one after another, over many signals.
struct FilterChain: Sendable {
  private var banks: [ChannelBank]

  /// Makes the chain of a strategy's steps on a target.
  init(_ steps: [SmoothingStep], channels count: Int) {
    banks = steps.compactMap { $0.bank(channels: count) }
  }

  /// Whether the chain does nothing.
  var isEmpty: Bool { banks.isEmpty }

  /// Filters the next sample of a channel; NaN for a missing one.
  mutating func update(_ channel: Int, _ value: Double, at time: Double) -> Double {
    var result = value
    withUnsafeMutablePointer(to: &result) { sample in
      let update = ChannelUpdate(samples: sample, channels: channel..<channel + 1, time: time)
      for index in banks.indices { banks[index].perform(update) }
    }
    return result
  }

  /// Filters the next sample of every channel in place.
  mutating func update(_ samples: UnsafeMutableBufferPointer<Double>, at time: Double) {
    guard let first = samples.baseAddress else { return }
    let update = ChannelUpdate(samples: first, channels: samples.indices, time: time)
    for index in banks.indices { banks[index].perform(update) }
  }

  /// Forgets the past.
  mutating func reset() {
    for index in banks.indices { banks[index].perform(ChannelReset()) }
  }
}

/// Many signals through filters of one kind, each with its own state.
///
/// An enum of all kinds: Embedded Swift has no values of protocol types, and the compiler specializes
/// the code for each kind.
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
  /// The filters are in use elsewhere.
  case lent

  /// Performs work on the filters in place.
  mutating func perform(_ work: some ChannelWork) {
    switch self {
    case .movingAverage(let bank): lend(consume bank, to: work, ChannelBank.movingAverage)
    case .exponential(let bank): lend(consume bank, to: work, ChannelBank.exponential)
    case .holt(let bank): lend(consume bank, to: work, ChannelBank.holt)
    case .median(let bank): lend(consume bank, to: work, ChannelBank.median)
    case .hampel(let bank): lend(consume bank, to: work, ChannelBank.hampel)
    case .oneEuro(let bank): lend(consume bank, to: work, ChannelBank.oneEuro)
    case .savitzkyGolay(let bank): lend(consume bank, to: work, ChannelBank.savitzkyGolay)
    case .kalman(let bank): lend(consume bank, to: work, ChannelBank.kalman)
    case .butterworth(let bank): lend(consume bank, to: work, ChannelBank.butterworth)
    case .mlKit(let bank): lend(consume bank, to: work, ChannelBank.mlKit)
    case .lent: break
    }
  }

  /// Moves the filters out for the work and back, so that their arrays are never copied.
  private mutating func lend<Filter>(
    _ bank: consuming FilterBank<Filter>, to work: some ChannelWork,
    _ keep: (FilterBank<Filter>) -> ChannelBank
  ) {
    self = .lent
    work.perform(on: &bank)
    self = keep(bank)
  }
}

/// Filters of one kind, with the results that they share at one time.
private struct FilterBank<Filter: CausalFilter>: Sendable {
  var channels: [FilterChannel<Filter>]
  var work = Filter.TimeWork()

  /// Makes equal channels without memory.
  init(_ filter: Filter, count: Int) {
    channels = Array(repeating: FilterChannel(filter), count: count)
  }
}

/// Work on filters of any kind.
private protocol ChannelWork {
  /// Performs the work on a bank.
  func perform<Filter>(on bank: inout FilterBank<Filter>)
}

/// Filters the next samples of some channels in place.
private struct ChannelUpdate: ChannelWork {
  /// The sample of the first channel; the others follow.
  let samples: UnsafeMutablePointer<Double>
  let channels: Range<Int>
  let time: Double

  func perform<Filter>(on bank: inout FilterBank<Filter>) {
    for channel in channels {
      let place = channel - channels.lowerBound
      samples[place] = bank.channels[channel].update(samples[place], at: time, &bank.work)
    }
  }
}

/// Forgets the past of every channel.
private struct ChannelReset: ChannelWork {
  func perform<Filter>(on bank: inout FilterBank<Filter>) {
    for index in bank.channels.indices { bank.channels[index].reset() }
  }
}

extension SmoothingStep {
  /// A bank of filters for this step; nil for a step that does nothing.
  fileprivate func bank(channels count: Int) -> ChannelBank? {
    switch settings.kind {
    case .none: nil
    case .movingAverage:
      .movingAverage(FilterBank(MovingAverageFilter(WindowLength(settings)), count: count))
    case .exponential:
      .exponential(FilterBank(ExponentialFilter(cutoff: settings.value(.cutoff)), count: count))
    case .holt:
      .holt(
        FilterBank(
          HoltFilter(alpha: settings.value(.alpha), beta: settings.value(.beta)), count: count))
    case .median: .median(FilterBank(MedianFilter(WindowLength(settings)), count: count))
    case .hampel:
      .hampel(
        FilterBank(
          HampelFilter(WindowLength(settings), threshold: settings.value(.threshold)),
          count: count))
    case .oneEuro: .oneEuro(FilterBank(oneEuro, count: count))
    case .savitzkyGolay:
      .savitzkyGolay(
        FilterBank(
          EndPointFilter(WindowLength(settings), degree: Int(settings.value(.degree))),
          count: count))
    case .kalman:
      .kalman(
        FilterBank(
          ConstantVelocityFilter(
            processNoise: settings.value(.processNoise),
            measurementNoise: settings.value(.measurementNoise)), count: count))
    case .butterworth:
      .butterworth(FilterBank(ButterworthFilter(cutoff: settings.value(.cutoff)), count: count))
    case .mlKit: .mlKit(FilterBank(windowedExponential, count: count))
    }
  }

  private var oneEuro: OneEuroFilter {
    OneEuroFilter(
      minCutoff: settings.value(.minCutoff), beta: settings.value(.beta),
      derivativeCutoff: settings.value(.derivativeCutoff))
  }

  private var windowedExponential: WindowedExponentialFilter {
    WindowedExponentialFilter(
      frames: Int(settings.value(.windowFrames)), alpha: settings.value(.alpha),
      resetGap: settings.value(.resetGap))
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
