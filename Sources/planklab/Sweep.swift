internal import ArgumentParser
internal import Workflows

/// `planklab sweep`.
struct Sweep: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Evaluate every configuration of an experiment, exactly, and keep the numbers.",
    discussion: """
      A configuration is a pair of cells, one a stream; every cell is evaluated over every frame as \
      the detector would answer. The numbers go to a store, a transaction a chunk: a sweep that was \
      killed continues with --resume and ends with the same cells. `planklab runs` lists, shows and \
      exports what a store holds.

      Examples:
        planklab sweep experiments/first-steps
        planklab sweep experiments/first-steps --axis sag=0:8cm:1mm --store fine.sqlite
        planklab sweep experiments/first-steps --shard 1/2 --store part.sqlite
        planklab sweep experiments/first-steps --resume
      """)

  @OptionGroup var experiment: ExperimentOptions

  @OptionGroup var store: StoreOptions

  @Flag(help: "Continue the newest run of this experiment in the store.")
  var resume = false

  @Option(help: ArgumentHelp("Only one of n parts of the grid: 1/n to n/n.", valueName: "i/n"))
  var shard: String?

  @Option(help: ArgumentHelp("How many of the best cells are listed.", valueName: "N"))
  var top = 10

  @OptionGroup var result: ResultOptions

  func validate() throws {
    if top < 0 { throw ValidationError("--top \(top): give 0 or more") }
  }

  func run() async throws {
    try await Terminal.run {
      let request = SweepRequest(
        experiment: experiment.request, store: store.store, resumes: resume, shard: shard, top: top,
        format: result.format, usesColor: result.usesColor)
      let bar = ProgressBar()
      return try result.deliver(
        await SweepExperiment.run(request, progress: bar.report, say: Terminal.say))
    }
  }
}
