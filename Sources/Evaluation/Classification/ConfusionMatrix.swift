internal import Statistics

/// How much time of each true class got each answer: rows are truth, columns answers.
///
/// Cells are frames (`Int`) or seconds (`Double`). Classes are in the order of the stream, whether
/// they occur or not.
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

  package var rows: [[Count]] {
    labels.indices.map { row in labels.indices.map { self[row, $0] } }
  }

  package func truthTotal(_ label: Int) -> Count {
    labels.indices.reduce(.zero) { $0 + self[label, $1] }
  }

  package func answerTotal(_ label: Int) -> Count {
    labels.indices.reduce(.zero) { $0 + self[$1, label] }
  }

  package var total: Count { cells.reduce(.zero, +) }

  package var right: Count { labels.indices.reduce(.zero) { $0 + self[$1, $1] } }

  package static func += (left: inout ConfusionMatrix, right: ConfusionMatrix) {
    precondition(left.labels == right.labels, "matrices of different classes do not add up")
    for cell in left.cells.indices { left.cells[cell] += right.cells[cell] }
  }
}

extension ConfusionMatrix: Codable where Count: Codable {
  private enum CodingKeys: String, CodingKey { case labels, rows }

  /// Throws for rows that do not match the labels, negative counts, and counts of frames that add
  /// up to more than 2⁵³.
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

/// The share of the scored frames or seconds that the rules could decide: 0...1.
package struct DeterminedShare: Codable, Hashable, Sendable {
  package let overall: MetricValue
  package let perClass: [String: MetricValue]

  private enum CodingKeys: String, CodingKey {
    case overall
    case perClass = "per_class"
  }

  init(determined: ConfusionMatrix<Double>, all: ConfusionMatrix<Double>) {
    overall = .ratio(determined.total, all.total, orElse: .noScoredFrames)
    let emptyReason: UndefinedReason = all.total == 0 ? .noScoredFrames : .noTruth
    let shares = all.labels.indices.map { label -> MetricValue in
      .ratio(determined.truthTotal(label), all.truthTotal(label), orElse: emptyReason)
    }
    perClass = Dictionary(uniqueKeysWithValues: zip(all.labels, shares))
  }
}
