/// A fixed piece of arithmetic whose time stands for the machine's speed at this moment.
///
/// Costs are stated as multiples of it, measured in the same process, so that a gate on cost does
/// not depend on which machine runs it.
enum CalibrationLoop {
  /// The least of several times of the loop, in seconds.
  static func seconds(repeats: Int = 15) -> Double {
    let clock = ContinuousClock()
    var least = Double.infinity
    var sum = 0.0
    for _ in 0..<repeats {
      let start = clock.now
      sum += run()
      let parts = (clock.now - start).components
      least = min(least, Double(parts.seconds) + Double(parts.attoseconds) * 1e-18)
    }
    // The sum is used, so that no compiler leaves the work out.
    return sum.isFinite ? least : .nan
  }

  /// Ten thousand steps of a logistic map: each needs the one before.
  private static func run() -> Double {
    var value = 0.4
    for _ in 0..<10_000 { value = 3.9 * value * (1 - value) }
    return value
  }
}
