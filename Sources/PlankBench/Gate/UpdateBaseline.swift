internal import Evaluation
internal import Foundation
internal import PoseDatasets
internal import PoseModel

/// Writes a baseline: only when asked, with a reason, from a clean tree.
enum UpdateBaseline {
  /// What `baseline update` is asked for.
  struct Request: Sendable {
    /// The gate whose candidate becomes the baseline.
    var gate: String
    /// Why.
    var reason: String
    /// The file instead of the gate's.
    var baseline: String?
    /// Thresholds instead of the gate's.
    var parameters: String?
    /// Answers instead of the gate's.
    var predictions: String?
    /// Whether files may differ from the last commit.
    var allowsDirty: Bool

    /// Makes a request.
    init(
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
  static func run(
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

/// A fixed piece of arithmetic whose time stands for the machine's speed at this moment.
///
/// Costs are stated as multiples of it, measured in the same process, so that a gate on cost does
/// not depend on which machine runs it.
enum CalibrationLoop {
  /// The least of several times of the loop, in seconds.
  static func seconds(repeats: Int = 15) -> Double {
    let clock = ContinuousClock()
    var least = Double.infinity
    var sum = 0.0
    for _ in 0..<repeats {
      let start = clock.now
      sum += run()
      let parts = (clock.now - start).components
      least = min(least, Double(parts.seconds) + Double(parts.attoseconds) * 1e-18)
    }
    // The sum is used, so that no compiler leaves the work out.
    return sum.isFinite ? least : .nan
  }

  /// Ten thousand steps of a logistic map: each needs the one before.
  private static func run() -> Double {
    var value = 0.4
    for _ in 0..<10_000 { value = 3.9 * value * (1 - value) }
    return value
  }
}

/// What git says of the folder that a file is in.
enum GitTree {
  /// The commit, and whether files differ from it.
  struct State: Hashable, Sendable {
    var commit: String
    var isDirty: Bool
  }

  /// The state of the working tree around a folder; nil where there is none.
  ///
  /// - Parameter ignored: a file that may differ, because it is about to be written.
  static func state(around folder: String, ignoring ignored: String) -> State? {
    guard let commit = git(["rev-parse", "HEAD"], folder),
      let status = git(["status", "--porcelain", "--untracked-files=all"], folder),
      let root = git(["rev-parse", "--show-toplevel"], folder)
    else { return nil }
    let place = URL(filePath: ignored).resolvingSymlinksInPath().path
    let changed = status.split(separator: "\n").filter { line in
      let name = line.dropFirst(3).trimmingCharacters(in: CharacterSet(charactersIn: "\""))
      return URL(filePath: root + "/" + name).resolvingSymlinksInPath().path != place
    }
    return State(commit: commit, isDirty: !changed.isEmpty)
  }

  private static func git(_ arguments: [String], _ folder: String) -> String? {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["git", "-C", folder] + arguments
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    do { try process.run() } catch { return nil }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    var text = String(decoding: data, as: UTF8.self)
    while text.last?.isNewline == true { text.removeLast() }
    return text
  }
}
