import Foundation

@testable import PlankDetection

/// One signal through one filter, written as plainly as the definitions in docs/smoothing.md: lists
/// of samples, one number at a time.
///
/// Its arithmetic has the order of the library's, so that results can be compared to the bit.
struct PlainSmoother {
  private let settings: StrategySettings<SmoothingKind>
  private var samples: [(value: Double, time: Double)] = []
  private var state: [Double] = []
  private var lastTime = -Double.infinity
  private var lastOutput = Double.nan

  init(_ step: SmoothingStep) { settings = step.settings }

  mutating func update(_ value: Double?, at time: Double) -> Double? {
    guard let value, value.isFinite, time.isFinite else { return nil }
    guard settings.kind != .none else { return value }
    let interval = time - lastTime
    if abs(interval) > 0.5 + 1e-9 {
      lastOutput = start(value, at: time)
    } else {
      guard interval > 0 else { return lastOutput }
      lastOutput = next(value, at: time, interval)
      if !lastOutput.isFinite { lastOutput = start(value, at: time) }
    }
    lastTime = time
    return lastOutput
  }

  private mutating func start(_ value: Double, at time: Double) -> Double {
    samples = [(value, time)]
    switch settings.kind {
    case .butterworth: state = [0, value]
    case .kalman: state = [value, 0, 1, 0, 1 / (0.1 * 0.1)]
    default: state = [value, 0]
    }
    return value
  }

  private subscript(key: ParameterKey) -> Double { settings[key] ?? .nan }

  private mutating func next(_ x: Double, at time: Double, _ dt: Double) -> Double {
    switch settings.kind {
    case .none: return x
    case .exponential:
      state[0] += -expm1(-2 * Double.pi * self[.cutoff] * dt) * (x - state[0])
      return state[0]
    case .holt: return holt(x, dt)
    case .oneEuro: return oneEuro(x, dt)
    case .butterworth: return butterworth(x, dt)
    case .kalman: return kalman(x, dt)
    case .mlKit where dt > self[.resetGap] + 1e-9: return start(x, at: time)
    default: return window(x, at: time)
    }
  }

  private mutating func holt(_ x: Double, _ dt: Double) -> Double {
    let (alpha, beta) = (self[.alpha], self[.beta])
    let predicted = state[0] + state[1] * dt
    let level = predicted + alpha * (x - predicted)
    state[1] = beta * (level - state[0]) / dt + (1 - beta) * state[1]
    state[0] = level
    return level
  }

  private mutating func oneEuro(_ x: Double, _ dt: Double) -> Double {
    func weight(_ cutoff: Double) -> Double { 1 / (1 + 1 / (2 * Double.pi * cutoff * dt)) }
    let speed = (x - state[0]) / dt
    state[1] += weight(self[.derivativeCutoff]) * (speed - state[1])
    state[0] += weight(self[.minCutoff] + self[.beta] * abs(state[1])) * (x - state[0])
    return state[0]
  }

  private mutating func butterworth(_ x: Double, _ dt: Double) -> Double {
    let gain = tan(Double.pi * min(self[.cutoff] * dt, 0.45))
    let scale = 1 / (1 + gain * (gain + 2.0.squareRoot()))
    let band = scale * (state[0] + gain * (x - state[1]))
    let low = state[1] + gain * band
    state = [2 * band - state[0], 2 * low - state[1]]
    return low
  }

  private mutating func kalman(_ x: Double, _ dt: Double) -> Double {
    let q = self[.processNoise] / (self[.measurementNoise] * self[.measurementNoise])
    var (p, c, v) = (state[2], state[3], state[4])
    let position = state[0] + state[1] * dt
    p += 2 * dt * c + dt * dt * v + q * (dt * dt) * dt / 3
    c += dt * v + q * (dt * dt) / 2
    v += q * dt
    let scale = 1 / (p + 1)
    let (gain, velocityGain) = (p * scale, c * scale)
    state = [
      position + gain * (x - position), state[1] + velocityGain * (x - position),
      p * (1 - gain), c * (1 - gain), v - velocityGain * c,
    ]
    return state[0]
  }

  private mutating func window(_ x: Double, at time: Double) -> Double {
    if let seconds = settings[.windowSeconds] {
      samples.removeAll { time - $0.time >= seconds - 1e-9 }
    } else if samples.count == Int(self[.windowFrames]) {
      samples.removeFirst()
    }
    samples.append((x, time))
    let values = samples.map(\.value)
    switch settings.kind {
    case .median: return Self.median(values)
    case .hampel:
      let middle = Self.median(values)
      let spread = 1.4826 * Self.median(values.map { abs($0 - middle) })
      return abs(x - middle) > self[.threshold] * spread ? middle : x
    case .mlKit:
      var (sum, weights, weight) = (0.0, 0.0, 1.0)
      for value in values.reversed() {
        sum += weight * value
        weights += weight
        weight *= 1 - self[.alpha]
      }
      return sum / weights
    case .savitzkyGolay: return polynomial(values, samples.map(\.time))
    default: return values.reversed().reduce(0, +) / Double(values.count)
    }
  }

  private static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let half = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[half - 1] + sorted[half]) / 2 : sorted[half]
  }

  /// The least-squares polynomial at the newest time, by orthogonal polynomials (Forsythe 1957).
  private func polynomial(_ values: [Double], _ times: [Double]) -> Double {
    let newest = times[times.count - 1]
    guard newest > times[0] else { return values[values.count - 1] }
    let scale = 1 / (newest - times[0])
    var (shifts, ratios, lastSquares): ([Double], [Double], Double) = ([], [], 1)
    func value(_ place: Double) -> Double {
      var (before, value) = (0.0, 1.0)
      for (shift, ratio) in zip(shifts, ratios) {
        (before, value) = (value, (place - shift) * value - ratio * before)
      }
      return value
    }
    var weights = values.map { _ in 0.0 }
    for order in 0...min(Int(self[.degree]), values.count - 1) {
      let places = times.map { ($0 - newest) * scale }
      var (squares, moment) = (0.0, 0.0)
      for place in places.reversed() {
        let polynomial = value(place)
        squares += polynomial * polynomial
        moment += place * polynomial * polynomial
      }
      weights = zip(weights, places).map { $0 + value($1) * (value(0) / squares) }
      shifts.append(moment / squares)
      ratios.append(order == 0 ? 0 : squares / lastSquares)
      lastSquares = squares
    }
    return zip(weights, values).reversed().reduce(0) { $0 + $1.0 * $1.1 }
  }
}
