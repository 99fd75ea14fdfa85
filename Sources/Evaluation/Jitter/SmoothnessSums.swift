internal import Statistics

/// The smoothness of a signal's movements, summed over movements and sequences.
///
/// A movement is a stretch outside holds of at least one second without a missing frame; its
/// speed is that of the evenly resampled signal. Each movement counts once.
struct SmoothnessSums: Hashable {
  static let leastSeconds = 1.0

  private var arcLengths = 0.0
  private var arcs = 0
  private var jerks = 0.0
  private var jerkCount = 0

  mutating func add(_ scan: HoldScan, interval: Double) {
    guard scan.runs.count == 1 else { return }
    let times = scan.copyTimes()
    guard let first = times.first, let last = times.last, last - first >= Self.leastSeconds else {
      return
    }
    let axes = scan.copyAxes().map { UniformResampling.values($0, at: times, step: interval) }
    guard let count = axes.first?.count, count > 2 else { return }
    let speed = (1..<count).map { index in
      let square = axes.reduce(0.0) { sum, values in
        let step = values[index] - values[index - 1]
        return sum + step * step
      }
      return square.squareRoot() / interval
    }
    if let arc = MovementSmoothness.spectralArcLength(speed: speed, rate: 1 / interval) {
      arcLengths += arc
      arcs += 1
    }
    if let jerk = MovementSmoothness.logDimensionlessJerk(speed: speed, rate: 1 / interval) {
      jerks += jerk
      jerkCount += 1
    }
  }

  mutating func add(_ other: SmoothnessSums) {
    arcLengths += other.arcLengths
    arcs += other.arcs
    jerks += other.jerks
    jerkCount += other.jerkCount
  }

  var spectralArcLength: MetricValue {
    .ratio(arcLengths, Double(arcs), orElse: .noMovement)
  }

  var logDimensionlessJerk: MetricValue {
    .ratio(jerks, Double(jerkCount), orElse: .noMovement)
  }
}
