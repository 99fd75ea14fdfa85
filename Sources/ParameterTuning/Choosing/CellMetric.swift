package import Evaluation
package import PoseModel

/// A metric that the sufficient statistics of a cell can tell, by its name in reports.
package struct CellMetric: Hashable, Sendable, CustomStringConvertible {
  /// What is computed.
  package enum Kind: Hashable, Sendable {
    /// A metric of the pooled confusion, over seconds.
    case classification(Metric, label: Int?)
    /// Changes of the answer a minute.
    case transitions
    /// max(0, predicted - true) changes a minute.
    case excessTransitions
    /// A quantile of the detection latency in seconds; missed events are censored, not left out.
    case detectionLatency(quantile: Double)
    /// The share of true events whose class was answered before they ended.
    case hitRate
  }

  /// The stream.
  package let stream: AnswerStream
  /// What is computed.
  package let kind: Kind
  /// The name, for example `plank.recall[high]`.
  package let description: String

  /// Whether larger numbers are better.
  package var higherIsBetter: Bool {
    switch kind {
    case .classification, .hitRate: true
    case .transitions, .excessTransitions, .detectionLatency: false
    }
  }

  /// The metric of a name.
  ///
  /// - Throws: `TuningError.unknownMetric` for a name that cells cannot tell.
  package init(_ name: String) throws(TuningError) {
    guard let match = Self.all.first(where: { $0.description == name }) else {
      throw .unknownMetric(name, available: Self.all.map(\.description))
    }
    self = match
  }

  private init(_ stream: AnswerStream, _ kind: Kind, _ name: String) {
    self.stream = stream
    self.kind = kind
    description = name
  }

  /// Every metric of both streams, in the order of the catalogue.
  package static let all: [CellMetric] = AnswerStream.allCases.flatMap { stream in
    classification(stream) + [
      CellMetric(stream, .transitions, Metric.transitionsPerMinute.key(in: stream)),
      CellMetric(stream, .excessTransitions, Metric.excessTransitionsPerMinute.key(in: stream)),
      CellMetric(
        stream, .detectionLatency(quantile: 0.5), "\(stream.rawValue).detection_latency_p50_s"),
      CellMetric(
        stream, .detectionLatency(quantile: 0.9), "\(stream.rawValue).detection_latency_p90_s"),
      CellMetric(stream, .hitRate, "\(stream.rawValue).hit_rate"),
    ]
  }

  private static func classification(_ stream: AnswerStream) -> [CellMetric] {
    let overall: [Metric] = [
      .accuracy, .balancedAccuracy, .f1Macro, .f1Weighted, .cohenKappa, .matthewsCorrelation,
    ]
    let byClass: [Metric] = [.precision, .recall, .f1]
    return overall.map {
      CellMetric(stream, .classification($0, label: nil), $0.key(in: stream))
    }
      + byClass.flatMap { metric in
        stream.labels.enumerated().map { index, label in
          CellMetric(
            stream, .classification(metric, label: index), metric.key(in: stream, label: label))
        }
      }
  }
}
