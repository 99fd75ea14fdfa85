internal import Statistics

/// How much time of each true class got each answer: rows are truth, columns answers.
///
/// Cells are frames (`Int`) or seconds (`Double`). Classes are in the order of the stream, whether
/// they occur or not.
package struct ConfusionMatrix<Count>: Hashable, Sendable
where Count: AdditiveArithmetic & Comparable & Hashable & Sendable {
  /// The classes, in the order of rows and columns.
  package let labels: [String]
  /// The cells, row after row.
  package private(set) var cells: [Count]

  /// Makes a matrix of zeros.
  package init(labels: [String]) {
    self.labels = labels
    cells = Array(repeating: .zero, count: labels.count * labels.count)
  }

  /// Makes a matrix from its rows.
  ///
  /// - Precondition: as many rows, and numbers per row, as labels; none is negative.
  package init(labels: [String], rows: [[Count]]) {
    precondition(
      rows.count == labels.count && rows.allSatisfy { $0.count == labels.count },
      "a confusion matrix is square, one row and one column per label")
    self.init(labels: labels, cells: rows.flatMap(\.self))
  }

  /// Makes a matrix from its cells, row after row.
  init(labels: [String], cells: [Count]) {
    precondition(cells.count == labels.count * labels.count, "one cell a pair of labels")
    precondition(cells.allSatisfy { $0 >= .zero }, "counts are not negative")
    self.labels = labels
    self.cells = cells
  }

  /// A cell.
  package subscript(truth: Int, answer: Int) -> Count { cells[truth * labels.count + answer] }

  /// The cells by row.
  package var rows: [[Count]] {
    labels.indices.map { row in labels.indices.map { self[row, $0] } }
  }

  /// The total of a true class.
  package func truthTotal(_ label: Int) -> Count {
    labels.indices.reduce(.zero) { $0 + self[label, $1] }
  }

  /// The total.
  package var total: Count { cells.reduce(.zero, +) }

  /// The total answered right.
  package var right: Count { labels.indices.reduce(.zero) { $0 + self[$1, $1] } }

  /// Adds a matrix of the same labels, cell by cell.
  package static func += (left: inout ConfusionMatrix, right: ConfusionMatrix) {
    precondition(left.labels == right.labels, "matrices of different classes do not add up")
    for cell in left.cells.indices { left.cells[cell] += right.cells[cell] }
  }
}

extension ConfusionMatrix where Count == Int {
  /// The matrix with every frame counted as a duration, in seconds.
  package func weighted(by frameSeconds: Double) -> ConfusionMatrix<Double> {
    ConfusionMatrix<Double>(labels: labels, cells: cells.map { Double($0) * frameSeconds })
  }
}

/// The share of the scored frames or seconds that the rules could decide: 0...1.
package struct DeterminedShare: Hashable, Sendable {
  /// Over all classes.
  package let overall: MetricValue
  /// By true class, in the order of the stream; undefined if the class has no truth.
  package let perClass: [MetricValue]

  /// Divides the totals of two matrices, determined by all.
  init(determined: ConfusionMatrix<Double>, all: ConfusionMatrix<Double>) {
    overall = .ratio(determined.total, all.total, orElse: .noScoredFrames)
    let emptyReason: UndefinedReason = all.total == 0 ? .noScoredFrames : .noTruth
    perClass = all.labels.indices.map {
      .ratio(determined.truthTotal($0), all.truthTotal($0), orElse: emptyReason)
    }
  }
}
