/// What a confusion matrix says in single numbers.
///
/// With cells C (rows truth), r and c the totals of rows and columns, N the total and tp the
/// diagonal: values are pure numbers, the same for frames and for seconds up to a common factor.
/// A value is undefined exactly where its divisor is a sum of zeros; divisors are sums of
/// products of cells without a subtraction, so rounding cannot decide it.
///
/// Source: scikit-learn 1.9 with `labels=` of the stream and `zero_division=nan`, except that a
/// Matthews correlation without variation is undefined here and 0 there.
package struct ClassificationMetrics: Hashable, Sendable {
  /// Sum of tp over N.
  package let accuracy: MetricValue
  /// The mean recall over classes with truth.
  package let balancedAccuracy: MetricValue
  /// The mean F1 over the classes that occur in truth or answers.
  package let f1Macro: MetricValue
  /// Sum of r F1 over N.
  package let f1Weighted: MetricValue
  /// (p_o - p_e) / (1 - p_e), p_o the accuracy and p_e = sum of r c / N^2.
  ///
  /// Source: Cohen (1960), Educational and Psychological Measurement 20(1):37.
  package let cohenKappa: MetricValue
  /// (N sum tp - sum r c) / sqrt((N^2 - sum c^2)(N^2 - sum r^2)).
  ///
  /// Source: Gorodkin (2004), Computational Biology and Chemistry 28:367.
  package let matthewsCorrelation: MetricValue
  /// Precision, recall, F1 and support by class, in the order of the matrix.
  package let perClass: [ClassScores]

  /// Derives the metrics of a matrix.
  ///
  /// - Complexity: O(classes^2).
  package init(_ matrix: ConfusionMatrix<Double>) {
    let total = matrix.total
    let scores = matrix.labels.indices.map { ClassScores(matrix, class: $0) }
    let agreement = ChanceAgreement(matrix)
    perClass = scores
    accuracy = .ratio(matrix.right, total, orElse: .noScoredFrames)
    balancedAccuracy = Self.mean(scores.compactMap(\.recall.number))
    f1Macro = Self.mean(scores.compactMap(\.f1.number))
    let weighted = scores.reduce(0) { $0 + $1.support * ($1.f1.number ?? 0) }
    f1Weighted = .ratio(weighted, total, orElse: .noScoredFrames)
    cohenKappa = .ratio(
      agreement.covariance, agreement.disagreementByChance,
      orElse: total == 0 ? .noScoredFrames : .certainAgreement)
    matthewsCorrelation = .ratio(
      agreement.covariance,
      agreement.truthVariance.squareRoot() * agreement.answerVariance.squareRoot(),
      orElse: total == 0 ? .noScoredFrames : .singleClass)
  }

  /// Classes that balanced accuracy leaves out, because they have no truth.
  package var withoutRecall: [String] { perClass.filter { $0.recall.number == nil }.map(\.label) }

  /// Classes that the macro F1 leaves out, because they occur nowhere.
  package var withoutF1: [String] { perClass.filter { $0.f1.number == nil }.map(\.label) }

  /// The metrics over all classes, in the order of the catalogue.
  package var overall: [MetricResult] {
    [
      MetricResult(.accuracy, accuracy),
      MetricResult(.balancedAccuracy, balancedAccuracy, excluded: withoutRecall),
      MetricResult(.f1Macro, f1Macro, excluded: withoutF1),
      MetricResult(.f1Weighted, f1Weighted),
      MetricResult(.cohenKappa, cohenKappa),
      MetricResult(.matthewsCorrelation, matthewsCorrelation),
    ]
  }

  /// The metrics of single classes: precision of every class, then recall, then F1.
  package var byClass: [MetricResult] {
    perClass.map { MetricResult(.precision, label: $0.label, $0.precision) }
      + perClass.map { MetricResult(.recall, label: $0.label, $0.recall) }
      + perClass.map { MetricResult(.f1, label: $0.label, $0.f1) }
  }

  private static func mean(_ defined: [Double]) -> MetricValue {
    .ratio(defined.reduce(0, +), Double(defined.count), orElse: .noScoredFrames)
  }
}

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
