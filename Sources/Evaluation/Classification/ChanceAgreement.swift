/// The sums behind Cohen's kappa and the Matthews correlation.
///
/// Differences of large squares are rewritten as sums of products, which lose no digits where one
/// class dominates and are exactly zero where they should be:
/// N tp_k - r_k c_k = tp_k tn_k - fp_k fn_k, N^2 - sum r_k c_k = sum r_k (N - c_k), and likewise
/// for the squares.
struct ChanceAgreement {
  /// N sum tp - sum r c.
  private(set) var covariance = 0.0
  /// N^2 - sum r c: zero where truth and answers are one and the same class.
  private(set) var disagreementByChance = 0.0
  /// N^2 - sum r^2: zero where the truth is a single class.
  private(set) var truthVariance = 0.0
  /// N^2 - sum c^2: zero where the answers are a single class.
  private(set) var answerVariance = 0.0

  /// Sums over the classes of a matrix.
  init(_ matrix: ConfusionMatrix<Double>) {
    let truth = matrix.labels.indices.map(matrix.truthTotal)
    let answered = matrix.labels.indices.map(matrix.answerTotal)
    for index in matrix.labels.indices {
      let others = matrix.labels.indices.filter { $0 != index }
      let otherTruth = others.reduce(0) { $0 + truth[$1] }
      let otherAnswers = others.reduce(0) { $0 + answered[$1] }
      let missed = others.reduce(0) { $0 + matrix[index, $1] }
      let wrongly = others.reduce(0) { $0 + matrix[$1, index] }
      let rejected = others.reduce(0) { sum, row in
        others.reduce(sum) { $0 + matrix[row, $1] }
      }
      covariance += matrix[index, index] * rejected - missed * wrongly
      disagreementByChance += truth[index] * otherAnswers
      truthVariance += truth[index] * otherTruth
      answerVariance += answered[index] * otherAnswers
    }
  }
}
