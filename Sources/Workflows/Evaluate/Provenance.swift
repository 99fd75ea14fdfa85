internal import Evaluation

/// How a result came to be, without anything that differs between equal runs.
package enum Provenance {
  /// The program's version.
  package static let version = "0.1.0"

  /// The facts of an evaluation.
  static func facts(
    _ request: EvaluateRequest, _ steady: SteadyDetector
  ) -> [EvaluationReport.Provenance] {
    var facts = [
      EvaluationReport.Provenance(key: "program", value: "planklab " + version),
      EvaluationReport.Provenance(key: "command", value: "evaluate"),
      EvaluationReport.Provenance(key: "dataset_path", value: request.dataset),
      EvaluationReport.Provenance(key: "detector", value: request.detector.name),
    ]
    if !request.detector.assignments.isEmpty {
      facts.append(
        .init(key: "set", value: request.detector.assignments.joined(separator: " ")))
    }
    if let thresholds = request.detector.thresholds {
      facts.append(.init(key: "parameters", value: thresholds))
    }
    if request.predictions == nil {
      facts.append(.init(key: "smoothing", value: steady.smoothingText))
      facts.append(.init(key: "debounce", value: steady.debounceText))
    }
    if let predictions = request.predictions {
      facts.append(.init(key: "predictions", value: predictions))
    }
    return facts
  }
}
