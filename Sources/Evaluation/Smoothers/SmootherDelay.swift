package import PoseModel

package struct SmootherDelay: Hashable, Sendable, Codable {
  package let lag: MetricValue
  /// The lag behind the measurements at the starts, ends and changes of planks; undefined if there
  /// are none.
  package let entries: MetricValue
  /// The lag behind a smooth, noise-free movement of 0.3 units within a second.
  package let movement: MetricValue
  package let halfTime: MetricValue
  package let ninetyTime: MetricValue
  package let overshoot: MetricValue
  package let ramps: [MetricValue]
  /// The theoretical group delay for slow movements; undefined if the smoother is not linear.
  package let groupDelay: MetricValue
  /// The standard deviation of white noise that remains, as a share of the input.
  ///
  /// It is theoretical if the smoother is linear, otherwise measured over 20,000 samples.
  package let whiteGain: MetricValue
  /// The share that remains of noise with a lag-one correlation of 0.95, measured over 20,000
  /// samples.
  package let coloredGain: MetricValue

  private enum CodingKeys: String, SnakeCaseKey {
    case lag = "lag_s"
    case entries = "lag_at_entries_s"
    case movement = "lag_of_movement_s"
    case halfTime = "step_t50_s"
    case ninetyTime = "step_t90_s"
    case overshoot
    case ramps = "ramps_s"
    case groupDelay = "group_delay_s"
    case whiteGain, coloredGain
  }

  package init(
    entries: MetricValue, movement: MetricValue, halfTime: MetricValue, ninetyTime: MetricValue,
    overshoot: MetricValue, ramps: [MetricValue], groupDelay: MetricValue,
    whiteGain: MetricValue, coloredGain: MetricValue
  ) {
    lag = entries.number == nil ? movement : entries
    self.entries = entries
    self.movement = movement
    self.halfTime = halfTime
    self.ninetyTime = ninetyTime
    self.overshoot = overshoot
    self.ramps = ramps
    self.groupDelay = groupDelay
    self.whiteGain = whiteGain
    self.coloredGain = coloredGain
  }
}

extension SmootherDelay {
  package static let rampSpeeds = [0.05, 0.3, 1.5]

  /// Measures only the lag, for searches that need it thousands of times.
  ///
  /// If `entries` is undefined, the lag behind a reference movement is measured instead.
  package init(lagOnly entries: MetricValue, rate: Hertz, _ filter: SignalFilter) {
    let rest = MetricValue.undefined(.notMeasured)
    self.init(
      entries: entries,
      movement: entries.number == nil ? ReferenceMovement.lag(rate: rate, filter) : rest,
      halfTime: rest, ninetyTime: rest, overshoot: rest, ramps: Self.rampSpeeds.map { _ in rest },
      groupDelay: rest, whiteGain: rest, coloredGain: rest)
  }

  /// `entries` is the lag on a dataset's own transitions; `noise` is the standard deviation of the
  /// test noise, in the signal's unit.
  package init(entries: MetricValue, rate: Hertz, noise: Double, _ filter: @escaping SignalFilter) {
    let step = StepResponse(rate: rate, height: ReferenceMovement.distance, filter)
    let linear = LinearResponse(rate: rate, memory: Seconds(10), filter)
    self.init(
      entries: entries, movement: ReferenceMovement.lag(rate: rate, filter),
      halfTime: step.halfTime, ninetyTime: step.ninetyTime, overshoot: step.overshoot,
      ramps: Self.rampSpeeds.map { RampLag.measure(rate: rate, speed: $0, filter) },
      groupDelay: linear.map { .value($0.groupDelay.value) } ?? .undefined(.notLinear),
      whiteGain: linear.map { .value($0.noiseGain) }
        ?? NoiseGain.measure(rate: rate, correlation: 0, deviation: noise, filter),
      coloredGain: NoiseGain.measure(rate: rate, correlation: 0.95, deviation: noise, filter))
  }
}

/// A movement without noise from rest to rest, for testing smoothers.
///
/// The share of the way is x(s) = 10 s^3 - 15 s^4 + 6 s^5, the minimum-jerk path (Flash and Hogan
/// 1985, J Neurosci 5(7):1688).
package enum ReferenceMovement {
  package static let distance = 0.3
  package static let duration = 1.0
  static let rest = 4.0

  package static func lag(rate: Hertz, _ filter: SignalFilter) -> MetricValue {
    let count = Int(((2 * rest + duration) * rate.value).rounded(.up))
    let times = (0..<count).map { Double($0) / rate.value }
    let input = times.map { position(at: $0 - rest) }
    let estimate = LagEstimate(
      input: input, output: filter(times, input), interval: Seconds(1 / rate.value))
    guard let estimate else { return .undefined(.neverReached) }
    return estimate.isAtLimit ? .undefined(.beyondSearch) : .value(estimate.lag.value)
  }

  package static func position(at time: Double) -> Double {
    let s = min(1, max(0, time / duration))
    return distance * s * s * s * (10 + s * (6 * s - 15))
  }
}

