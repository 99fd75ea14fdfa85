internal import Statistics

struct SignalJitter: Hashable, Sendable {
  private var steps = StepSums()
  private var lagOne = LagOneSums()
  private var holds = 0
  private var residuals: [AbsoluteResiduals]
  private var spectral: SpectralSums?
  private var smoothness: SmoothnessSums?

  init(dimension: Int, detail: JitterDetail) {
    residuals = Array(repeating: AbsoluteResiduals(), count: dimension)
    if detail.hasSpectra { spectral = SpectralSums() }
    if detail == .spectra { smoothness = SmoothnessSums() }
  }

  mutating func add(
    _ hold: Range<Int>, _ clock: JitterTable.Clock, _ series: StridedSeries, _ scan: inout HoldScan
  ) {
    scan.pass(over: series, hold, clock.times)
    guard scan.count > 0 else { return }
    holds += 1
    steps += scan.sums
    lagOne += LagOneSums(scan)
    if let interval = clock.interval {
      spectral?.add(scan, interval: interval)
      smoothness?.add(scan, interval: interval)
    }
    for axis in residuals.indices {
      scan.withValues(of: axis) { values in
        guard let median = Description.median(reordering: values) else { return }
        residuals[axis].add(values, from: median)
      }
    }
  }

  mutating func add(_ other: SignalJitter) {
    steps += other.steps
    lagOne += other.lagOne
    holds += other.holds
    for axis in residuals.indices { residuals[axis].add(other.residuals[axis]) }
    if let part = other.spectral { spectral?.add(part) }
    if let part = other.smoothness { smoothness?.add(part) }
  }

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

protocol SignalValue {
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

struct StepSums: Hashable {
  private(set) var stepSquares = 0.0
  private(set) var speedSquares = 0.0
  private(set) var pairs = 0
  private(set) var accelerations = 0.0
  private(set) var triples = 0
  private(set) var jerkSquares = 0.0
  private(set) var quadruples = 0

  func noise(dimension: Int) -> MetricValue {
    guard pairs > 0 else { return .undefined(.noValidPair) }
    return .value((stepSquares / Double(2 * dimension) / Double(pairs)).squareRoot())
  }

  mutating func add(step: some SignalValue, interval: Double) {
    let square = step.square
    stepSquares += square
    speedSquares += square / (interval * interval)
    pairs += 1
  }

  fileprivate mutating func add(bend: some SignalValue) {
    accelerations += bend.square.squareRoot()
    triples += 1
  }

  fileprivate mutating func add(jerk: some SignalValue) {
    jerkSquares += jerk.square
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

struct StepRun<Value: SignalValue> {
  private var value: Value
  private var time: Double
  private var slope, bend: Value
  private var one = 0.0
  private var two = 0.0
  private var length = 1

  init(_ value: Value, at time: Double) {
    (self.value, self.time, slope, bend) = (value, time, value, value)
  }

  @inline(__always) mutating func extend(
    to next: Value, at nextTime: Double, _ sums: inout StepSums
  ) {
    let interval = nextTime - time
    let step = next - value
    let newSlope = step / interval
    sums.add(step: step, interval: interval)
    if length > 1 {
      let both = interval + one
      let newBend = 2 * (newSlope - slope) / both
      sums.add(bend: newBend)
      if length > 2 { sums.add(jerk: 3 * (newBend - bend) / (interval + two)) }
      (bend, two) = (newBend, both)
    }
    (value, time, slope, one) = (next, nextTime, newSlope, interval)
    length += 1
  }
}

struct LagOneSums: Hashable {
  private var products = 0.0
  private var squares = 0.0

  init() {}

  init(_ scan: HoldScan) {
    scan.forEachAxis { values in
      guard !values.isEmpty else { return }
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
