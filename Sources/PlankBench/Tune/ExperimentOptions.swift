internal import ArgumentParser
internal import ParameterTuning

extension EngineChoice: ExpressibleByArgument {}

/// Which experiment runs, and what the command line changes of it.
struct ExperimentOptions: ParsableArguments {
  @Argument(help: "The experiment's folder or its experiment.yaml.")
  var experiment: String

  @Option(
    name: .customLong("axis"),
    help: ArgumentHelp(
      "Replace or add an axis; may be repeated.",
      discussion: "sag=0:8cm:5mm, plank_frames=1,3,5 or elbow_split=quantiles:24.",
      valueName: "key=values"))
  var axes: [String] = []

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Fix a parameter, which ends its axis; may be repeated.", valueName: "key=value"))
  var assignments: [String] = []

  @Option(
    help: ArgumentHelp(
      "Another smoothing; may be repeated to choose from several.", valueName: "STRATEGY"))
  var smoothing: [String] = []

  @Option(
    help: ArgumentHelp(
      "Another debounce; may be repeated to choose from several.", valueName: "STRATEGY"))
  var debounce: [String] = []

  @Option(
    name: .customLong("dataset"),
    help: ArgumentHelp(
      "Another dataset; may be repeated, each is a source of its own.", valueName: "DIR"))
  var datasets: [String] = []

  @Option(help: ArgumentHelp("Another split.", valueName: "NAME"))
  var split: String?

  @Option(help: ArgumentHelp("Another seed for folds and resamples.", valueName: "S"))
  var seed: UInt64?

  @Flag(help: "Let sequences without a subject stand for themselves.")
  var allowUngrouped = false

  @Flag(
    help: ArgumentHelp(
      "Go on beyond 10 GB of store or 8 GB of memory.",
      discussion: "What will be needed is estimated and said before anything is evaluated."))
  var allowLarge = false

  @Option(help: "auto, bit-parallel or streaming; their numbers are equal.")
  var engine: EngineChoice = .auto

  @Option(
    name: .shortAndLong, help: ArgumentHelp("How many cores work (all).", valueName: "N"))
  var jobs: Int?

  func validate() throws {
    if let jobs, jobs < 1 { throw ValidationError("--jobs \(jobs): give 1 or more") }
  }

  /// The request as workflows take it.
  var request: ExperimentRequest {
    ExperimentRequest(
      file: experiment, axes: axes, assignments: assignments, smoothings: smoothing,
      debounces: debounce, datasets: datasets, split: split,
      seed: seed, allowsUngrouped: allowUngrouped, allowsLarge: allowLarge, engine: engine,
      jobs: jobs)
  }
}

/// An experiment with what a command line changes of it.
struct ExperimentRequest: Sendable {
  /// The experiment's file, or the folder that holds an `experiment.yaml`.
  var file: String
  /// Axes as `--axis` gives them.
  var axes: [String]
  /// Assignments as `--set` gives them.
  var assignments: [String]
  /// Smoothings as `--smoothing` gives them.
  var smoothings: [String]
  /// Debounces as `--debounce` gives them.
  var debounces: [String]
  /// The datasets instead of the experiment's, seen from the current folder; empty keeps those.
  var datasets: [String]
  /// The split instead of the experiment's.
  var split: String?
  /// The seed instead of the experiment's.
  var seed: UInt64?
  /// Whether sequences without a subject stand for themselves.
  var allowsUngrouped: Bool
  /// Whether a store or tables may be larger than they usually should.
  var allowsLarge: Bool
  /// The engine.
  var engine: EngineChoice
  /// How many cores work; nil takes all.
  var jobs: Int?

  /// Makes a request.
  init(
    file: String, axes: [String] = [], assignments: [String] = [],
    smoothings: [String] = [], debounces: [String] = [], datasets: [String] = [],
    split: String? = nil, seed: UInt64? = nil, allowsUngrouped: Bool = false,
    allowsLarge: Bool = false, engine: EngineChoice = .auto, jobs: Int? = nil
  ) {
    self.file = file
    self.axes = axes
    self.assignments = assignments
    self.smoothings = smoothings
    self.debounces = debounces
    self.datasets = datasets
    self.split = split
    self.seed = seed
    self.allowsUngrouped = allowsUngrouped
    self.allowsLarge = allowsLarge
    self.engine = engine
    self.jobs = jobs
  }

  /// The overrides, read.
  func overrides() throws(WorkflowFailure) -> ExperimentOverrides {
    var texts: [AxisText] = []
    for axis in axes {
      do {
        texts.append(try AxisText(assignment: axis))
      } catch {
        throw WorkflowFailure(.usage, "--axis \(axis): \(error)")
      }
    }
    var named = Set(assignments.map { String($0.prefix { $0 != "=" }) })
    for text in texts where !named.insert(text.key).inserted {
      throw WorkflowFailure(
        .usage, "--axis \(text.key): is named twice, as an axis or with --set; keep one of them")
    }
    return ExperimentOverrides(
      axes: texts, assignments: assignments, smoothings: smoothings, debounces: debounces,
      datasets: datasets, split: split, seed: seed)
  }
}

/// What evaluates cells, as a user asks for it.
enum EngineChoice: String, CaseIterable, Hashable, Sendable {
  /// The bit-parallel engine where it can express the experiment, else the streaming detector.
  case auto
  /// 64 frames a word and eight cells side by side.
  case bitParallel = "bit-parallel"
  /// The production rules and debounce, frame by frame.
  case streaming

  /// The engine of a sweep.
  var sweepEngine: SweepEngine {
    switch self {
    case .auto: .automatic
    case .bitParallel: .bitParallel
    case .streaming: .streaming
    }
  }
}

/// What a command line puts in the place of an experiment's own words.
struct ExperimentOverrides: Hashable, Sendable {
  /// Axes that replace those of the same parameter, or come after the others.
  var axes: [AxisText]
  /// Values of parameters that no axis varies, such as `plank_frames=5`; they end an axis.
  var assignments: [String]
  /// Smoothings in text form, in the place of the experiment's; empty keeps those.
  var smoothings: [String]
  /// Debounces in text form, in the place of the experiment's; empty keeps those.
  var debounces: [String]
  /// The datasets, in the place of the experiment's; empty keeps those.
  var datasets: [String]
  /// The split.
  var split: String?
  /// The seed.
  var seed: UInt64?

  /// Makes overrides; none unless given.
  init(
    axes: [AxisText] = [], assignments: [String] = [], smoothings: [String] = [],
    debounces: [String] = [], datasets: [String] = [], split: String? = nil, seed: UInt64? = nil
  ) {
    self.axes = axes
    self.assignments = assignments
    self.smoothings = smoothings
    self.debounces = debounces
    self.datasets = datasets
    self.split = split
    self.seed = seed
  }
}
