internal import PlankDetection
internal import Platform
internal import PoseDatasets
internal import Tuning

/// A question put to data: which parameters to try, on which data, for which goals.
///
/// `docs/tuning.md`, An experiment, has the format of its file.
struct Experiment: Sendable {
  static let fileName = "experiment.yaml"

  let question: String?
  let datasets: [String]
  let sourceTag: String?
  let split: String?
  let grid: GridDefinition
  /// The goals: at most one per stream; the first chooses detector and smoothing.
  let goals: [TuningGoal]
  var options: TuningOptions
  let places: SettingPlaces
  let flags: ExperimentOptions

  init(_ flags: ExperimentOptions) throws {
    let file = try flags.file
    try self.init(InputText.read(file), at: file, flags)
  }

  init(_ text: String, at file: String, _ flags: ExperimentOptions) throws {
    let axes = try flags.axisTexts()
    do {
      try self.init(text, file: file, flags, axes: axes)
    } catch let error as FieldError {
      throw WorkflowFailure(error.file == file ? .badData : .usage, "\(error)")
    }
  }

  /// Paths in the text are relative to the file's folder; mistakes in flags are reported with the
  /// option instead of the file.
  init(_ text: String, file: String, _ flags: ExperimentOptions, axes: [AxisText]) throws {
    let root = try YAMLDocument(text: text, file: file).root
    let map = try root.map()
    try map.rejectUnknownKeys(known: Self.keys)
    var flags = flags
    flags.takeDefaults(besides: map)
    let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    let (goals, relations) = try GoalSpecification.parse(map)
    grid = try GridSpecification(map: map, flags: &flags, optionAxes: axes, folder: folder)
      .grid(relations)
    self.goals = goals
    question = try map.optional("question")?.string()
    var datasets = flags.datasets
    if datasets.isEmpty {
      for node in try map.required("dataset").strings() {
        datasets.append(Self.path(try node.string(), in: folder))
      }
    }
    self.datasets = datasets
    sourceTag = try map.optional("source_tag")?.string()
    split = try flags.split == nil ? map.optional("split")?.string() : flags.split
    options = try Self.options(map, flags)
    places = SettingPlaces(root)
    self.flags = flags
  }

  static func path(_ path: String, in folder: String) -> String {
    path.hasPrefix("/") ? path : folder + path
  }

  private static let keys = [
    "question", "dataset", "source_tag", "split", "detector", "smoothing", "debounce", "parameters",
    "axes", "objective", "constraints", "tolerance", "validation", "allow_ungrouped", "resamples",
    "refine", "seed",
  ]

  private static func options(_ map: YAMLMap, _ flags: ExperimentOptions) throws -> TuningOptions {
    var options = TuningOptions()
    if let node = map.optional("validation") { options.validation = try scheme(node) }
    if let node = map.optional("allow_ungrouped") { options.allowsUngrouped = try node.bool() }
    if let node = map.optional("refine") { options.refines = try node.bool() }
    if let node = map.optional("resamples") {
      options.resamples = try node.integer(in: 0...10_000)
    }
    if let node = map.optional("seed") { options.seed = try node.seed() }
    if let seed = flags.seed { options.seed = seed }
    if flags.allowUngrouped { options.allowsUngrouped = true }
    options.jobs = flags.jobs ?? max(1, ProcessInfo.processInfo.activeProcessorCount)
    options.engine = flags.engine
    return options
  }

  private static func scheme(_ node: YAMLNode) throws -> ValidationScheme? {
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
  func integer(in range: ClosedRange<Int>) throws -> Int {
    let value = try integer()
    guard range.contains(value) else {
      throw error(
        allowed: "\(range.lowerBound) to \(range.upperBound)",
        remedy: "write a whole number in that range")
    }
    return value
  }

  func strings() throws -> [YAMLNode] {
    guard case .sequence(let elements) = content else { return [self] }
    guard !elements.isEmpty else {
      throw error(allowed: "at least one value", remedy: "give one, or remove the key")
    }
    return elements
  }
}
