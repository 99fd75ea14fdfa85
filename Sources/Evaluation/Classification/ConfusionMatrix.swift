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
    precondition(cells.count == labels.count * labels.count, "one cell per pair of labels")
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

  /// The total of an answered class.
  package func answerTotal(_ label: Int) -> Count {
    labels.indices.reduce(.zero) { $0 + self[$1, label] }
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

extension ConfusionMatrix: Codable where Count: Codable {
  private enum CodingKeys: String, CodingKey { case labels, rows }

  /// Reads a matrix.
  ///
  /// - Throws: `DecodingError` for rows that are not as many and as long as there are labels, for
  ///   negative counts, and for counts of frames that add up to more than 2⁵³.
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

  /// Whether the sum of whole counts is exact as a number of JSON; seconds always add up.
  private static func addUp(_ cells: [Count]) -> Bool {
    guard let counts = cells as? [Int] else { return true }
    return counts.reduce(0.0) { $0 + Double($1) } <= 0x1p53
  }

  /// Writes labels and rows.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(labels, forKey: .labels)
    try container.encode(rows, forKey: .rows)
  }
}

extension ConfusionMatrix where Count == Int {
  /// Counts a frame.
  mutating func count(_ truth: Int, _ answer: Int) { cells[truth * labels.count + answer] += 1 }

  /// The matrix with every frame counted as a duration, in seconds.
  package func weighted(by frameSeconds: Double) -> ConfusionMatrix<Double> {
    ConfusionMatrix<Double>(labels: labels, cells: cells.map { Double($0) * frameSeconds })
  }
}

/// The share of the scored frames or seconds that the rules could decide: 0...1.
package struct DeterminedShare: Codable, Hashable, Sendable {
  /// Over all classes.
  package let overall: MetricValue
  /// By true class; undefined if the class has no truth.
  package let perClass: [String: MetricValue]

  private enum CodingKeys: String, CodingKey {
    case overall
    case perClass = "per_class"
  }

  /// Divides the totals of two matrices, determined by all.
  init(determined: ConfusionMatrix<Double>, all: ConfusionMatrix<Double>) {
    overall = .ratio(determined.total, all.total, orElse: .noScoredFrames)
    let emptyReason: UndefinedReason = all.total == 0 ? .noScoredFrames : .noTruth
    let shares = all.labels.indices.map { label -> MetricValue in
      .ratio(determined.truthTotal(label), all.truthTotal(label), orElse: emptyReason)
    }
    perClass = Dictionary(uniqueKeysWithValues: zip(all.labels, shares))
  }
}
