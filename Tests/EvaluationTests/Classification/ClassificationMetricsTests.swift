import Evaluation
import Foundation
import PoseModel
import TestSupport
import Testing

@Suite("Classification metrics")
struct ClassificationMetricsTests {
  private func metrics(_ rows: [[Double]]) -> MatrixMetrics {
    let labels = rows.count == 2 ? ["no", "yes"] : ["aligned", "sag", "pike"]
    return MatrixMetrics(ConfusionMatrix(labels: labels, rows: rows))
  }

  @Test("Two classes by hand")
  func twoClasses() {
    let result = metrics([[50, 9], [4, 37]])
    #expect(isNear(result[.accuracy], 0.87))
    #expect(isNear(result[.balancedAccuracy], (50.0 / 59 + 37.0 / 41) / 2))
    let (no, yes) = (100.0 / 113, 74.0 / 87)
    #expect(isNear(result[.f1Macro], (no + yes) / 2))
    #expect(isNear(result[.f1Weighted], 0.59 * no + 0.41 * yes))
    // Chance: (59 54 + 41 46) / 100^2 = 0.5072.
    #expect(isNear(result[.cohenKappa], 0.3628 / 0.4928))
    // (50 37 - 9 4) / sqrt(59 41 54 46)
    #expect(isNear(result[.matthewsCorrelation], 1814 / 6_008_796.0.squareRoot()))
    #expect(result.counts.truth[1] == 41)
  }

  @Test("A class that occurs nowhere is left out of the macro F1 and named")
  func absentClass() {
    let result = metrics([[2, 0, 0], [1, 1, 0], [0, 0, 0]])
    #expect(isNear(result[.f1Macro], (4.0 / 5 + 2.0 / 3) / 2))
    #expect(result.excluded(.f1Macro) == ["pike"])
    #expect(result.overall.map(\.excluded) == [[], ["pike"], ["pike"], ["pike"], [], [], []])
    #expect(result[.f1, 2] == .undefined(.occursNowhere))
    #expect(result[.recall, 2] == .undefined(.noTruth))
    #expect(result[.precision, 2] == .undefined(.neverAnswered))
  }

  @Test("A class that is only answered counts 0 in the macro F1 and not in balanced accuracy")
  func classOnlyAnswered() {
    // The example of `docs/metrics.md`: y = 0, 0, 1, 1 and p = 0, 0, 2, 0.
    let result = metrics([[2, 0, 0], [1, 0, 1], [0, 0, 0]])
    #expect(isNear(result[.f1Macro], 4.0 / 15))
    #expect(isNear(result[.balancedAccuracy], 0.5))
    #expect(result.excluded(.f1Macro).isEmpty)
    #expect(isNear(result[.f1MacroTruth], 0.4))
    #expect(result.excluded(.f1MacroTruth) == ["pike"])
    #expect(result.excluded(.balancedAccuracy) == ["pike"])
    #expect(isNear(result[.cohenKappa], 0.2))
  }

  @Test("Nothing scored leaves every value undefined, for that reason")
  func empty() {
    let result = metrics([[0, 0], [0, 0]])
    let values = (result.overall + result.byClass).map(\.value)
    #expect(values.allSatisfy { $0 == .undefined(.noScoredFrames) })
  }

  @Test("One class answered as itself leaves kappa and correlation undefined")
  func singleClass() {
    let result = metrics([[7, 0], [0, 0]])
    #expect(result[.accuracy] == .value(1))
    #expect(result[.f1Macro] == .value(1))
    #expect(result[.cohenKappa] == .undefined(.certainAgreement))
    #expect(result[.matthewsCorrelation] == .undefined(.singleClass))
  }
}

/// Values that scikit-learn computed; `scripts/oracles` says how.
@Suite("Classification metrics goldens")
struct ClassificationMetricsGoldenTests {
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let labels: [String]
    let confusion: [[Double]]
    let weighted: Bool
    /// By the name of the metric; nil is undefined.
    let expected: [String: Expected?]
    var testDescription: String { name }
  }

  /// The number of a metric, or the numbers of its classes.
  struct Expected: Decodable, Sendable {
    let number: Double?
    let byClass: [String: Double?]?

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      number = try? container.decode(Double.self)
      byClass = number == nil ? try container.decode([String: Double?].self) : nil
    }
  }

  static let cases = GoldenFile.cases(
    "EvaluationTests/Goldens/classification_metrics.json", of: Case.self)

  @Test("The file is there and has cases of both streams, in frames and in seconds")
  func fileIsComplete() {
    #expect(Self.cases.count >= 100)
    for stream in AnswerStream.allCases {
      let own = Self.cases.filter { $0.labels == stream.labels }
      #expect(own.contains { $0.weighted } && own.contains { !$0.weighted })
    }
  }

  @Test("Every metric is what scikit-learn says", arguments: cases)
  func agreesWithScikitLearn(golden: Case) throws {
    let metrics = MatrixMetrics(ConfusionMatrix(labels: golden.labels, rows: golden.confusion))
    let results = metrics.overall + metrics.byClass
    #expect(Set(results.map(\.metric.name)) == Set(golden.expected.keys))
    for result in results {
      let found = try #require(golden.expected[result.metric.name])
      let expected =
        if let label = result.label { try #require(found?.byClass?[label]) } else { found?.number }
      #expect(isNear(result.value, expected), "\(result.metric.name) \(result.label ?? "")")
    }
  }
}

@Suite("Confusion matrix")
struct ConfusionMatrixTests {
  private let matrix = ConfusionMatrix(
    labels: ["aligned", "sag", "pike"], rows: [[5, 2, 0], [1, 7, 0], [0, 3, 9]])

  @Test("Matrices add up cell by cell")
  func sum() {
    var sum = ConfusionMatrix<Int>(labels: matrix.labels)
    #expect(sum.total == 0)
    sum += matrix
    sum += matrix
    #expect(sum.rows == [[10, 4, 0], [2, 14, 0], [0, 6, 18]])
  }

  @Test(
    "A saved matrix that is not square, is negative or overflows is refused",
    arguments: [
      "[[1, 2], [3]]", "[[1, 2]]", "[[1, 2], [3, 4], [5, 6]]", "[[1, -2], [3, 4]]",
      "[[9000000000000000000, 9000000000000000000], [1, 1]]", "[]",
    ])
  func refusals(rows: String) {
    let text = "{\"labels\": [\"aligned\", \"sag\"], \"rows\": \(rows)}"
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(ConfusionMatrix<Int>.self, from: Data(text.utf8))
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.debugDescription.contains("a row and a column per label"))
  }
}
