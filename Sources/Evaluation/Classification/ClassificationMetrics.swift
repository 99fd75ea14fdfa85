internal import Statistics

/// The right and wrong time of each class, in seconds or frames.
package struct ClassCounts: Hashable, Sendable {
  package static let mostClasses = 8

  /// The time of the class that is answered correctly: tp.
  package var right = SIMD8<Double>()
  /// The time of the class that is answered as another class: fn.
  package var missed = SIMD8<Double>()
  /// The time of other classes that is answered as this class: fp.
  package var wrong = SIMD8<Double>()

  package init() {}

  package init(_ matrix: ConfusionMatrix<Double>) {
    precondition(matrix.labels.count <= Self.mostClasses, "a stream has eight classes at most")
    for truth in matrix.labels.indices {
      for answer in matrix.labels.indices {
        let time = matrix[truth, answer]
        if truth == answer {
          right[truth] += time
        } else {
          missed[truth] += time
          wrong[answer] += time
        }
      }
    }
  }

  /// The time of each class: r = tp + fn.
  package var truth: SIMD8<Double> { right + missed }
  /// The time for which each class is answered: c = tp + fp.
  package var answered: SIMD8<Double> { right + wrong }
  package var total: Double { truth.sum() }

  package static func += (left: inout ClassCounts, right: ClassCounts) {
    left.right += right.right
    left.missed += right.missed
    left.wrong += right.wrong
  }

  /// N sum tp - sum r c, as the sum of tp tn - fp fn, which loses no digits if one class dominates.
  var covariance: Double {
    let others = truth
    var sum = 0.0
    for code in 0..<Self.mostClasses {
      var rejected = -wrong[code]
      for other in 0..<Self.mostClasses where other != code { rejected += others[other] }
      sum += right[code] * rejected - missed[code] * wrong[code]
    }
    return sum
  }

  /// N^2 - sum a b; this form is exactly 0 if all time of both is in one class.
  func disagreement(_ a: SIMD8<Double>, _ b: SIMD8<Double>) -> Double {
    var sum = 0.0
    for code in 0..<Self.mostClasses {
      for other in 0..<Self.mostClasses where other != code { sum += a[code] * b[other] }
    }
    return sum
  }

  func ratio(_ dividend: Double, _ divisor: Double, orElse reason: UndefinedReason) -> MetricValue {
    guard divisor == 0 else { return .value(dividend / divisor) }
    return .undefined(total == 0 ? .noScoredFrames : reason)
  }

  func mean(of dividends: SIMD8<Double>, over divisors: SIMD8<Double>) -> MetricValue {
    var (sum, count) = (0.0, 0.0)
    for code in 0..<Self.mostClasses where divisors[code] > 0 {
      sum += dividends[code] / divisors[code]
      count += 1
    }
    return .ratio(sum, count, orElse: .noScoredFrames)
  }
}

/// The metrics of a confusion matrix.
///
/// r and c are the time of a class in truth and in answers, N is the total time, and tp is the
/// right time. A value is undefined if and only if its divisor is a sum of zeros. Divisors are sums
/// of products without a subtraction, so rounding cannot make them zero.
///
/// Source: scikit-learn 1.9 with `labels=` of the stream and `zero_division=nan`, except that a
/// Matthews correlation without variation is undefined here and 0 in scikit-learn.
extension Metric {
  static let classification: [Metric] = [
    .accuracy, .balancedAccuracy, .f1Macro, .f1MacroTruth, .f1Weighted, .cohenKappa,
    .matthewsCorrelation, .precision, .recall, .f1, .falsePlankShare,
  ]

  /// Sum of tp over N.
  package static let accuracy = Metric(
    name: "accuracy", meaning: "The share of the scored time with the right answer.",
    formula: .classes { counts, _ in
      .ratio(counts.right.sum(), counts.total, orElse: .noScoredFrames)
    })

  package static let balancedAccuracy = Metric(
    name: "balanced_accuracy", meaning: "The mean recall over the labeled classes.",
    averaged: [.recall],
    formula: .classes { counts, _ in counts.mean(of: counts.right, over: counts.truth) })

  package static let f1Macro = Metric(
    name: "f1_macro",
    meaning: "The mean F1 over the classes in labels or answers.", averaged: [.f1],
    formula: .classes { counts, _ in
      counts.mean(of: 2 * counts.right, over: counts.truth + counts.answered)
    })

