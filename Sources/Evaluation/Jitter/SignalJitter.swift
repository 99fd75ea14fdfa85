internal import Statistics

/// The jitter of one signal, summed over holds and sequences.
struct SignalJitter: Hashable, Sendable {
  private var stepSquares = 0.0
  private var pairs = 0
  private var accelerations = 0.0
  private var triples = 0
  private var holds = 0
  private var residuals: [AbsoluteResiduals]

  /// Makes an empty sum for a signal of one to three axes.
  init(dimension: Int) {
    residuals = Array(repeating: AbsoluteResiduals(), count: dimension)
  }

  /// Adds one hold of one sequence.
  mutating func add(_ hold: Range<Int>, _ times: [Double], _ series: StridedSeries) {
    let scan = HoldScan(series, hold, times)
    stepSquares += scan.stepSquares
    pairs += scan.pairs
    accelerations += scan.accelerations
    triples += scan.triples
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
    stepSquares += other.stepSquares
    pairs += other.pairs
    accelerations += other.accelerations
    triples += other.triples
    holds += other.holds
    for axis in residuals.indices { residuals[axis].add(other.residuals[axis]) }
  }

  /// The numbers that the sums give.
  func row(_ signal: JitterSignal) -> JitterRow {
    let spreads = residuals.compactMap { residual in
      residual.median.map { Description.normalConsistency * $0 }
    }
    let spread = spreads.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return JitterRow(
      signal: signal,
      rmsStep: pairs > 0
        ? .value((stepSquares / Double(pairs)).squareRoot()) : .undefined(.noValidPair),
      robustSpread: spreads.isEmpty ? .undefined(.noValidFrame) : .value(spread),
      acceleration: .ratio(accelerations, Double(triples), orElse: .noValidTriple),
      frames: residuals.first?.count ?? 0, pairs: pairs, triples: triples, holds: holds)
  }
}
