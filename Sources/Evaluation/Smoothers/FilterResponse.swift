package import PoseModel
internal import Statistics

/// Filters timed values to one value per frame; nil means that a frame has no output.
///
/// Times may be uneven; every call starts without memory.
package typealias SignalFilter = (_ times: [Double], _ values: [Double]) -> [Double?]

package struct LinearResponse: Hashable, Sendable {
  /// The lag of slow movements: sum h_k k / sum h_k, times the frame interval.
  package let groupDelay: Seconds
  /// sqrt(sum h_k^2): the standard deviation of white noise after the smoother, divided by that
  /// before it.
  package let noiseGain: Double
  /// sum h_k: the gain of a constant, which is 1 for a smoother.
  package let constantGain: Double

  /// Measures an impulse response; nil if the smoother is not linear or skips frames.
  ///
  /// A smoother is linear if it maps sums to sums and multiples to multiples on seeded noise, to a
  /// billionth. The impulse comes after a long constant, so that the warm-up is over. Values later
  /// than `memory` are ignored.
  package init?(rate: Hertz, memory: Seconds = Seconds(20), _ filter: SignalFilter) {
    let count = Int((memory.value * rate.value).rounded(.up))
    let times = (0..<2 * count).map { Double($0) / rate.value }
    guard Self.isLinear(times, filter) else { return nil }
    let output = filter(times, times.indices.map { $0 == count ? 1 : 0 }).dropFirst(count)
    let response = output.compactMap(\.self)
    guard response.count == output.count else { return nil }
    let sum = response.reduce(0, +)
    guard sum != 0 else { return nil }
    let moment = response.enumerated().reduce(0) { $0 + Double($1.offset) * $1.element }
    groupDelay = Seconds(moment / sum / rate.value)
    noiseGain = response.reduce(0) { $0 + $1 * $1 }.squareRoot()
    constantGain = sum
  }

  private static func isLinear(_ times: [Double], _ filter: SignalFilter) -> Bool {
    let stream = RandomStream(seed: 1, purpose: "lag.linearity")
    let one = times.map { _ in stream.gaussian() }
    let other = times.map { _ in stream.gaussian() }
    let outputs = (
      filter(times, one), filter(times, other),
      filter(times, zip(one, other).map { 100 * $0 + 3 * $1 })
    )
    for frame in times.indices {
      guard let left = outputs.0[frame], let right = outputs.1[frame],
        let both = outputs.2[frame], abs(100 * left + 3 * right - both) <= 1e-7
      else { return false }
    }
    return true
  }
}

/// The response of a smoother to a jump.
///
/// Times run from the first frame of the new value to the first frame whose output has covered
/// half, or nine tenths, of the jump.
package struct StepResponse: Hashable, Sendable {
  package let halfTime: MetricValue
  package let ninetyTime: MetricValue
  /// How far the output goes beyond the new value, as a share of the jump; 0 if it never does.
  package let overshoot: MetricValue

  /// `height` is the jump in the signal's unit; the response of a nonlinear smoother depends on it.
  ///
  /// The old and the new value each last `settling`.
  package init(
    rate: Hertz, height: Double, settling: Seconds = Seconds(8), _ filter: SignalFilter
  ) {
    let half = Int((settling.value * rate.value).rounded(.up))
    let times = (0..<2 * half).map { Double($0) / rate.value }
    let output = filter(times, times.indices.map { $0 < half ? 0 : height })
    let shares = output.enumerated().dropFirst(half).compactMap { frame, value in
      value.map { (time: times[frame] - times[half], share: $0 / height) }
    }
    func first(_ level: Double) -> MetricValue {
      shares.first { $0.share >= level - 1e-9 }.map { .value($0.time) } ?? .undefined(.neverReached)
    }
    halfTime = first(0.5)
    ninetyTime = first(0.9)
    let greatest = shares.map(\.share).max()
    overshoot = greatest.map { .value(max(0, $0 - 1)) } ?? .undefined(.neverReached)
  }
}

