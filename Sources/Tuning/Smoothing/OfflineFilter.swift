package import PlankDetection
internal import PoseModel
internal import Statistics

extension StrategySettings<OfflineKind> {
  func smooth(_ values: [Double], times: [Double]) -> [Double] {
    func value(_ key: ParameterKey) -> Double { self[key] ?? 0 }
    switch kind {
    case .gaussian:
      let smoother = GaussianSmoother(deviation: value(.gaussianDeviation))
      return SignalPieces.map(
        values, times: times, largestGap: GaussianSmoother.largestGap, smoother.smooth)
    case .rts:
      let smoother = BackwardSmoother(
        processNoise: value(.processNoise), measurementNoise: value(.measurementNoise))
      return SignalPieces.map(
        values, times: times, largestGap: FrameTiming.longestGap, smoother.smooth)
    }
  }
}

/// Filters that look ahead: apps cannot run them, but they show the best that smoothing could
/// achieve.
package enum OfflineKind: String, StrategyKind {
  case gaussian
  case rts

  package static var family: String { "smoothing" }

  package var summary: String {
    switch self {
    case .gaussian: "centered Gaussian window; looks ahead"
    case .rts: "Rauch-Tung-Striebel smoother of the Kalman filter; looks ahead"
    }
  }

  package var parameters: [ParameterDefinition] {
    switch self {
    case .gaussian:
      [
        ParameterDefinition(
          checked: .gaussianDeviation, .seconds, 0.05, 0.001...5,
          "standard deviation of the window")
      ]
    case .rts: SmoothingKind.kalman.parameters
    }
  }
}

extension ParameterKey {
  package static let gaussianDeviation = ParameterKey("deviation")
}

/// The forward-backward Kalman smoother of a point at constant velocity.
///
/// Forward, this is the Kalman filter of `kalman`; backward, G = P F^T P'^-1 and
/// x(k) += G (x(k+1) - x'(k+1)), where ' marks predictions. Variances are relative to that of the
/// measurement noise. Source: Rauch, Tung and Striebel 1965, doi 10.2514/3.3166.
struct BackwardSmoother {
  static let initialTime = 0.1

  private let intensity: Double

  init(processNoise: Double, measurementNoise: Double) {
    intensity = processNoise / (measurementNoise * measurementNoise)
  }

  /// Smooths a piece without gaps.
  func smooth(_ values: [Double], at times: [Double]) -> [Double] {
    var filtered = [State(position: values[0])]
    filtered.reserveCapacity(values.count)
    var predicted = filtered
    predicted.reserveCapacity(values.count)
    for index in values.indices.dropFirst() {
      let interval = times[index] - times[index - 1]
      let next = filtered[index - 1].predicted(after: interval, intensity)
      predicted.append(next)
      filtered.append(next.updated(values[index]))
    }
    var later = filtered[values.count - 1]
    var result = values
    result[values.count - 1] = later.position
    for index in values.indices.dropLast().reversed() {
      let interval = times[index + 1] - times[index]
      later = filtered[index].smoothed(by: later, predicted: predicted[index + 1], interval)
      result[index] = later.position
    }
    return result
  }

  private struct State {
    var position: Double
    var velocity = 0.0
    var a = 1.0
    var b = 0.0
    var c = 1 / (BackwardSmoother.initialTime * BackwardSmoother.initialTime)

    func predicted(after interval: Double, _ intensity: Double) -> State {
      let square = interval * interval
      return State(
        position: position + velocity * interval, velocity: velocity,
        a: a + 2 * interval * b + square * c + intensity * square * interval / 3,
        b: b + interval * c + intensity * square / 2, c: c + intensity * interval)
    }

    func updated(_ value: Double) -> State {
      let gain = a / (a + 1)
      let velocityGain = b / (a + 1)
      let residual = value - position
      return State(
        position: position + gain * residual, velocity: velocity + velocityGain * residual,
        a: a * (1 - gain), b: b * (1 - gain), c: c - velocityGain * b)
    }

    func smoothed(by later: State, predicted: State, _ interval: Double) -> State {
      let determinant = predicted.a * predicted.c - predicted.b * predicted.b
      let crossed = (a + interval * b, b + interval * c)
      let position = later.position - predicted.position
      let velocity = later.velocity - predicted.velocity
      let first = (predicted.c * position - predicted.b * velocity) / determinant
      let second = (predicted.a * velocity - predicted.b * position) / determinant
      var result = self
      result.position += crossed.0 * first + b * second
      result.velocity += crossed.1 * first + c * second
      return result
    }
  }
}

/// The window needs an even grid, so each uneven piece without a gap of more than 0.25 s is
/// interpolated linearly at its median interval, filtered, and interpolated back.
struct GaussianSmoother {
  static let largestGap = 0.25

  let deviation: Double

  func smooth(_ values: [Double], at times: [Double]) -> [Double] {
    guard values.count > 2, let first = times.first, let last = times.last else { return values }
    let intervals = zip(times.dropFirst(), times).map { $0 - $1 }
    var reordered = intervals
    guard let interval = Description.value(ranked: intervals.count / 2, reordering: &reordered)
    else { return values }
    let window = CenteredGaussian(deviationInSamples: deviation / interval)
    if intervals.allSatisfy({ abs($0 - interval) <= 1e-4 * interval }) {
      return window.smooth(values)
    }
    let count = Int(((last - first) / interval).rounded()) + 1
    let step = (last - first) / Double(max(1, count - 1))
    let grid = (0..<count).map { first + Double($0) * step }
    let even = UniformResampling.interpolated(values, at: times, onto: grid)
    return UniformResampling.interpolated(window.smooth(even), at: grid, onto: times)
  }
}

enum SignalPieces {
  static func map(
    _ values: [Double], times: [Double], largestGap: Double,
    _ smooth: (_ values: [Double], _ times: [Double]) -> [Double]
  ) -> [Double] {
    var result = [Double](repeating: .nan, count: values.count)
    for piece in find(values, times: times, largestGap: largestGap) {
      let smoothed = smooth(piece.map { values[$0] }, piece.map { times[$0] })
      for (place, index) in piece.enumerated() { result[index] = smoothed[place] }
    }
    return result
  }

  private static func find(_ values: [Double], times: [Double], largestGap: Double) -> [[Int]] {
    var pieces: [[Int]] = []
    for index in values.indices where values[index].isFinite && times[index].isFinite {
      if let last = pieces.last?.last, times[index] - times[last] <= largestGap + FrameTiming.slack
      {
        pieces[pieces.count - 1].append(index)
      } else {
        pieces.append([index])
      }
    }
    return pieces
  }
}
