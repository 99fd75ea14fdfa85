internal import ArgumentParser
internal import Workflows

/// `planklab dataset lint`.
struct DatasetLint: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Check every file of a dataset and say what is wrong, where, and what to do.",
    discussion: """
      Errors exit 65. Warnings exit 0, or 65 with --strict: duplicate recordings, stretches of \
      frames that two recordings share, missing subjects, recordings that claim camera axes and \
      look like pelvis axes, label times beside a frame or beyond the recording, and more.
      """)

  @Argument(help: "The dataset's folder, or its dataset.yaml.")
  var dataset: String

  @Flag(help: "Treat warnings as errors.")
  var strict = false

  @OptionGroup var result: ResultOptions

  func run() async throws {
    try await Terminal.run {
      try result.deliver(
        LintDataset.run(
          dataset, isStrict: strict, format: result.format, usesColor: result.usesColor))
    }
  }
}
