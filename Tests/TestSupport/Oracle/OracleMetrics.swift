/// The metrics of `docs/metrics.md`, Classification, from one matrix (rows are truth).
///
/// An undefined metric is nil.
package struct OracleMetrics: Sendable, Equatable {
  /// Trace over total.
  package let accuracy: Double?
  /// Mean recall of the classes that occur in the truth.
  package let balancedAccuracy: Double?
  /// Mean of the defined F1 scores.
  package let f1Macro: Double?
  /// Mean F1 score of the classes that occur in the truth.
  package let f1MacroTruth: Double?
  /// F1 scores weighted by the truth.
  package let f1Weighted: Double?
  /// Undefined if truth and answers are one single class.
  package let cohenKappa: Double?
  /// Undefined if truth or answers have a single class.
  package let matthewsCorrelation: Double?
  /// By class, in the order of the matrix.
  package let precision: [Double?]
  /// By class, in the order of the matrix.
  package let recall: [Double?]
  /// By class, in the order of the matrix.
  package let f1: [Double?]

  /// Derives all metrics from a square matrix of counts or seconds.
  package init(_ matrix: [[Double]]) {
    let classes = matrix.indices
    let hits = classes.map { matrix[$0][$0] }
    let rows = classes.map { row in matrix[row].reduce(0, +) }
    let columns = classes.map { column in matrix.map { $0[column] }.reduce(0, +) }
    let total = rows.reduce(0, +)
    let trace = hits.reduce(0, +)
    let agreement = classes.map { rows[$0] * columns[$0] }.reduce(0, +)
    precision = classes.map { columns[$0] > 0 ? hits[$0] / columns[$0] : nil }
    recall = classes.map { rows[$0] > 0 ? hits[$0] / rows[$0] : nil }
    f1 = classes.map {
      rows[$0] + columns[$0] > 0 ? 2 * hits[$0] / (rows[$0] + columns[$0]) : nil
    }
    accuracy = total > 0 ? trace / total : nil
    balancedAccuracy = OracleMetrics.mean(recall)
    f1Macro = OracleMetrics.mean(f1)
    f1MacroTruth = OracleMetrics.mean(zip(rows, f1).map { $0 > 0 ? $1 : nil })
    let weighted = zip(rows, f1).map { $0 * ($1 ?? 0) }.reduce(0, +)
    f1Weighted = total > 0 ? weighted / total : nil
    let truths = classes.filter { rows[$0] > 0 }
    let answers = classes.filter { columns[$0] > 0 }
    if total > 0 && !(truths == answers && truths.count == 1) {
      let chance = agreement / (total * total)
      cohenKappa = (trace / total - chance) / (1 - chance)
    } else {
      cohenKappa = nil
    }
    if truths.count > 1 && answers.count > 1 {
      let columnRoot = total * total - columns.map { $0 * $0 }.reduce(0, +)
      let rowRoot = total * total - rows.map { $0 * $0 }.reduce(0, +)
      matthewsCorrelation = (total * trace - agreement) / (columnRoot * rowRoot).squareRoot()
    } else {
      matthewsCorrelation = nil
    }
  }

  /// Values by the names of the metrics without the stream, as `f1[high]`.
  package func named(_ classes: [String]) -> [String: Double?] {
    var values: [String: Double?] = [
      "accuracy": accuracy, "balanced_accuracy": balancedAccuracy, "f1_macro": f1Macro,
      "f1_macro_truth": f1MacroTruth, "f1_weighted": f1Weighted, "cohen_kappa": cohenKappa,
      "matthews_correlation": matthewsCorrelation,
    ]
    for (index, name) in classes.enumerated() {
      values.updateValue(precision[index], forKey: "precision[\(name)]")
      values.updateValue(recall[index], forKey: "recall[\(name)]")
      values.updateValue(f1[index], forKey: "f1[\(name)]")
    }
    return values
  }

  private static func mean(_ values: [Double?]) -> Double? {
    let defined = values.compactMap { $0 }
    return defined.isEmpty ? nil : defined.reduce(0, +) / Double(defined.count)
  }
}
