internal import ArgumentParser
internal import Workflows

/// `planklab smoothers`.
struct Smoothers: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List smoothing filters and debounce rules, or compare smoothers on a dataset.",
    discussion: """
      A strategy is a text that a shell passes unquoted: steps joined by +, each with parameters.

      Examples:
        planklab smoothers
        planklab smoothers one-euro
        planklab smoothers --format json
        planklab smoothers compare my-data --output smoothers-report
      """,
    subcommands: [List.self, Compare.self], defaultSubcommand: List.self)
}

extension Smoothers {
  /// `planklab smoothers list`.
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the smoothing filters and debounce rules, or show one with its parameters.")

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
}
