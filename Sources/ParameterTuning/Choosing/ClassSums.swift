internal import Evaluation

/// Right answers, answers and truth by class, in seconds: what a confusion's metrics need of it.
///
/// The formulas are those of `ClassificationMetrics`, on numbers that add up without a matrix a
/// cell; tests hold the two together.
struct ClassSums: Hashable {
  /// Seconds with the right answer, by class.
  var right = SIMD8<Double>()
  /// Seconds with the answer, by class.
  var answered = SIMD8<Double>()
  /// Seconds of truth, by class.
  var truth = SIMD8<Double>()

  static func += (left: inout ClassSums, right: ClassSums) {
    left.right += right.right
    left.answered += right.answered
    left.truth += right.truth
  }

  /// The value of a metric, nil where it is undefined.
  func value(_ metric: Metric, label: Int?) -> Double? {
    let total = truth.sum()
    guard total > 0 else { return nil }
    if let label { return value(metric, of: label) }
    switch metric {
    case .accuracy: return right.sum() / total
    case .balancedAccuracy: return mean(of: right, over: truth)
    case .f1Macro: return mean(of: right * 2, over: truth + answered)
    case .f1Weighted:
      var sum = 0.0
      for index in 0..<8 where truth[index] > 0 {
        sum += truth[index] * 2 * right[index] / (truth[index] + answered[index])
      }
      return sum / total
    case .cohenKappa:
      return ratio(covariance, chance(truth, answered))
    case .matthewsCorrelation:
      return ratio(
        covariance, chance(truth, truth).squareRoot() * chance(answered, answered).squareRoot())
    default: return nil
    }
  }

  private func value(_ metric: Metric, of label: Int) -> Double? {
    switch metric {
    case .precision: ratio(right[label], answered[label])
    case .recall: ratio(right[label], truth[label])
    case .f1: ratio(2 * right[label], truth[label] + answered[label])
    default: nil
    }
  }

  private func mean(of dividend: SIMD8<Double>, over divisor: SIMD8<Double>) -> Double? {
    var (sum, count) = (0.0, 0.0)
    for index in 0..<8 where divisor[index] > 0 {
      sum += dividend[index] / divisor[index]
      count += 1
    }
    return ratio(sum, count)
  }

  private func ratio(_ dividend: Double, _ divisor: Double) -> Double? {
    divisor > 0 ? dividend / divisor : nil
  }

  /// N sum right - sum truth answered.
  private var covariance: Double { truth.sum() * right.sum() - (truth * answered).sum() }

  /// N^2 - sum a b, as the sum over classes of a (N - b).
  private func chance(_ a: SIMD8<Double>, _ b: SIMD8<Double>) -> Double {
    var sum = 0.0
    for index in 0..<8 {
      for other in 0..<8 where other != index { sum += a[index] * b[other] }
    }
    return sum
  }
}
