internal import ArgumentParser
internal import PoseModel
internal import Reports
internal import Tuning

struct Smoothers: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List smoothing filters and debounce rules, or compare smoothers on a dataset.",
    discussion: """
      A strategy is a filter or rule, or several joined by +, each with its parameters. In a \
      shell, a strategy needs no quotes.

      Examples:
        planklab smoothers
        planklab smoothers one-euro
        planklab smoothers bands
        planklab smoothers --format json
        planklab smoothers compare my-data --folder smoothers-report
      """,
    subcommands: [List.self, Compare.self], defaultSubcommand: List.self)

  struct List: ReportingCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the smoothing filters and debounce rules, or show one with its parameters.")

    @Argument(help: "The filter or rule to show.", completion: .strategy)
    var name: String?

    @OptionGroup var result: ResultOptions

    func outcome() throws -> Outcome {
      let entries = StrategyCatalogue.smoothing + StrategyCatalogue.debounce
      guard name == nil || entries.contains(where: { $0.name == name }) else {
        let names = entries.map(\.name).filter { $0 != "none" } + ["none"]
        throw WorkflowFailure(
          .usage,
          "no smoother `\(name ?? "")`; "
            + NearestNames.choice(name ?? "", of: "smoothers", names))
      }
      let listing = StrategyListing(name)
      return try result.outcome(content: listing, document: listing.document)
    }
  }
}
