internal import CGSL

/// How smooth the speed of one movement is; both numbers are meant for discrete movements, from
/// rest to rest: on a static hold they describe the noise; they are shown, never judged.
package enum MovementSmoothness {
  /// The spectral arc length (SPARC): 0 is a point, more negative is less smooth.
  ///
  /// The curve is the magnitude spectrum of the speed, zero-padded to 2^(ceil(log2 n) + 4) samples,
  /// divided by its greatest magnitude, from the first to the last frequency up to 10 Hz with a
  /// magnitude of at least 0.05. The result is minus the arc length of that curve, with the
  /// frequency scaled to 0...1 over that stretch.
  ///
  /// - Returns: nil for fewer than two samples, for a profile that is 0 throughout, and if fewer
  ///   than two frequencies are left.
  /// - Source: Balasubramanian, Melendez-Calderon, Roby-Brami and Burdet (2015), J NeuroEng
  ///   Rehabil 12:112.
  package static func spectralArcLength(speed: [Double], rate: Double) -> Double? {
    guard speed.count > 1, speed.allSatisfy(\.isFinite), rate > 0 else { return nil }
    let length = paddedLength(speed.count)
    let padded = speed + Array(repeating: 0, count: length - speed.count)
    let magnitudes = RealFourierTransform(length: length).squaredMagnitudes(of: padded)
      .map { $0.squareRoot() }
    guard let greatest = magnitudes.max(), greatest > 0 else { return nil }
    let step = rate / Double(length)
    let low = magnitudes.enumerated().prefix { Double($0.offset) * step <= cutoff }
      .map { $0.element / greatest }
    guard let first = low.firstIndex(where: { $0 >= leastMagnitude }),
      let last = low.lastIndex(where: { $0 >= leastMagnitude }), last > first
    else { return nil }
    let part = low[first...last]
    let width = 1 / Double(last - first)
    return -zip(part.dropFirst(), part).reduce(0) { sum, pair in
      let rise = pair.0 - pair.1
      return sum + (width * width + rise * rise).squareRoot()
    }
  }

  /// The log dimensionless jerk (LDLJ) of a speed profile: more negative is less smooth.
  ///
  /// -ln((T^3 / v_peak^2) sum |second difference / dt^2|^2 dt) with dt = 1 / rate and T = n dt.
  ///
  /// - Returns: nil for fewer than three samples, for a profile without movement, and for one
  ///   without any jerk, whose logarithm has no bound.
  /// - Source: Hogan and Sternad (2009), J Mot Behav 41(6):529; Balasubramanian et al. (2012),
  ///   IEEE Trans Biomed Eng 59(8):2126.
  package static func logDimensionlessJerk(speed: [Double], rate: Double) -> Double? {
    guard speed.count > 2, speed.allSatisfy(\.isFinite), rate > 0 else { return nil }
    let peak = speed.reduce(0) { max($0, abs($1)) }
    var squares = 0.0
    for i in 2..<speed.count {
      let jerk = (speed[i] - 2 * speed[i - 1] + speed[i - 2]) * rate * rate
      squares += jerk * jerk
    }
    guard peak > 0, squares > 0 else { return nil }
    let duration = Double(speed.count) / rate
    return -log(duration * duration * duration / (peak * peak) * squares / rate)
  }

  private static let cutoff = 10.0
  private static let leastMagnitude = 0.05

  private static func paddedLength(_ count: Int) -> Int {
    var length = 1
    while length < count { length *= 2 }
    return 16 * length
  }
}
