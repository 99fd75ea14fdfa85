internal import Statistics

/// The Allan variances of one octave of averaging times, pooled over pieces and axes.
struct AllanCell: Hashable {
  private var squares = 0.0
  private var count = 0
  private var times = 0.0

  /// Adds what one averaging time gave.
  mutating func add(_ variance: AllanVariance, _ time: Double) {
    squares += variance.squares
    count += variance.count
    times += time * Double(variance.count)
  }

  /// The mean time with the pooled deviation of one axis.
  var point: AllanPoint {
    AllanPoint(
      seconds: times / Double(count), deviation: (squares / Double(2 * count)).squareRoot(),
      differences: count)
  }

  static func += (left: inout AllanCell, right: AllanCell) {
    left.squares += right.squares
    left.count += right.count
    left.times += right.times
  }

  /// The octave of a time; bounds lie between the frame times of the usual rates.
  static func octave(of time: Double) -> Int { Int((time * 1.05).exponent) }
}
