/// How one class fared.
package struct ClassScores: Hashable, Sendable {
  /// The class.
  package let label: String
  /// How often an answer of the class is right: tp / (tp + fp).
  package let precision: MetricValue
  /// How much of the class is answered as such: tp / (tp + fn).
  package let recall: MetricValue
  /// 2 tp / (2 tp + fp + fn): defined wherever the class occurs in truth or answers.
  package let f1: MetricValue
  /// The truth of the class, in the unit of the matrix.
  package let support: Double

  /// Derives the scores of one class of a matrix.
  init(_ matrix: ConfusionMatrix<Double>, class index: Int) {
    let hits = matrix[index, index]
    let truth = matrix.truthTotal(index)
    let answered = matrix.answerTotal(index)
    let isEmpty = matrix.total == 0
    label = matrix.labels[index]
    precision = .ratio(hits, answered, orElse: isEmpty ? .noScoredFrames : .neverAnswered)
    recall = .ratio(hits, truth, orElse: isEmpty ? .noScoredFrames : .noTruth)
    f1 = .ratio(2 * hits, truth + answered, orElse: isEmpty ? .noScoredFrames : .occursNowhere)
    support = truth
  }
}
