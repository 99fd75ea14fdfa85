internal import ArgumentParser
internal import Workflows

/// `planklab synthesize`.
struct Synthesize: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make a dataset of labeled synthetic recordings from a script.",
    discussion: """
      A studio films people who do every plank right and wrong, and much that is no plank, from \
      all sides and distances. The same script gives the same bytes. Presets of noise: clean, \
      article (white, as published), phone (colored, with confusions and dropouts), harsh. \
      `--list` teaches how scripts are written.

      Examples:
        planklab synthesize --preset phone --subjects 12 --seed 1 --output studio
        planklab synthesize datasets/studio/studio.yaml --output datasets/studio/generated
        planklab synthesize my-session.yaml --output desk
        planklab synthesize --list
      """)

  @Argument(help: "The script; leave it out for a studio of --preset.")
  var script: String?

  @Option(help: ArgumentHelp("clean, article, phone or harsh.", valueName: "NAME"))
  var preset: String?

  @Option(help: ArgumentHelp("How many people (12).", valueName: "N"))
  var subjects: Int?

  @Option(help: ArgumentHelp("From which seed (1).", valueName: "S"))
  var seed: UInt64?

  @Option(
    help: ArgumentHelp(
      "At least how many frames (300000); every task is filmed once in any case.", valueName: "N"))
  var frames: Int?

  @Flag(help: "List presets, postures and every number of a script.")
  var list = false

  @Option(help: "The list as text or markdown.")
  var format: OutputFormat = .text

  @Option(name: .shortAndLong, help: ArgumentHelp("The folder to make.", valueName: "DIR"))
  var output: String?

  func run() async throws {
    try await Terminal.run {
      if list { return try ListSynthesis.run(format: format, usesColor: Terminal.usesColor) }
      guard let output else {
        throw WorkflowFailure(.usage, "give --output with the folder to make")
      }
      let request = SynthesizeRequest(
        script: script, preset: preset, subjects: subjects, seed: seed, frames: frames,
        output: output)
      return try await SynthesizeDataset.run(request, progress: ProgressBar().report)
    }
  }
}
