internal import ArgumentParser
internal import Workflows

/// `planklab labels`.
struct LabelsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "labels",
    abstract: "Import labels made elsewhere, and compare two annotators.",
    subcommands: [LabelsCompare.self, LabelsImport.self])
}

/// `planklab labels compare`.
struct LabelsCompare: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Say how far two people agree: kappa, boundaries, matrices in seconds.",
    discussion: """
      The agreement of two people is the ceiling of every score. Beside a recording, \
      NAME.second.labels.csv holds the second person's labels; `evaluate` then shows the ceiling.
      """)

  @Argument(help: "The first person's labels.")
  var first: String

  @Argument(help: "The second person's labels.")
  var second: String

  @Option(
    help: ArgumentHelp("Compare at the frames of a recording, not at 100 Hz.", valueName: "FILE"))
  var recording: String?

  @OptionGroup var result: ResultOptions

  func run() async throws {
    try await Terminal.run {
      try result.deliver(
        CompareLabels.run(
          first, second, recording: recording, format: result.format,
          usesColor: result.usesColor))
    }
  }
}

/// `planklab labels import`.
struct LabelsImport: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Turn an Audacity label track or a table of segments into a label file.",
    discussion: """
      Examples:
        planklab labels import track.txt --output session.labels.csv
        planklab labels import table.csv --columns from,to,what --label down=forearm/sag \\
          --output session.labels.csv
      """)

  @Argument(help: "The labels to read.")
  var input: String

  @Option(help: ArgumentHelp("audacity or csv; guessed unless given.", valueName: "NAME"))
  var inputFormat: String?

  @Option(
    name: .customLong("label"),
    help: ArgumentHelp("What a label means; may be repeated.", valueName: "LABEL=CLASS"))
  var labels: [String] = []

  @Option(help: ArgumentHelp("A table's columns.", valueName: "START,END,LABEL"))
  var columns: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Added to every time.", valueName: "SECONDS"))
  var offset = 0.0

  @Option(name: .shortAndLong, help: ArgumentHelp("The label file to write.", valueName: "FILE"))
  var output: String

  func run() async throws {
    try await Terminal.run {
      let names = columns.map { $0.split(separator: ",").map(String.init) } ?? []
      return try ImportLabels.run(
        ImportLabels.Request(
          input: input, format: inputFormat, labels: labels, columns: names, offset: offset,
          output: output))
    }
  }
}
