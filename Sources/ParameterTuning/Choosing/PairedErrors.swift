/// Standard errors of differences to the best cell, by a jackknife over subjects.
///
/// SE = sqrt((G - 1) / G sum (d_g - mean d)^2), d_g the difference without subject g (Efron 1982,
/// The Jackknife, the Bootstrap and Other Resampling Plans, chapter 3).
struct PairedErrors {
  private let table: SubjectTable
  private let metric: CellMetric
  private let drawn: [Int]
  private let best: [Double?]

  /// Prepares the comparison with a cell.
  init(_ table: SubjectTable, _ metric: CellMetric, best: Int, _ drawn: [Int]) {
    self.table = table
    self.metric = metric
    self.drawn = drawn
    self.best = drawn.count < 2 ? [] : table.valuesWithoutOne(metric, at: best, drawn)
  }

  /// The error of the difference to a cell; nil below two subjects, and where a value is
  /// undefined without one of them: an error of the others only would be too small.
  func standardError(of position: Int) -> Double? {
    guard !best.isEmpty else { return nil }
    var differences: [Double] = []
    differences.reserveCapacity(best.count)
    for (first, second) in zip(best, table.valuesWithoutOne(metric, at: position, drawn)) {
      guard let first, let second else { return nil }
      differences.append(first - second)
    }
    guard differences.count >= 2 else { return nil }
    let count = Double(differences.count)
    let mean = differences.reduce(0, +) / count
    let squares = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return ((count - 1) / count * squares).squareRoot()
  }
}