  /// The mean of F1 over the classes with truth.
  ///
  /// An answer of a class without truth counts only as missed time of the true class. If such a
  /// class joined the mean with an F1 of 0, one wrong frame would cost more than its duration.
  package static let f1MacroTruth = Metric(
    name: "f1_macro_truth", meaning: "The mean F1 over the labeled classes.",
    averaged: [.recall],
    formula: .classes { counts, _ in
      counts.mean(
        of: 2 * counts.right,
        over: (counts.truth + counts.answered).replacing(with: 0, where: counts.truth .<= 0))
    })

  package static let f1Weighted = Metric(
    name: "f1_weighted", meaning: "The mean F1 over classes, weighted by labeled time.",
    formula: .classes { counts, _ in
      let (truth, answered) = (counts.truth, counts.answered)
      var sum = 0.0
      for code in 0..<ClassCounts.mostClasses where truth[code] > 0 {
        sum += truth[code] * 2 * counts.right[code] / (truth[code] + answered[code])
      }
      return .ratio(sum, counts.total, orElse: .noScoredFrames)
    })

  /// (p_o - p_e) / (1 - p_e), with the accuracy p_o and p_e = sum of r c / N^2.
  ///
  /// Source: Cohen (1960), Educational and Psychological Measurement 20(1):37.
  package static let cohenKappa = Metric(
    name: "cohen_kappa", meaning: "Agreement beyond chance.", range: -1...1,
    formula: .classes { counts, _ in
      counts.ratio(
        counts.covariance, counts.disagreement(counts.truth, counts.answered),
        orElse: .certainAgreement
      ).clamped(to: -1...1)
    })

  /// (N sum tp - sum r c) / sqrt((N^2 - sum c^2)(N^2 - sum r^2)).
  ///
  /// Source: Gorodkin (2004), Computational Biology and Chemistry 28:367.
  package static let matthewsCorrelation = Metric(
    name: "matthews_correlation", meaning: "The correlation of labels and answers.", range: -1...1,
    formula: .classes { counts, _ in
      let (truth, answered) = (counts.truth, counts.answered)
      return counts.ratio(
        counts.covariance,
        counts.disagreement(truth, truth).squareRoot()
          * counts.disagreement(answered, answered).squareRoot(), orElse: .singleClass)
    })

  package static let precision = Metric(
    name: "precision",
    meaning: "The share of the class's answers that are right.", scope: .perClass,
    classTime: { counts, code in counts.answered[code] },
    formula: .classes { counts, code in
      counts.ratio(counts.right[code], counts.answered[code], orElse: .neverAnswered)
    })

  package static let recall = Metric(
    name: "recall",
    meaning: "The share of the class's labeled time that is answered correctly.", scope: .perClass,
    classTime: { counts, code in counts.truth[code] },
    formula: .classes { counts, code in
      counts.ratio(counts.right[code], counts.truth[code], orElse: .noTruth)
    })

  package static let falsePlankShare = Metric(
    name: "false_plank_share",
    meaning: "The share of time without a plank in which a plank is predicted.",
    higherIsBetter: false, scope: .session, classTime: { counts, _ in counts.truth[0] },
    formula: .classes { counts, _ in
      counts.ratio(counts.missed[0], counts.truth[0], orElse: .noTruth)
    })

  package static let f1 = Metric(
    name: "f1", meaning: "The harmonic mean of precision and recall of the class.",
    scope: .perClass, classTime: { counts, code in counts.truth[code] + counts.answered[code] },
    formula: .classes { counts, code in
      counts.ratio(
        2 * counts.right[code], counts.truth[code] + counts.answered[code], orElse: .occursNowhere)
    })
}

