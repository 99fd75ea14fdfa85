internal import ArgumentParser
internal import Workflows

/// `planklab detectors`.
struct Detectors: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the built-in detectors, or show one with its rules and parameters.",
    discussion: """
      Examples:
        planklab detectors
        planklab detectors gravity
        planklab detectors mine.yaml --format json
      """)

  @Argument(help: "A built-in name or a detector file.")
  var name: String?

  @OptionGroup var result: ResultOptions

  func run() async throws {
    try await Terminal.run {
      try result.deliver(
        ListDetectors.run(name, format: result.format, usesColor: result.usesColor))
    }
  }
}