package enum RampLag {
  /// The error at the end of a long ramp divided by the ramp's speed, in seconds.
  ///
  /// `speed` is in the signal's unit per second, not 0; `duration` is long compared with the
  /// smoother's memory.
  package static func measure(
    rate: Hertz, speed: Double, duration: Seconds = Seconds(8), _ filter: SignalFilter
  ) -> MetricValue {
    let count = Int((duration.value * rate.value).rounded(.up)) + 1
    let times = (0..<count).map { Double($0) / rate.value }
    let input = times.map { speed * $0 }
    guard let output = filter(times, input).last, let output, let last = input.last else {
      return .undefined(.neverReached)
    }
    return .value((last - output) / speed)
  }
}

package enum NoiseGain {
  static let samples = 20_000

  /// The standard deviation of noise after a smoother, divided by that before it.
  ///
  /// The noise is x_k = c x_(k-1) + sqrt(1 - c^2) e_k, with seeded normal e_k and the lag-one
  /// correlation c.
  package static func measure(
    rate: Hertz, correlation: Double, deviation: Double, _ filter: SignalFilter
  ) -> MetricValue {
    let stream = RandomStream(seed: 1, purpose: "smoothers.noise")
    let fresh = (1 - correlation * correlation).squareRoot()
    var state = stream.gaussian()
    let times = (0..<samples).map { Double($0) / rate.value }
    let input = times.map { _ -> Double in
      state = correlation * state + fresh * stream.gaussian()
      return deviation * state
    }
    let output = filter(times, input).dropFirst(samples / 20).compactMap(\.self)
    guard output.count > 2 else { return .undefined(.neverReached) }
    return .value(spread(output) / spread(Array(input.dropFirst(samples / 20))))
  }

  private static func spread(_ values: [Double]) -> Double {
    let mean = values.reduce(0, +) / Double(values.count)
    return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)).squareRoot()
  }
}

/// How much a smoother reduces the jitter of measurements in holds.
///
/// Each number is a geometric mean, over the measurements, of the smoothed jitter divided by the
/// raw jitter.
package struct SmootherCalm: Hashable, Sendable, Codable {
  /// The ratio of RMS steps from frame to frame, which show the fast part of the noise.
  package let step: MetricValue
  /// The ratio of robust spreads about each hold's median, which include colored noise and sway.
  package let spread: MetricValue
  package let acceleration: MetricValue

  private enum CodingKeys: String, CodingKey {
    case step = "jitter_ratio"
    case spread = "spread_ratio"
    case acceleration = "acceleration_ratio"
  }

  package init(step: MetricValue, spread: MetricValue, acceleration: MetricValue) {
    self.step = step
    self.spread = spread
    self.acceleration = acceleration
  }

  package init(smoothed: [JitterRow], raw: [JitterRow]) {
    func ratio(_ number: (JitterRow) -> MetricValue) -> MetricValue {
      let pairs = smoothed.compactMap { row -> Double? in
        guard let other = raw.first(where: { $0.signal == row.signal }),
          let above = number(row).number, let below = number(other).number, above > 0, below > 0
        else { return nil }
        return above / below
      }
      guard !pairs.isEmpty else { return .undefined(.noValidPair) }
      return .value(GeometricMean.of(pairs))
    }
    self.init(
      step: ratio(\.rmsStep), spread: ratio(\.robustSpread), acceleration: ratio(\.acceleration))
  }
}

enum GeometricMean {
  static func of(_ values: [Double]) -> Double {
    precondition(!values.isEmpty && values.allSatisfy { $0 > 0 }, "ratios are positive")
    return Exponential.exp(values.reduce(0) { $0 + Exponential.log($1) } / Double(values.count))
  }
}

extension MetricKey {
  package static let ofSmoothers: [MetricKey] =
    AnswerStream.allCases.flatMap { stream in
      [
        Metric.balancedAccuracy, .flickersPerMinute, .falseTransitionsPerMinute, .eventF1, .hitRate,
        .detectionLatencyMedian, .detectionLatencyNinetieth, .releaseLatencyMedian,
      ].map { MetricKey($0, in: stream) }
    } + [Metric.holdError, .longestHoldError].map { MetricKey($0, in: .plank) }
}

extension MetricTable {
  package init(smoothed plank: ScoreView, form: ScoreView) {
    self.init(MetricKey.ofSmoothers) { key in
      key.stream == .plank ? plank.value(key) : form.value(key)
    }
  }
}
