internal import ArgumentParser
internal import Essentials
internal import Evaluation
internal import Parallelism
internal import PoseDatasets
internal import PoseModel

/// The gate, and what the command line replaces in it.
struct GateOptions: ParsableArguments {
  @Argument(help: "The gate's file.")
  var gate: String

  @Option(help: ArgumentHelp("Use this baseline instead of the gate's.", valueName: "FILE"))
  var baseline: String?

  @Option(
    help: ArgumentHelp("Use these thresholds instead of the gate's.", valueName: "THRESHOLDS.json"))
  var parameters: String?

  @Option(help: ArgumentHelp("Judge the answers in a folder, not a detector.", valueName: "DIR"))
  var predictions: String?
}

extension GateSettings {
  /// Reads the gate given on the command line; its paths are relative to its folder.
  ///
  /// - Parameter dataset: the dataset that replaces the file's; nil to keep the file's.
  /// - Throws: with the exit code `noInput` for a missing file, `badData` for a mistake in it.
  init(_ options: GateOptions, dataset named: String? = nil) throws {
    let path = options.gate
    let text = try InputText.read(path)
    self = try GateSpecification.parse(text, file: path)
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    func seen(_ name: String) -> String { name.hasPrefix("/") ? name : Self.plain(folder + name) }
    dataset = named ?? seen(dataset)
    baseline = options.baseline ?? baseline.map(seen)
    parameters = parameters.map(seen)
    predictions = predictions.map(seen)
    if let name = detector, BenchDetector.isFile(name) { detector = seen(name) }
    if let thresholds = options.parameters {
      parameters = thresholds
      detector = nil
      predictions = nil
    }
    if let answers = options.predictions { predictions = answers }
    try checkInputs(options, isDatasetNamed: named != nil)
  }

  /// A path without detours through `.` and `name/..`, which would be hard to read.
  ///
  /// A link to a folder is kept, because its parent is not the one that its path suggests.
  private static func plain(_ path: String) -> String {
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
  var candidate: String {
    if let predictions { return "answers in \(predictions)" }
    return parameters ?? detector ?? BenchDetector.standard
  }

  /// Checks the values of the file that no option replaces, so that a mistake is reported with its
  /// line.
  ///
  /// - Throws: with the exit code `noInput` for files that do not exist, `badData` for a split that
  ///   the dataset does not have.
  private func checkInputs(_ options: GateOptions, isDatasetNamed: Bool) throws {
    var inputs: [(field: String, path: String, what: String)] = []
    if !isDatasetNamed { inputs.append(("dataset", dataset, "dataset")) }
    if options.parameters == nil, options.predictions == nil {
      if let path = parameters { inputs.append(("parameters", path, "file")) }
      if let path = predictions { inputs.append(("predictions", path, "folder")) }
      if let name = detector, BenchDetector.isFile(name) {
        inputs.append(("detector", name, "file"))
      }
    }
    for (field, path, what) in inputs where !FileManager.default.fileExists(atPath: path) {
      throw WorkflowFailure(
        .noInput,
        places.message(
          [field],
          "\(path): no such \(what); write its path relative to the folder of this file"))
    }
    try checkSplit()
  }

  private func checkSplit() throws {
    guard let split else { return }
    let reader = try DatasetAccess.open(dataset)
    do {
      _ = try reader.sequences(split: split)
    } catch {
      throw WorkflowFailure(.badData, places.message(["split"], "\(error)"))
    }
  }
}

/// An evaluation that a gate judges or a baseline keeps.
struct GateCandidate: Sendable {
  /// The data.
  let dataset: Evaluation.DatasetIdentity
  /// The whole report.
  let report: EvaluationReport
  /// The detector with its parameters and strategies; nil for answers of a folder.
  let thresholds: Thresholds?
  /// The answers of each sequence.
  let runs: [SequenceRun]
  /// The median cost per frame over that of the calibration loop; nil if nothing was timed.
  let frameCostRatio: Double?
  /// Notes about the inputs that are not part of the result.
  let remarks: [String]

  /// Evaluates the candidate of a gate.
  static func evaluate(
    _ gate: GateSettings, progress: @escaping ProgressReport
  ) async throws -> GateCandidate {
    let detector =
      gate.predictions == nil
      ? try BenchDetector(
        gate.detector, thresholds: gate.parameters, assignments: gate.assignments,
        smoothing: gate.smoothing, debounce: gate.debounce, source: .file(gate.places))
      : try BenchDetector()
    let found = try await DatasetEvaluation(
      of: DatasetCollection(opening: [gate.dataset], split: gate.split, progress: progress),
      detector: detector, predictions: gate.predictions, progress: progress)
    let cost = gate.predictions == nil ? found.report.timing?.frameCost?.p50.value : nil
    let ratio = cost.map { $0 / CalibrationLoop.seconds() }
    return GateCandidate(
      dataset: found.dataset, report: found.report,
      thresholds: gate.predictions == nil ? Thresholds(detector) : nil, runs: found.runs,
      frameCostRatio: ratio, remarks: found.remarks)
  }

  /// The side of a gate.
  var side: GateSide {
    GateSide(
      sequences: runs.map(\.evaluation.scores), frameCostRatio: frameCostRatio)
  }
}
