internal import ArgumentParser

extension OutputFormat: ExpressibleByArgument {}

/// Which detector runs with which numbers.
struct DetectorOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "article, gravity, scaled, trunk, or a detector file (gravity).",
      discussion: "`planklab detectors` lists what is built in.", valueName: "NAME|FILE.yaml"))
  var detector: String?

  @Option(
    help: ArgumentHelp(
      "Detector and parameters that `planklab tune` wrote.", valueName: "THRESHOLDS.json"))
  var parameters: String?

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "Set a parameter, e.g. sag=3cm or plank_frames=5; may be repeated.", valueName: "key=value"))
  var assignments: [String] = []

  /// The choice as workflows take it.
  var choice: DetectorChoice {
    DetectorChoice(name: detector, thresholds: parameters, assignments: assignments)
  }
}

/// How frames are smoothed and answers steadied.
struct SteadyingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Smooth joints or measurements, e.g. one-euro:minCutoff=1Hz,beta=0.5@joints (none).",
      discussion: "`planklab smoothers` lists all.", valueName: "STRATEGY"))
  var smoothing: String?

  @Option(
    help: ArgumentHelp(
      "Debounce answers, e.g. dwell:enter=0.3s,exit=0.5s (plank_frames and form_frames).",
      valueName: "STRATEGY"))
  var debounce: String?

  /// The choice as workflows take it.
  var choice: SteadyingChoice { SteadyingChoice(smoothing: smoothing, debounce: debounce) }
}

/// In which form a result comes, and where it goes.
struct ResultOptions: ParsableArguments {
  @Option(help: "text, json or markdown.")
  var format: OutputFormat = .text

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write the result to a file instead of stdout.", valueName: "FILE"))
  var output: String?

  /// Whether text may be colored.
  var usesColor: Bool { output == nil && Terminal.usesColor }

  /// Puts a result where it belongs.
  func deliver(_ outcome: Outcome) throws -> Outcome {
    guard let output else { return outcome }
    try OutputFile.writeReport(outcome.text, to: output)
    var rest = outcome
    rest.text = ""
    rest.remarks.append("wrote \(output)")
    return rest
  }
}
