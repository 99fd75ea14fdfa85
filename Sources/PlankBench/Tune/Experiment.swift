internal import FoundationEssentials
internal import ParameterTuning
internal import PlankDetection
internal import PoseDatasets

/// A question put to a dataset: which parameters are tried, on what, and what is wanted of them.
struct Experiment: Sendable {
  /// The question in words.
  let question: String?
  /// The folders or manifests of the datasets, as they are written.
  let datasets: [String]
  /// The tag that tells sources apart within a dataset; nil where each dataset is one source.
  let sourceTag: String?
  /// The split to use; nil for all sequences.
  let split: String?
  /// Detectors, smoothings, axes and the constraints between them.
  let grid: GridDefinition
  /// What is wanted: one goal a stream at most; the first chooses detector and smoothing.
  let goals: [TuningGoal]
  /// Validation, resamples, refinement and seed.
  let options: TuningOptions
  /// Where all of it stands.
  let places: SettingPlaces
}

/// What an experiment names and only its surroundings can find: detectors.
struct ExperimentContext: Sendable {
  /// The detector of a built-in name or a file; throws where there is none.
  let detector: @Sendable (String) throws -> DetectorDefinition

  /// Makes a context.
  init(detector: @escaping @Sendable (String) throws -> DetectorDefinition) {
    self.detector = detector
  }
}

/// Reads an experiment from YAML.
///
/// ```yaml
/// question: How deep may hips hang before they sag?
/// dataset: ../../datasets/studio/generated   # seen from this file; or a list, each a source
/// source_tag: venue                          # optional: a tag that tells sources apart
/// split: train                               # optional
/// detector: [gravity, trunk]                 # a name, a file, or a list to choose from
/// smoothing: none                            # or a list to choose from
/// debounce: parameters                       # as plank_frames and form_frames say, or a list
/// parameters: {plank_frames: 5}              # values that no axis varies
/// axes:
///   sag: {from: 0cm, to: 8cm, step: 0.5cm}
///   pike: [3cm, 5cm, 8cm]
///   elbow_split: {quantiles: 24}             # of what was measured
/// objective: form.balanced_accuracy          # or a list: one metric of each stream
/// constraints:                               # on metrics, and between parameters
///   - form.excess_transitions_per_minute <= 2
///   - sag <= pike
/// tolerance: 0.005                           # differences of the objective that count as none
/// validation: leave-one-subject-out          # or leave-one-source-out, {subject_folds: 5}, none;
///                                            # unless stated, at most 20 folds
/// resamples: 100
/// refine: true
/// seed: 7
/// ```
enum ExperimentSpecification {
  static let keys = [
    "question", "dataset", "source_tag", "split", "detector", "smoothing", "debounce", "parameters",
    "axes",
    "objective", "constraints", "tolerance", "validation", "allow_ungrouped", "resamples", "refine",
    "seed",
  ]

  /// Reads an experiment.
  ///
  /// - Parameters:
  ///   - text: the YAML text.
  ///   - file: how errors name it.
  ///   - overrides: what the command line puts in the place of the file's words.
  ///   - context: finds detectors and smoothings.
  /// - Throws: `YAMLError` with file, line and remedy for every mistake; mistakes in overrides
  ///   name the option instead of a file.
  static func parse(
    _ text: String, file: String, overrides: ExperimentOverrides = ExperimentOverrides(),
    context: ExperimentContext
  ) throws(YAMLError) -> Experiment {
    let root = try YAMLDocument(text: text, file: file).root
    let map = try root.map()
    try map.rejectUnknownKeys(known: keys)
    let (goals, relations) = try GoalSpecification.parse(map)
    let grid = try GridSpecification(map, overrides, context).grid(relations)
    var datasets = overrides.datasets
    if datasets.isEmpty {
      for node in try map.required("dataset").strings() { datasets.append(try node.string()) }
    }
    var split = overrides.split
    if split == nil { split = try map.optional("split")?.string() }
    return Experiment(
      question: try map.optional("question")?.string(), datasets: datasets,
      sourceTag: try map.optional("source_tag")?.string(), split: split,
      grid: grid, goals: goals, options: try options(map, overrides),
      places: SettingPlaces(root))
  }

