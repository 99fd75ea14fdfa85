import Foundation
import PoseModel

@testable import Evaluation

/// Whether two metrics agree: both undefined for one reason, or numbers within a tolerance.
func agree(_ left: MetricValue, _ right: MetricValue, within tolerance: Double = 1e-9) -> Bool {
  guard let one = left.number, let other = right.number else { return left == right }
  return abs(one - other) <= tolerance
}

/// Whether a metric is a number near another one; nil means undefined.
func isNear(_ left: MetricValue, _ right: Double?, within tolerance: Double = 1e-9) -> Bool {
  guard let one = left.number, let other = right else { return left.number == nil && right == nil }
  return abs(one - other) <= tolerance
}

/// Whether two lists of metrics agree.
func agree(_ left: [MetricResult], _ right: [MetricResult]) -> Bool {
  left.map(\.key) == right.map(\.key)
    && zip(left, right).allSatisfy {
      $0.excluded == $1.excluded && agree($0.value, $1.value)
    }
}

extension ScoreView {
  /// Every metric of a confusion, of the stream and of its classes.
  var classification: [MetricResult] {
    results(.classification) + results(.classification, .perClass)
  }
}

extension StabilityCounts {
  /// The value of a metric that is made from changes.
  subscript(metric: Metric) -> MetricValue {
    switch metric.formula {
    case .changes(let formula): formula(changes)
    case .stability(let formula): formula(self)
    default: .undefined(.notMeasured)
    }
  }
}

/// The catalogue's metrics of a matrix whose classes need not be those of a stream.
struct MatrixMetrics {
  /// A metric; of a class if it is a per-class metric.
  struct Result {
    let metric: Metric
    let label: String?
    let value: MetricValue
    let excluded: [String]
  }

  let labels: [String]
  let counts: ClassCounts

  init(_ matrix: ConfusionMatrix<Double>) {
    labels = matrix.labels
    counts = ClassCounts(matrix)
  }

  subscript(metric: Metric, code: Int = 0) -> MetricValue {
    guard case .classes(let formula) = metric.formula else { return .undefined(.notMeasured) }
    return formula(counts, code)
  }

  /// Classes that a mean leaves out.
  func excluded(_ metric: Metric) -> [String] {
    metric.averaged.flatMap { part in
      labels.indices.filter { self[part, $0].number == nil }.map { labels[$0] }
    }
  }

  var overall: [Result] {
    Metric.classification.filter { $0.scope == .stream }.map {
      Result(metric: $0, label: nil, value: self[$0], excluded: excluded($0))
    }
  }

  var byClass: [Result] {
    Metric.classification.filter { $0.scope == .perClass }.flatMap { metric in
      labels.indices.map {
        Result(metric: metric, label: labels[$0], value: self[metric, $0], excluded: [])
      }
    }
  }
}

/// Whether the metrics of two matrices agree.
func agree(_ left: MatrixMetrics, _ right: MatrixMetrics) -> Bool {
  zip(left.overall + left.byClass, right.overall + right.byClass).allSatisfy {
    $0.excluded == $1.excluded && agree($0.value, $1.value)
  }
}

/// A detector for tests that do not depend on it.
let anyDetector = DetectorFacts(name: "scripted", description: "Answers from a script.")

/// A report over scenarios.
func report(_ scenarios: [Scenario]) -> EvaluationReport {
  EvaluationReport(
    detector: anyDetector,
    sequences: scenarios.map { SequenceEvaluation($0.outcome, detail: .report) })
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
