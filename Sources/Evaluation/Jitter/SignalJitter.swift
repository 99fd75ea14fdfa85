internal import Statistics

/// The jitter of one signal, summed over holds and sequences.
struct SignalJitter: Hashable, Sendable {
  private var steps = StepSums()
  private var lagOne = LagOneSums()
  private var holds = 0
  private var residuals: [AbsoluteResiduals]
  private var spectral: SpectralSums?
  private var smoothness: SmoothnessSums?

  /// Makes an empty sum for a signal of one to three axes.
  init(dimension: Int, detail: JitterDetail) {
    residuals = Array(repeating: AbsoluteResiduals(), count: dimension)
    if detail == .spectra {
      spectral = SpectralSums()
      smoothness = SmoothnessSums()
    }
  }

  /// Adds one hold of one sequence.
  ///
  /// - Parameter interval: the sequence's median frame interval in seconds.
  mutating func add(
    _ hold: Range<Int>, _ times: [Double], interval: Double, _ series: StridedSeries
  ) {
    let scan = HoldScan(series, hold, times)
    steps += scan.sums
    lagOne += LagOneSums(scan)
    spectral?.add(scan, interval: interval)
    smoothness?.add(scan, interval: interval)
    var hasValues = false
    for (axis, values) in scan.valid.enumerated() {
      var reordered = values
      guard let median = Description.median(reordering: &reordered) else { continue }
      hasValues = true
      for value in reordered { residuals[axis].add(value - median) }
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
      noise: root(steps.stepSquares / Double(2 * residuals.count), steps.pairs, .noValidPair),
      robustSpread: spreads.isEmpty ? .undefined(.noValidFrame) : .value(spread),
      acceleration: .ratio(steps.accelerations, Double(steps.triples), orElse: .noValidTriple),
      jerk: root(steps.jerkSquares, steps.quadruples, .noValidQuadruple),
      lagOneCorrelation: frames > 0 ? lagOne.correlation : .undefined(.noValidFrame),
      spectral: spectral?.jitter, spectralArcLength: smoothness?.spectralArcLength,
      logDimensionlessJerk: smoothness?.logDimensionlessJerk, frames: frames,
      pairs: steps.pairs, triples: steps.triples, holds: holds)
  }
}
