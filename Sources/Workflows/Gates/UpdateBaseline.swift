internal import Evaluation
internal import Foundation
internal import PoseDatasets
internal import PoseModel
internal import Reporting
internal import Specifications

/// Writes a baseline: only when asked, with a reason, from a clean tree.
package enum UpdateBaseline {
  /// What `baseline update` is asked for.
  package struct Request: Sendable {
    /// The gate whose candidate becomes the baseline.
    package var gate: String
    /// Why.
    package var reason: String
    /// The file instead of the gate's.
    package var baseline: String?
    /// Thresholds instead of the gate's.
    package var parameters: String?
    /// Answers instead of the gate's.
    package var predictions: String?
    /// Whether files may differ from the last commit.
    package var allowsDirty: Bool

    /// Makes a request.
    package init(
      gate: String, reason: String, baseline: String? = nil, parameters: String? = nil,
      predictions: String? = nil, allowsDirty: Bool = false
    ) {
      self.gate = gate
      self.reason = reason
      self.baseline = baseline
      self.parameters = parameters
      self.predictions = predictions
      self.allowsDirty = allowsDirty
    }
  }

  /// Evaluates and writes.
  ///
  /// - Throws: `WorkflowFailure`: `usage` without a reason or a file to write, `cannotCreate` where
  ///   something else is in its place, `badData` for a tree with changes, `notComparable` where nothing was scored.
  package static func run(
    _ request: Request, progress: @escaping ProgressReport
  ) async throws(WorkflowFailure) -> Outcome {
    guard request.reason.contains(where: { !$0.isWhitespace }) else {
      throw WorkflowFailure(.usage, "--reason: is empty; say why the numbers may move")
    }
    let gate = try GateFile.read(
      request.gate,
      GateFile.Overrides(
        parameters: request.parameters, predictions: request.predictions,
        baseline: request.baseline))
    guard let path = gate.baseline else {
      throw WorkflowFailure(
        .usage, "\(request.gate): names no baseline; add `baseline:` to it, or give --baseline")
    }
    try OutputFile.checkBaseline(path)
    let tree = try cleanTree(path, gate: request.gate, allowsDirty: request.allowsDirty)
    let candidate = try await GateCandidate.evaluate(gate, progress: progress)
    guard candidate.report.dataset.counts.scored > 0 else {
      throw WorkflowFailure(
        .notComparable, "\(gate.dataset): no frame is scored; a baseline needs labels")
    }
    let baseline = try make(candidate, reason: request.reason, tree)
    let text = baseline.text(
      format: BaselineSpecification.format, schemaVersion: BaselineSpecification.schemaVersion)
    try OutputFile.write(text, to: path)
    return Outcome(
      "wrote \(path): \(baseline.metrics.count) metrics, \(baseline.sequences.count) sequences, "
        + "\(baseline.subjects) subjects\n", remarks: candidate.remarks)
  }

  private static func cleanTree(
    _ path: String, gate: String, allowsDirty: Bool
  ) throws(WorkflowFailure) -> GitTree.State? {
    let folder = gate.lastIndex(of: "/").map { String(gate[...$0]) } ?? "."
    guard let tree = GitTree.state(around: folder, ignoring: path) else { return nil }
    guard !tree.isDirty || allowsDirty else {
      throw WorkflowFailure(
        .badData,
        "the working tree differs from its commit, which would then name other numbers; commit "
          + "first, or give --allow-dirty")
    }
    return tree
  }

  private static func make(
    _ candidate: GateCandidate, reason: String, _ tree: GitTree.State?
  ) throws(WorkflowFailure) -> Baseline {
    let report = candidate.report
    let scores = candidate.runs.map(\.evaluation.scores)
    return Baseline(
      reason: reason, facts: try facts(report, tree), dataset: report.dataset.identity,
      subjects: SubjectPools(scores, .plank).subjects.count,
      frameCostRatio: candidate.frameCostRatio,
      metrics: BaselineAccess.lines(scores, intervals: true),
      sequences: candidate.runs.map(\.answers))
  }

  private static func facts(
    _ report: EvaluationReport, _ tree: GitTree.State?
  ) throws(WorkflowFailure) -> [String: String] {
    let parameters = report.detector.parameters.map { "\($0.key)=\($0.value)\($0.unit)" }
      .joined(separator: " ")
    let rules = report.detector.plankRules + report.detector.formRules
    let described = ([report.detector.name, parameters] + rules).joined(separator: "\n")
    let digest = try DatasetAccess.failing { () throws(DatasetError) in
      try SHA256Digest(of: Array(described.utf8))
    }
    var facts = [
      "date": Date().formatted(.iso8601), "program": try ProgramIdentity.text(),
      "detector": report.detector.name, "parameters": parameters,
      "parameters_hash": "\(digest)", "commit": tree?.commit ?? "none",
      "tree": tree.map { $0.isDirty ? "dirty" : "clean" } ?? "none",
    ]
    for fact in report.provenance where ["smoothing", "debounce"].contains(fact.key) {
      facts[fact.key] = fact.value
    }
    return facts
  }
}
