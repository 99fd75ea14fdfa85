internal import ArgumentParser
internal import Workflows

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

  @Option(help: ArgumentHelp("Another dataset.", valueName: "DIR"))
  var dataset: String?

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
      debounces: debounce, dataset: dataset, split: split,
      seed: seed, allowsUngrouped: allowUngrouped, allowsLarge: allowLarge, engine: engine,
      jobs: jobs)
  }
}
