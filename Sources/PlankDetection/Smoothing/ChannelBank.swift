/// Many signals through filters of one kind, each with a state of its own.
protocol ChannelBank: Sendable {
  /// Filters the next sample of a channel.
  mutating func update(_ channel: Int, _ value: Double, at time: Double) -> Double
  /// Filters the next sample of every channel in place.
  mutating func update(_ samples: UnsafeMutablePointer<Double>, at time: Double)
  /// Forgets the past of every channel.
  mutating func reset()
}

/// A bank for one type of filter.
struct FilterBank<Filter: CausalFilter>: ChannelBank {
  private var channels: [FilterChannel<Filter>]

  /// Makes equal channels without a past.
  init(_ filter: Filter, count: Int) {
    channels = Array(repeating: FilterChannel(filter), count: count)
  }

  mutating func update(_ channel: Int, _ value: Double, at time: Double) -> Double {
    channels[channel].update(value, at: time)
  }

  mutating func update(_ samples: UnsafeMutablePointer<Double>, at time: Double) {
    for channel in channels.indices {
      samples[channel] = channels[channel].update(samples[channel], at: time)
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
