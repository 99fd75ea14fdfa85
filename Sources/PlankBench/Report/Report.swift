internal import ArgumentParser

struct ReportCommand: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Make an HTML page from saved results, without running anything again.",
    discussion: """
      One self-contained HTML file that needs no network: the verdict first, then confusion \
      matrices in frames, seconds and shares, classes, figures and provenance. It takes the JSON \
      results of evaluate, compare, gate, tune, sweep, smoothers compare and replay. Several results \
      get a tab each, and their matrices can be subtracted.

      Examples:
        planklab evaluate my-data --output result.json
        planklab report --from result.json --html report.html --open
        planklab compare my-data article gravity --output compare.json
        planklab report --from result.json --from compare.json --html both.html
        planklab report --from before.json --from after.json --html report.html
      """)

  @Option(
    name: .customLong("from"),
    help: ArgumentHelp(
      "A result in JSON, as `--format json` prints it; may be repeated.",
      valueName: "RESULT.json"),
    completion: .file(extensions: ["json"]))
  var results: [String] = []

  @Option(help: ArgumentHelp("The page to write.", valueName: "FILE"))
  var html: String

  @OptionGroup var opening: OpenOption

  func validate() throws {
    if results.isEmpty {
      throw ValidationError("Give a saved result: `--from result.json`.")
    }
  }

  func outcome() throws -> Outcome {
    try OutputFile.checkReport(html)
    let saved = try results.map { try SavedResult(path: $0) }
    try ReportPage.write(saved, to: html)
    return Outcome("wrote \(html)\n", remarks: opening.show(html))
  }
}
