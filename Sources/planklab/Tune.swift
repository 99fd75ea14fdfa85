internal import ArgumentParser
internal import Workflows

/// `planklab tune`.
struct Tune: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Recommend parameters for an experiment, with the evidence.",
    discussion: """
      Sweeps the whole grid, keeps the constraints, takes the center of the plateau instead of \
      the peak, tries exact values inside it, and repeats all of this without each person in turn \
      to tell how good the choice is for people it has not seen.

      Examples:
        planklab tune experiments/sag-and-pike --output thresholds.json
        planklab tune experiments/sag-and-pike --axis sag=0:8cm:2mm --picture surface.svg
        planklab evaluate my-data --parameters thresholds.json
      """)

  @OptionGroup var experiment: ExperimentOptions
  @Option(help: "How the report is printed: text, json or markdown.")
  var format: OutputFormat = .text

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write the recommendation with its evidence.", valueName: "FILE.json"))
  var output: String?

  @Option(help: ArgumentHelp("Draw the objective along the axes.", valueName: "FILE.svg"))
  var picture: String?

  func run() async throws {
    try await Terminal.run {
      try await TuneExperiment.run(
        TuneExperiment.Request(
          experiment: experiment.request, output: output, picture: picture, format: format,
          usesColor: Terminal.usesColor),
        progress: ProgressBar().report, say: Terminal.say)
    }
  }
}
