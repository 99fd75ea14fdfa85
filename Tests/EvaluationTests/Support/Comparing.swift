import Evaluation
import Foundation
import PoseModel

/// Whether two metrics agree: both undefined for one reason, or numbers within a tolerance.
func agree(_ left: MetricValue, _ right: MetricValue, within tolerance: Double = 1e-9) -> Bool {
  guard let one = left.number, let other = right.number else { return left == right }
  return abs(one - other) <= tolerance
}

/// Whether a metric is a number near another; nil stands for undefined.
func isNear(_ left: MetricValue, _ right: Double?, within tolerance: Double = 1e-9) -> Bool {
  guard let one = left.number, let other = right else { return left.number == nil && right == nil }
  return abs(one - other) <= tolerance
}

/// Whether two sets of metrics agree.
func agree(_ left: ClassificationMetrics, _ right: ClassificationMetrics) -> Bool {
  zip(left.overall + left.byClass, right.overall + right.byClass).allSatisfy {
    $0.excluded == $1.excluded && agree($0.value, $1.value)
  }
}

/// An identity for tests that are not about it.
let anyDataset = DatasetIdentity(
  name: "tests", hash: "00", posesHash: "01", labelsHash: "02", manifestHash: "03")

/// A detector for tests that are not about it.
let anyDetector = DetectorFacts(name: "scripted", description: "Answers from a script.")

/// A report over scenarios.
func report(_ scenarios: [Scenario]) -> EvaluationReport {
  EvaluationReport(
    dataset: anyDataset, detector: anyDetector, outcomes: scenarios.map(\.outcome))
}

/// A committed file of cases with the values that a published implementation gave.
enum GoldenFile {
  /// Reads the cases of a file in `Goldens`.
  static func cases<Case: Decodable>(_ name: String, of type: Case.Type) -> [Case] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Goldens/\(name)")
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let content = try? decoder.decode(Content<Case>.self, from: Data(contentsOf: file))
    return content?.cases ?? []
  }

  private struct Content<Case: Decodable>: Decodable {
    let cases: [Case]
  }
}
