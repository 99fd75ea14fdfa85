package import PoseModel

/// The k with the smallest mean of (y_i - x_(i-k))^2, over one window of frames that is the same
/// for every k; a parabola gives the fraction of a frame.
///
/// The maximum of the plain cross-correlation is not used: on signals like random walks it misses
/// the true shift because of the products with zeros beyond the ends.
package struct LagEstimate: Hashable, Sendable {
  package let frames: Double
  package let lag: Seconds
  package let meanSquare: Double
  /// Whether the lag is the longest that was tried; the true one may then be longer.
  package let isAtLimit: Bool

  /// Frames count if they have an output, and inputs over the whole search.
  ///
  /// Values are evenly timed, nil or NaN if missing. Nil if fewer than three frames count or the
  /// input does not vary. O(frames x lags).
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

  /// The lag in frames at which errors by lag are smallest; the first error belongs to the lag -1
  /// and only helps the parabola.
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
