/// Sums over steps of a signal, from one frame to the next, and over differences of steps.
struct StepSums: Hashable {
  /// The sum of squared steps.
  private(set) var stepSquares = 0.0
  /// The sum of squared steps over their time.
  private(set) var speedSquares = 0.0
  /// How many steps there are.
  private(set) var pairs = 0
  /// The sum of the lengths of second differences, per s^2.
  private(set) var accelerations = 0.0
  /// How many second differences there are.
  private(set) var triples = 0
  /// The sum of squared third differences, per s^3.
  private(set) var jerkSquares = 0.0
  /// How many third differences there are.
  private(set) var quadruples = 0

  /// Adds a step.
  mutating func add(step: SIMD3<Double>, interval: Double) {
    let square = (step * step).sum()
    stepSquares += square
    speedSquares += square / (interval * interval)
    pairs += 1
  }

  /// Adds a second divided difference, times two.
  mutating func add(bend: SIMD3<Double>) {
    accelerations += (bend * bend).sum().squareRoot()
    triples += 1
  }

  /// Adds a third divided difference, times six.
  mutating func add(jerk: SIMD3<Double>) {
    jerkSquares += (jerk * jerk).sum()
    quadruples += 1
  }

  static func += (left: inout StepSums, right: StepSums) {
    left.stepSquares += right.stepSquares
    left.speedSquares += right.speedSquares
    left.pairs += right.pairs
    left.accelerations += right.accelerations
    left.triples += right.triples
    left.jerkSquares += right.jerkSquares
    left.quadruples += right.quadruples
  }
}