  private static func options(
    _ map: YAMLMap, _ overrides: ExperimentOverrides
  ) throws(YAMLError) -> TuningOptions {
    var options = TuningOptions()
    if let node = map.optional("validation") { options.validation = try scheme(node) }
    if let node = map.optional("allow_ungrouped") { options.allowsUngrouped = try node.bool() }
    if let node = map.optional("refine") { options.refines = try node.bool() }
    if let node = map.optional("resamples") {
      options.resamples = try node.integer(in: 0...10_000)
    }
    if let node = map.optional("seed") { options.seed = try node.seed() }
    if let seed = overrides.seed { options.seed = seed }
    return options
  }

  private static func scheme(_ node: YAMLNode) throws(YAMLError) -> ValidationScheme? {
    if case .mapping = node.content {
      let map = try node.map()
      try map.rejectUnknownKeys(known: ["subject_folds"])
      return .subjectFolds(try map.required("subject_folds").integer(in: 2...1000))
    }
    return try node.choice([
      (word: "leave-one-subject-out", value: ValidationScheme?.some(.leaveOneSubjectOut)),
      (word: "leave-one-source-out", value: .leaveOneSourceOut),
      (word: "none", value: nil),
    ])
  }
}

extension YAMLNode {
  /// The node as a whole number in a range.
  func integer(in range: ClosedRange<Int>) throws(YAMLError) -> Int {
    let value = try integer()
    guard range.contains(value) else {
      throw error(
        allowed: "\(range.lowerBound) to \(range.upperBound)",
        remedy: "write a whole number in that range")
    }
    return value
  }

  /// The texts of a single value or of a list.
  func strings() throws(YAMLError) -> [YAMLNode] {
    guard case .sequence(let elements) = content else { return [self] }
    guard !elements.isEmpty else {
      throw error(allowed: "at least one value", remedy: "name one, or remove the key")
    }
    return elements
  }
}

/// An experiment's file, and what its names stand for.
enum ExperimentFile {
  /// The name of the file in an experiment's folder.
  static let name = "experiment.yaml"

  /// Reads an experiment.
  ///
  /// Paths in the file are seen from the file's folder.
  ///
  /// - Throws: `WorkflowFailure`: `noInput` for a missing file, `badData` for a mistake in it,
  ///   `usage` for a mistake in an option.
  static func read(_ request: ExperimentRequest) throws(WorkflowFailure) -> Experiment {
    let file = path(of: request.file)
    let folder = parent(of: file)
    let text = try InputText.read(file)
    let context = ExperimentContext { name in
      let isBuiltIn = DetectorDefinition.builtIn(named: name) != nil
      let path = isBuiltIn ? name : inside(folder, name)
      return try BenchDetector(path).plain(named: path).definition
    }
    let overrides = try request.overrides()
    do {
      return try ExperimentSpecification.parse(
        text, file: file, overrides: overrides, context: context)
    } catch {
      let message = "\(error)"
      throw WorkflowFailure(message.hasPrefix("--") ? .usage : .badData, message)
    }
  }

  /// The experiment's name: its folder's, or the file's without its ending.
  static func title(_ request: ExperimentRequest) -> String {
    var parts = path(of: request.file).split(separator: "/").map(String.init)
    guard let last = parts.popLast() else { return request.file }
    if last == name, let folder = parts.last(where: { $0 != "." && $0 != ".." }) { return folder }
    return last.split(separator: ".").first.map(String.init) ?? last
  }

  /// The paths of the datasets, seen from the current folder.
  static func datasets(_ request: ExperimentRequest, _ experiment: Experiment) -> [String] {
    guard request.datasets.isEmpty else { return request.datasets }
    let folder = parent(of: path(of: request.file))
    return experiment.datasets.map { inside(folder, $0) }
  }

  private static func path(of file: String) -> String {
    var isFolder = false
    guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder), isFolder else {
      return file
    }
    return (file.hasSuffix("/") ? file : file + "/") + name
  }

  private static func parent(of file: String) -> String {
    guard let slash = file.lastIndex(of: "/") else { return "" }
    return String(file[...slash])
  }

  private static func inside(_ folder: String, _ path: String) -> String {
    path.hasPrefix("/") ? path : folder + path
  }
}