/// The lag k with the smallest mean of (y_i - x_(i-k))^2 over one window of frames.
///
/// The window is the same for every k; a parabola gives the fraction of a frame. The plain
/// cross-correlation is not used: for signals like random walks, the zeros beyond the ends move its
/// maximum away from the true shift.
package struct LagEstimate: Hashable, Sendable {
  package let frames: Double
  package let lag: Seconds
  package let meanSquare: Double
  /// Whether the lag is the longest one tried, so that the true lag may be longer.
  package let isAtLimit: Bool

  /// Estimates a lag; nil if fewer than three frames count or the input does not vary.
  ///
  /// A frame counts if it has an output, and inputs at all lags of the search. Values are evenly
  /// timed, nil or NaN if missing.
  ///
  /// - Complexity: O(frames x lags).
  package init?(
    input: [Double], output: [Double?], interval: Seconds, longest: Seconds = Seconds(1)
  ) {
    precondition(input.count == output.count && interval.value > 0, "one output per input")
    let most = max(1, Int(min((longest.value / interval.value + 1e-9).rounded(.down), mostLags)))
    let window = Self.window(input, output, most)
    guard window.count >= 3, Set(window.map { input[$0.frame] }).count > 1 else { return nil }
    let errors = (-1...most).map { lag in
      window.reduce(0) { sum, point in
        let difference = point.output - input[point.frame - lag]
        return sum + difference * difference
      } / Double(window.count)
    }
    let best = Self.best(errors)
    isAtLimit = Self.isAtLimit(errors)
    frames = Self.least(errors)
    lag = Seconds(frames * interval.value)
    meanSquare = errors[best]
  }

  static func isAtLimit(_ errors: [Double]) -> Bool { best(errors) == errors.count - 1 }

  /// The first error is that of a lag of -1 and serves only the parabola.
  static func least(_ errors: [Double]) -> Double {
    let best = best(errors)
    return Double(best - 1) + (best == errors.count - 1 ? 0 : vertex(errors, best))
  }

  private static func best(_ errors: [Double]) -> Int {
    var best = 1
    for index in errors.indices.dropFirst() where errors[index] < errors[best] { best = index }
    return best
  }

  private static func window(
    _ input: [Double], _ output: [Double?], _ most: Int
  ) -> [(frame: Int, output: Double)] {
    guard input.count > most + 1 else { return [] }
    var lastMissing = input[0].isFinite ? -1 : 0
    var window: [(frame: Int, output: Double)] = []
    for frame in 0..<input.count - 1 {
      if !input[frame + 1].isFinite { lastMissing = frame + 1 }
      if frame - most > lastMissing, let value = output[frame], value.isFinite {
        window.append((frame, value))
      }
    }
    return window
  }

  private static func vertex(_ values: [Double], _ index: Int) -> Double {
    let (before, here, after) = (values[index - 1], values[index], values[index + 1])
    let bend = before - 2 * here + after
    guard bend > 0 else { return 0 }
    return min(0.5, max(-0.5, 0.5 * (before - after) / bend))
  }
}

/// The largest number of lags that are tried, whatever the frame interval: one second at 10 kHz.
let mostLags = 1e4