/// How much time of each true class got each answer: rows are truth, columns are answers.
///
/// Entries are frames (`Int`) or seconds (`Double`). All classes of the stream are listed in its
/// order, even if they do not occur.
package struct ConfusionMatrix<Count>: Hashable, Sendable
where Count: AdditiveArithmetic & Comparable & Hashable & Sendable {
  package let labels: [String]
  package private(set) var cells: [Count]

  package init(labels: [String]) {
    self.labels = labels
    cells = Array(repeating: .zero, count: labels.count * labels.count)
  }

  package init(labels: [String], rows: [[Count]]) {
    precondition(
      rows.count == labels.count && rows.allSatisfy { $0.count == labels.count },
      "a confusion matrix is square, one row and one column per label")
    self.init(labels: labels, cells: rows.flatMap(\.self))
  }

  init(labels: [String], cells: [Count]) {
    precondition(cells.count == labels.count * labels.count, "one cell per pair of labels")
    precondition(cells.allSatisfy { $0 >= .zero }, "counts are not negative")
    self.labels = labels
    self.cells = cells
  }

  package subscript(truth: Int, answer: Int) -> Count { cells[truth * labels.count + answer] }

  package var rows: [[Count]] { labels.indices.map { row in labels.indices.map { self[row, $0] } } }

  package func truthTotal(_ label: Int) -> Count {
    labels.indices.reduce(.zero) { $0 + self[label, $1] }
  }

  package func answerTotal(_ label: Int) -> Count {
    labels.indices.reduce(.zero) { $0 + self[$1, label] }
  }

  package var total: Count { cells.reduce(.zero, +) }

  package var wrongCells: [(truth: Int, answer: Int)] {
    labels.indices.flatMap { truth in
      labels.indices.filter { $0 != truth }.map { (truth: truth, answer: $0) }
    }
  }

  package var right: Count { labels.indices.reduce(.zero) { $0 + self[$1, $1] } }

  package static func += (left: inout ConfusionMatrix, right: ConfusionMatrix) {
    precondition(left.labels == right.labels, "matrices of different classes do not add up")
    for cell in left.cells.indices { left.cells[cell] += right.cells[cell] }
  }
}

extension ConfusionMatrix: Codable where Count: Codable {
  private enum CodingKeys: String, CodingKey { case labels, rows }

  /// Throws for rows that do not match the labels, for negative counts, and for counts of frames
  /// whose sum is above 2⁵³.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let labels = try container.decode([String].self, forKey: .labels)
    let rows = try container.decode([[Count]].self, forKey: .rows)
    let cells = rows.flatMap(\.self)
    guard rows.count == labels.count, rows.allSatisfy({ $0.count == labels.count }),
      cells.allSatisfy({ $0 >= .zero }), Self.addUp(cells)
    else {
      throw DecodingError.dataCorruptedError(
        forKey: .rows, in: container,
        debugDescription: "needs a row and a column per label, without negative or huge counts")
    }
    self.init(labels: labels, cells: cells)
  }

  private static func addUp(_ cells: [Count]) -> Bool {
    guard let counts = cells as? [Int] else { return true }
    return counts.reduce(0.0) { $0 + Double($1) } <= 0x1p53
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(labels, forKey: .labels)
    try container.encode(rows, forKey: .rows)
  }
}

extension ConfusionMatrix where Count == Int {
  mutating func count(_ truth: Int, _ answer: Int) { cells[truth * labels.count + answer] += 1 }

  package func weighted(by frameSeconds: Double) -> ConfusionMatrix<Double> {
    ConfusionMatrix<Double>(labels: labels, cells: cells.map { Double($0) * frameSeconds })
  }
}

/// The share of the scored frames or seconds that the rules could decide, 0...1.
package struct DeterminedShare: Codable, Hashable, Sendable {
  package let overall: MetricValue
  package let perClass: [String: MetricValue]

  private enum CodingKeys: String, SnakeCaseKey { case overall, perClass }

  init(determined: ConfusionMatrix<Double>, all: ConfusionMatrix<Double>) {
    overall = .ratio(determined.total, all.total, orElse: .noScoredFrames)
    let emptyReason: UndefinedReason = all.total == 0 ? .noScoredFrames : .noTruth
    let shares = all.labels.indices.map { label -> MetricValue in
      .ratio(determined.truthTotal(label), all.truthTotal(label), orElse: emptyReason)
    }
    perClass = Dictionary(uniqueKeysWithValues: zip(all.labels, shares))
  }
}

extension ConfusionMatrix<Double> {
  /// The constant answer that would be right more often than these answers, with its share of time.
  ///
  /// The share is 0...1. The value is nil if no constant answer is better, or if the truth has
  /// fewer than two classes.
  package var betterConstant: (label: String, share: Double)? {
    let shares = labels.indices.map { truthTotal($0) / total }
    guard shares.count(where: { $0 > 0 }) > 1,
      let most = shares.indices.max(by: { shares[$0] < shares[$1] }), right / total < shares[most]
    else { return nil }
    return (labels[most], shares[most])
  }

  /// Whether the mean recall of the true classes is at most that of chance.
  ///
  /// Accuracy would not show this if one class fills most of the time.
  package var isNoBetterThanChance: Bool {
    let recalls = labels.indices.filter { truthTotal($0) > 0 }.map { self[$0, $0] / truthTotal($0) }
    return recalls.reduce(0, +) <= 1 + 1e-9 * Double(recalls.count)
  }
}
