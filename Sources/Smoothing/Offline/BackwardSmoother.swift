internal import PoseModel

/// The Rauch-Tung-Striebel smoother of a point at constant velocity.
///
/// Forward, the Kalman filter of `kalman`; backward, G = P F^T P'^-1 and
/// x(k) += G (x(k+1) - x'(k+1)), with ' for predictions. The variances are over the samples'
/// variance, as only the ratio of process noise to it matters.
///
/// Source: Rauch, Tung and Striebel 1965, doi 10.2514/3.3166.
struct BackwardSmoother {
  /// How well the velocity is known at the start, as in the causal filter.
  static let initialTime = 0.1

  private let intensity: Double

  /// Makes a smoother from the density of the acceleration and the deviation of a sample.
  init(processNoise: Double, measurementNoise: Double) {
    intensity = processNoise / (measurementNoise * measurementNoise)
  }

  /// Smooths a signal, NaN where missing.
  func smooth(_ values: [Double], times: [Double]) -> [Double] {
    var result = [Double](repeating: .nan, count: values.count)
    let pieces = SignalPieces.find(values, times: times, largestGap: FrameTiming.longestGap)
    for piece in pieces {
      let smoothed = smooth(piece.map { values[$0] }, at: piece.map { times[$0] })
      for (place, index) in piece.enumerated() { result[index] = smoothed[place] }
    }
    return result
  }

  private func smooth(_ values: [Double], at times: [Double]) -> [Double] {
    var filtered = [State(position: values[0])]
    var predicted = filtered
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

  /// Position and velocity with their variances.
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

    /// The state with what came later; variances are not needed further back.
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
