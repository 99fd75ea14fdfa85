internal import Statistics

/// The jitter of one signal, summed over holds and sequences.
struct SignalJitter: Hashable, Sendable {
  private var steps = StepSums()
  private var lagOne = LagOneSums()
  private var holds = 0
  private var residuals: [AbsoluteResiduals]
  private var spectral: SpectralSums?
  private var smoothness: SmoothnessSums?

  /// Makes an empty sum for a signal with one to three axes.
  init(dimension: Int, detail: JitterDetail) {
    residuals = Array(repeating: AbsoluteResiduals(), count: dimension)
    if detail.hasSpectra { spectral = SpectralSums() }
    if detail == .spectra { smoothness = SmoothnessSums() }
  }

  /// Adds one hold of one sequence.
  mutating func add(_ hold: Range<Int>, _ clock: JitterTable.Clock, _ series: StridedSeries) {
    var scan = HoldScan(series, hold, clock.times)
    steps += scan.sums
    lagOne += LagOneSums(scan)
    if let interval = clock.interval {
      spectral?.add(scan, interval: interval)
      smoothness?.add(scan, interval: interval)
    }
    var hasValues = false
    for axis in residuals.indices {
      guard let median = scan.median(reordering: axis) else { continue }
      hasValues = true
      residuals[axis].add(scan.axes[axis], from: median)
    }
    if hasValues { holds += 1 }
  }

  /// Adds the sums of other holds.
  mutating func add(_ other: SignalJitter) {
    steps += other.steps
    lagOne += other.lagOne
    holds += other.holds
    for axis in residuals.indices { residuals[axis].add(other.residuals[axis]) }
    if let part = other.spectral { spectral?.add(part) }
    if let part = other.smoothness { smoothness?.add(part) }
  }

  /// The numbers that the sums give.
  func row(_ signal: JitterSignal) -> JitterRow {
    let spreads = residuals.compactMap { residual in
      residual.median.map { Description.normalConsistency * $0 }
    }
    let spread = spreads.reduce(0) { $0 + $1 * $1 }.squareRoot()
    let frames = residuals.first?.count ?? 0
    func root(_ squares: Double, _ count: Int, _ reason: UndefinedReason) -> MetricValue {
      count > 0 ? .value((squares / Double(count)).squareRoot()) : .undefined(reason)
    }
    return JitterRow(
      signal: signal,
      rmsStep: root(steps.stepSquares, steps.pairs, .noValidPair),
      rmsSpeed: root(steps.speedSquares, steps.pairs, .noValidPair),
      noise: steps.noise(dimension: residuals.count),
      robustSpread: spreads.isEmpty ? .undefined(.noValidFrame) : .value(spread),
      acceleration: .ratio(steps.accelerations, Double(steps.triples), orElse: .noValidTriple),
      jerk: root(steps.jerkSquares, steps.quadruples, .noValidQuadruple),
      lagOneCorrelation: frames > 0 ? lagOne.correlation : .undefined(.noValidFrame),
      spectral: spectral?.jitter, spectralArcLength: smoothness?.spectralArcLength,
      logDimensionlessJerk: smoothness?.logDimensionlessJerk, frames: frames,
      pairs: steps.pairs, triples: steps.triples, holds: holds)
  }
}

/// A value of a signal: one number, or up to three axes in a vector.
protocol SignalValue {
  /// The square of its length.
  var square: Double { get }
  static func - (left: Self, right: Self) -> Self
  static func * (factor: Double, value: Self) -> Self
  static func / (value: Self, divisor: Double) -> Self
}

extension Double: SignalValue {
  var square: Double { self * self }
}

extension SIMD3<Double>: SignalValue {
  var square: Double { (self * self).sum() }
}

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

  /// The standard deviation per axis of the white noise that would give these steps.
  func noise(dimension: Int) -> MetricValue {
    guard pairs > 0 else { return .undefined(.noValidPair) }
    return .value((stepSquares / Double(2 * dimension) / Double(pairs)).squareRoot())
  }

  /// Adds a step.
  mutating func add(step: some SignalValue, interval: Double) {
    let square = step.square
    stepSquares += square
    speedSquares += square / (interval * interval)
    pairs += 1
  }

  /// Adds the steps of a run and their divided differences, times two and times six.
  mutating func add<Value: SignalValue>(_ run: Range<Int>, of values: [Value], _ times: [Double]) {
    guard var previous = run.first.map({ values[$0] }) else { return }
    var (slope, bend) = (previous, previous)
    var (one, two) = (0.0, 0.0)
    for index in run.dropFirst() {
      let value = values[index]
      let interval = times[index] - times[index - 1]
      let step = value - previous
      let newSlope = step / interval
      add(step: step, interval: interval)
      if index >= run.lowerBound + 2 {
        let both = interval + one
        let newBend = 2 * (newSlope - slope) / both
        accelerations += newBend.square.squareRoot()
        triples += 1
        if index >= run.lowerBound + 3 {
          jerkSquares += (3 * (newBend - bend) / (interval + two)).square
          quadruples += 1
        }
        (bend, two) = (newBend, both)
      }
      (previous, slope, one) = (value, newSlope, interval)
    }
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

/// Sums for the correlation of a frame's value with that of the previous frame.
struct LagOneSums: Hashable {
  private var products = 0.0
  private var squares = 0.0

  /// Nothing.
  init() {}

  /// Sums over one hold, about its mean.
  init(_ scan: HoldScan) {
    for values in scan.axes where !values.isEmpty {
      let mean = values.reduce(0, +) / Double(values.count)
      for run in scan.runs {
        var previous = 0.0
        for index in run {
          let distance = values[index] - mean
          squares += distance * distance
          if index > run.lowerBound { products += distance * previous }
          previous = distance
        }
      }
    }
  }

  /// The sum over steps of the products of neighbors over the sum of squares: about 0 for white
  /// noise, near 1 for slow movement.
  var correlation: MetricValue { .ratio(products, squares, orElse: .constant) }

  static func += (left: inout LagOneSums, right: LagOneSums) {
    left.products += right.products
    left.squares += right.squares
  }
}
