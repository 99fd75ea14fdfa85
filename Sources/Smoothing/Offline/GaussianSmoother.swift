internal import Statistics

/// A centered Gaussian window over a signal with uneven times and missing samples.
///
/// The window needs an even grid: each piece without a gap over 0.25 s is interpolated linearly at
/// its median interval, filtered, and interpolated back. Evenly spaced pieces are not interpolated.
/// Missing samples stay missing.
struct GaussianSmoother {
  /// The longest gap that is bridged.
  static let largestGap = 0.25

  private let deviation: Double

  /// Makes a smoother from the window's standard deviation in seconds.
  init(deviation: Double) { self.deviation = deviation }

  /// Smooths a signal, NaN where missing.
  func smooth(_ values: [Double], times: [Double]) -> [Double] {
    var result = [Double](repeating: .nan, count: values.count)
    let pieces = SignalPieces.find(values, times: times, largestGap: Self.largestGap)
    for piece in pieces {
      let smoothed = smooth(piece.map { values[$0] }, at: piece.map { times[$0] })
      for (place, index) in piece.enumerated() { result[index] = smoothed[place] }
    }
    return result
  }

  private func smooth(_ values: [Double], at times: [Double]) -> [Double] {
    guard values.count > 2, let first = times.first, let last = times.last else { return values }
    let intervals = zip(times.dropFirst(), times).map { $0 - $1 }
    let interval = intervals.sorted()[intervals.count / 2]
    let window = CenteredGaussian(deviationInSamples: deviation / interval)
    if intervals.allSatisfy({ abs($0 - interval) <= 1e-4 * interval }) {
      return window.smooth(values)
    }
    let count = Int(((last - first) / interval).rounded()) + 1
    let step = (last - first) / Double(max(1, count - 1))
    let grid = (0..<count).map { first + Double($0) * step }
    let even = Self.interpolate(values, times, at: grid)
    return Self.interpolate(window.smooth(even), grid, at: times)
  }

  /// Reads a series of straight lines at increasing places.
  private static func interpolate(
    _ values: [Double], _ places: [Double], at wanted: [Double]
  ) -> [Double] {
    var right = 1
    return wanted.map { place in
      while right < places.count - 1, places[right] < place { right += 1 }
      let (start, end) = (places[right - 1], places[right])
      let share = min(1, max(0, (place - start) / (end - start)))
      return values[right - 1] + share * (values[right] - values[right - 1])
    }
  }
}
