internal import ArgumentParser
internal import PlankDetection
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
      return try result.outcome(
        content: StrategyListing(name), document: StrategyList.document(name))
    }
  }
}

private enum StrategyList {
  static func document(_ name: String?) -> Document {
    var document = Document()
    for (title, entries) in [
      ("Smoothing, for --smoothing", StrategyCatalogue.smoothing),
      ("Debounce, for --debounce", StrategyCatalogue.debounce),
    ] {
      let chosen = entries.filter { name == nil || $0.name == name }
      guard !chosen.isEmpty else { continue }
      document.heading(title)
      document.table(overview(chosen))
      // Any threshold may have a band, so bands have their own screen, `planklab smoothers bands`.
      document.table(parameters(name == nil ? chosen.filter(\.hasDefaults) : chosen))
    }
    guard name == nil else { return document }
    document.heading("How to write a strategy")
    document.list(grammar.map { StyledText($0) })
    return document
  }

  private static let grammar: [String] = [
    """
    Join steps with +, first to last. Omitted parameters take their defaults: \
    median:frames=5+one-euro:minCutoff=1Hz,beta=0.5@joints
    """,
    """
    @joints (the default) smooths coordinates; @measurements smooths what is measured from them. \
    Put steps for joints first. Give the length of a window as frames=9 or seconds=0.3s.
    """,
    """
    A debounce rule with @plank or @form applies only to that stream; without either, it applies to both: \
    dwell:enter=0.3s,exit=0.5s@plank+vote@form
    """,
    """
    For hysteresis around thresholds, bands:side_rise=2cm,elbow_split=5deg gives half the width of \
    each band. Other thresholds have no band. `planklab smoothers bands` lists the thresholds.
    """,
    "The rule `parameters` leaves debounce to plank_frames and form_frames.",
  ]

  private static func overview(_ entries: [StrategyCatalogue.Entry]) -> Table {
    var table = Table([.words("name"), .words("what it does"), .words("example")])
    for entry in entries {
      table.row([
        StyledText(entry.name, .strong), StyledText(entry.summary), StyledText(entry.example),
      ])
    }
    return table
  }

  private static func parameters(_ entries: [StrategyCatalogue.Entry]) -> Table {
    var table = Table([
      .words("name"), .words("parameter"), .number("default"), .words("unit"), .number("from"),
      .number("to"), .words("meaning"),
    ])
    for entry in entries {
      for parameter in entry.parameters {
        let isOther = !entry.hasDefaults || entry.alternatives.dropFirst().contains(parameter.key)
        table.row([
          StyledText(entry.name), StyledText(parameter.key.rawValue, .strong),
          StyledText(isOther ? "" : NumberText.shortest(parameter.defaultValue)),
          StyledText(parameter.unit.rawValue),
          StyledText(NumberText.shortest(parameter.range.lowerBound)),
          StyledText(NumberText.shortest(parameter.range.upperBound)),
          StyledText(parameter.meaning),
        ])
      }
    }
    return table
  }
}

private struct StrategyListing: Encodable {
  struct Entry: Encodable {
    let name: String
    let summary: String
    let causal: Bool
    let text: String
    let alternatives: [String]
    let parameters: [ParameterListing]

    init(_ entry: StrategyCatalogue.Entry) {
      name = entry.name
      summary = entry.summary
      causal = entry.isCausal
      text = entry.example
      alternatives = entry.alternatives.map(\.rawValue)
      parameters = entry.parameters.map { ParameterListing($0, hasDefault: entry.hasDefaults) }
    }
  }

  let smoothing: [Entry]
  let debounce: [Entry]

  init(_ name: String?) {
    func list(_ entries: [StrategyCatalogue.Entry]) -> [Entry] {
      entries.filter { name == nil || $0.name == name }.map { Entry($0) }
    }
    smoothing = list(StrategyCatalogue.smoothing)
    debounce = list(StrategyCatalogue.debounce)
  }
}
