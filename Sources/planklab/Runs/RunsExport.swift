internal import ArgumentParser
internal import Workflows

extension ExportRun.Format: ExpressibleByArgument {}
extension StreamChoice: ExpressibleByArgument {}

/// `planklab runs export`.
struct RunsExport: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the cells of a run as CSV or JSON lines.",
    discussion: """
      CSV has a row a cell: parameters, counts, and every metric pooled over all subjects. JSON \
      lines have the same and all numbers by subject. The same cells give the same bytes, however \
      often the sweep was interrupted.

      Examples:
        planklab runs export --format csv --stream form --output form.csv
        planklab runs export --format jsonl | gzip > cells.jsonl.gz
      """)

  @Argument(help: "The run's id, or the beginning of it; the newest run unless given.")
  var run: String?

  @Option(help: "csv or jsonl.")
  var format: ExportRun.Format

  @Option(help: "Only the cells of one stream: plank or form.")
  var stream: StreamChoice?

  @OptionGroup var store: StoreOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write to a file instead of stdout.", valueName: "FILE"))
  var output: String?

  func run() async throws {
    try await Terminal.run {
      let request = ExportRun.Request(
        run: run, store: store.store, format: format, stream: stream)
      let progress = ProgressBar().report
      guard let output else {
        return try ExportRun.run(request, progress: progress, to: Terminal.writeResult)
      }
      let file = try StagedFile(destination: output)
      var outcome = try ExportRun.run(request, progress: progress, to: file.write)
      try file.commit()
      outcome.remarks.append("wrote \(output)")
      return outcome
    }
  }
}
