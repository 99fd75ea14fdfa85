package import PoseModel
internal import Statistics

/// What theory says of a linear smoother at an even frame rate, from its impulse response h.
package struct LinearResponse: Hashable, Sendable {
  /// sum h_k k / sum h_k times the frame interval: the lag of slow movements.
  package let groupDelay: Seconds
  /// sqrt(sum h_k^2): the standard deviation of white noise behind the smoother over that before.
  package let noiseGain: Double
  /// sum h_k: what it makes of a constant; 1 for a smoother.
  package let constantGain: Double

  /// Takes the impulse response of a smoother; nil where it is not linear or lets frames out.
  ///
  /// It is linear if it maps sums to sums and multiples to multiples on seeded noise, to a
  /// billionth; the impulse comes after a long constant, so that warming up is over.
  ///
  /// - Parameters:
  ///   - memory: how long the impulse response may last; what comes later is left out.
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
