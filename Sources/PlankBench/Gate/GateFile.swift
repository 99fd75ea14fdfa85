internal import Evaluation
internal import FoundationEssentials
internal import PoseDatasets
internal import PoseModel

/// Reads a gate's file; paths in it are seen from its folder.
enum GateFile {
  /// What the command line puts in the place of the file's words.
  struct Overrides: Sendable {
    var dataset: String?
    var parameters: String?
    var predictions: String?
    var baseline: String?
  }

  /// Reads a gate.
  ///
  /// - Throws: `WorkflowFailure`: `noInput` for a missing file, `badData` for a mistake in it.
  static func read(_ path: String, _ overrides: Overrides) throws(WorkflowFailure) -> GateSettings {
    let text = try InputText.read(path)
    var gate: GateSettings
    do {
      gate = try GateSpecification.parse(text, file: path)
    } catch {
      throw WorkflowFailure(.badData, "\(error)")
    }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    func seen(_ name: String) -> String { name.hasPrefix("/") ? name : plain(folder + name) }
    gate.dataset = overrides.dataset ?? seen(gate.dataset)
    gate.baseline = overrides.baseline ?? gate.baseline.map(seen)
    gate.parameters = gate.parameters.map(seen)
    gate.predictions = gate.predictions.map(seen)
    if let name = gate.detector, isFile(name) {
      gate.detector = seen(name)
    }
    if let parameters = overrides.parameters {
      gate.parameters = parameters
      gate.detector = nil
      gate.predictions = nil
    }
    if let predictions = overrides.predictions { gate.predictions = predictions }
    try checkInputs(gate, overrides)
    return gate
  }

  /// A path without the detours of `.` and of `name/..`, which people would have to follow.
  ///
  /// A folder that is a link is left as it is: what is above it is not what its name says.
  static func plain(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      let isDetour = part == ".." && parts.last != nil && parts.last != ".."
      let place = (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
      let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: place)) != nil
      if isDetour && !isLink { parts.removeLast() } else { parts.append(part) }
    }
    let plain = (path.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
    return plain.isEmpty ? "." : plain
  }

  /// The candidate in words.
  static func candidate(_ gate: GateSettings) -> String {
    if let predictions = gate.predictions { return "answers in \(predictions)" }
    return gate.parameters ?? gate.detector ?? BenchDetector.standard
  }
}

extension GateFile {
  /// Checks what the file names and no option replaces, so that a mistake has its line.
  ///
  /// - Throws: `WorkflowFailure`: `noInput` for files that do not exist, `badData` for a split that
  ///   the dataset does not have.
  static func checkInputs(
    _ gate: GateSettings, _ overrides: Overrides
  ) throws(WorkflowFailure) {
    var inputs: [(field: String, path: String, what: String)] = []
    if overrides.dataset == nil { inputs.append(("dataset", gate.dataset, "dataset")) }
    if overrides.parameters == nil, overrides.predictions == nil {
      if let path = gate.parameters { inputs.append(("parameters", path, "file")) }
      if let path = gate.predictions { inputs.append(("predictions", path, "folder")) }
      if let name = gate.detector, isFile(name) { inputs.append(("detector", name, "file")) }
    }
    for (field, path, what) in inputs where !FileManager.default.fileExists(atPath: path) {
      throw WorkflowFailure(
        .noInput,
        gate.places.message(
          [field],
          "\(path): no such \(what); write its path as seen from the folder of this file"))
    }
    try checkSplit(gate)
  }

  /// Whether a detector's name is a path.
  static func isFile(_ name: String) -> Bool { name.hasSuffix(".yaml") || name.contains("/") }

  private static func checkSplit(_ gate: GateSettings) throws(WorkflowFailure) {
    guard let split = gate.split else { return }
    let reader = try DatasetAccess.open(gate.dataset)
    do {
      _ = try reader.sequences(split: split)
    } catch {
      throw WorkflowFailure(.badData, gate.places.message(["split"], "\(error)"))
    }
  }
}

/// An evaluation that a gate judges or a baseline keeps.
struct GateCandidate: Sendable {
  /// The whole report.
  let report: EvaluationReport
  /// What each sequence left behind.
  let runs: [SequenceRun]
  /// The median cost of a frame over that of the calibration loop; nil where nothing was timed.
  let frameCostRatio: Double?
  /// What is to be said of the inputs and is no part of the result.
  let remarks: [String]

  /// Evaluates what a gate names.
  static func evaluate(
    _ gate: GateSettings, progress: @escaping ProgressReport
  ) async throws(WorkflowFailure) -> GateCandidate {
    let detector =
      gate.predictions == nil
      ? try BenchDetector(
        gate.detector, thresholds: gate.parameters, assignments: gate.assignments,
        smoothing: gate.smoothing, debounce: gate.debounce, source: .file(gate.places))
      : try BenchDetector()
    let found = try await DatasetEvaluation(
      of: gate.dataset, split: gate.split, detector: detector, predictions: gate.predictions,
      progress: progress)
    let cost = gate.predictions == nil ? found.report.timing?.frameCost?.p50.value : nil
    let ratio = cost.map { $0 / CalibrationLoop.seconds() }
    return GateCandidate(
      report: found.report, runs: found.runs, frameCostRatio: ratio,
      remarks: found.remarks)
  }

  /// The side of a gate.
  var side: GateSide {
    GateSide(
      sequences: runs.map(\.evaluation.scores), frameCostRatio: frameCostRatio)
  }
}