/// The lag of smoothers at the true transitions of a dataset.
///
/// It is the lag of `LagEstimate`, with one sum of squares over all windows from 2 s before to 2 s
/// after each transition. The reference is a smoothing that looks ahead and has no lag of its own,
/// because noise shared with the output would pull the lag toward 0. Each measurement is weighted
/// by the inverse of its variance in the windows.
package struct EntryLags: Hashable, Sendable {
  /// How much time before and after a transition counts, in seconds.
  package static let reach = 2.0
  package static let longest = Seconds(1)

  private let interval: Double
  private let smoothers: Int
  private var sums: [String: EntrySums] = [:]

  /// - Parameter interval: the step between lags, which is the median frame interval of the
  ///   dataset.
  package init(interval: Seconds, smoothers: Int) {
    self.interval = interval.value
    self.smoothers = smoothers
  }

  private var most: Int {
    max(1, Int(min((Self.longest.value / interval + 1e-9).rounded(.down), mostLags)))
  }

  package struct Signal {
    let name: String
    let reference: [Float]
    let outputs: [[Float]]

    package init(name: String, reference: [Float], outputs: [[Float]]) {
      self.name = name
      self.reference = reference
      self.outputs = outputs
    }
  }

  /// Adds one sequence; a frame counts if it has an output, and reference values at all lags.
  package mutating func add(times: [Double], transitions: [Int], _ signals: [Signal]) {
    precondition(
      signals.allSatisfy { $0.outputs.count == smoothers }, "every smoother has an output")
    let lags = most + 2
    var sums = signals.map { self.sums[$0.name] ?? EntrySums(smoothers: smoothers, lags: lags) }
    var places = LaggedPlaces(count: lags)
    var references = Array(repeating: 0.0, count: lags)
    var next = 0
    for transition in transitions {
      let near = times[transition]
      var frame = transition
      while frame > next, near - times[frame - 1] <= Self.reach { frame -= 1 }
      frame = max(frame, next)
      while frame < times.count, times[frame] - near <= Self.reach {
        if places.find(at: frame, of: times, step: interval) {
          for (index, signal) in signals.enumerated()
          where places.read(signal.reference, into: &references) {
            sums[index].add(signal.outputs, at: frame, references)
          }
        }
        frame += 1
      }
      next = max(next, frame)
    }
    for (signal, sum) in zip(signals, sums) { self.sums[signal.name] = sum }
  }

  package var lags: [MetricValue] { (0..<smoothers).map(lag) }

  private func lag(of smoother: Int) -> MetricValue {
    var errors = [Double](repeating: 0, count: most + 2)
    var isEmpty = true
    for (_, sum) in sums.sorted(by: { $0.key < $1.key }) {
      guard let shares = sum.shares(of: smoother) else { continue }
      isEmpty = false
      for (index, share) in shares.enumerated() { errors[index] += share }
    }
    guard !isEmpty else { return .undefined(.noTrueEvent) }
    guard !LagEstimate.isAtLimit(errors) else { return .undefined(.beyondSearch) }
    return .value(LagEstimate.least(errors) * interval)
  }
}

private struct EntrySums: Hashable {
  private struct Moments: Hashable {
    var count = 0
    var total = 0.0
    var squares = 0.0
  }

  private var squares: [Double]
  private var moments: [Moments]

  init(smoothers: Int, lags: Int) {
    squares = Array(repeating: 0, count: smoothers * lags)
    moments = Array(repeating: Moments(), count: smoothers)
  }

  mutating func add(_ outputs: [[Float]], at frame: Int, _ references: [Double]) {
    let here = references[1]
    squares.withUnsafeMutableBufferPointer { squares in
      references.withUnsafeBufferPointer { references in
        guard var row = squares.baseAddress, let past = references.baseAddress else { return }
        for smoother in outputs.indices {
          let output = Double(outputs[smoother][frame])
          if output.isFinite {
            for lag in 0..<references.count {
              let difference = output - past[lag]
              row[lag] += difference * difference
            }
            moments[smoother].count += 1
            moments[smoother].total += here
            moments[smoother].squares += here * here
          }
          row += references.count
        }
      }
    }
  }

  func shares(of smoother: Int) -> [Double]? {
    let own = moments[smoother]
    guard own.count >= 3 else { return nil }
    let mean = own.total / Double(own.count)
    let variance = own.squares / Double(own.count) - mean * mean
    guard variance > 0 else { return nil }
    let lags = squares.count / moments.count
    return squares[smoother * lags..<(smoother + 1) * lags].map {
      $0 / Double(own.count) / variance
    }
  }
}

private struct LaggedPlaces {
  private static let longestGap = 0.5

  private var places: [(frame: Int, since: Double, gap: Double)]

  init(count: Int) { places = Array(repeating: (0, 0, 0), count: count) }

  mutating func find(at frame: Int, of times: [Double], step: Double) -> Bool {
    var index = frame
    while index + 1 < times.count, times[index + 1] < times[frame] + step { index += 1 }
    for place in places.indices {
      let time = times[frame] - Double(place - 1) * step
      while index > 0, times[index] > time { index -= 1 }
      if times[index] == time {
        places[place] = (index, 0, 0)
        continue
      }
      guard times[index] < time, index + 1 < times.count else { return false }
      let gap = times[index + 1] - times[index]
      guard gap <= Self.longestGap else { return false }
      places[place] = (index, time - times[index], gap)
    }
    return true
  }

  func read(_ column: [Float], into values: inout [Double]) -> Bool {
    for (index, place) in places.enumerated() {
      let here = Double(column[place.frame])
      let value =
        place.gap == 0
        ? here : here + (Double(column[place.frame + 1]) - here) * place.since / place.gap
      guard value.isFinite else { return false }
      values[index] = value
    }
    return true
  }
}
