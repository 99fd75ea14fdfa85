internal import ArgumentParser
internal import Workflows

/// `planklab smoothers`.
struct Smoothers: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the smoothing filters and debounce rules, or show one with its parameters.",
    discussion: """
      A strategy is a text that a shell passes unquoted: steps joined by +, each with parameters.

      Examples:
        planklab smoothers
        planklab smoothers one-euro
        planklab smoothers --format json
      """)

  @Argument(help: "One filter or rule.")
  var name: String?

  @OptionGroup var result: ResultOptions

  func run() async throws {
    try await Terminal.run {
      try result.deliver(
        ListSmoothers.run(name, format: result.format, usesColor: result.usesColor))
    }
  }
}
