internal import ArgumentParser
internal import Workflows

extension ExportThresholds.Format: ExpressibleByArgument {}

/// `planklab export`.
struct Export: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write thresholds in a form that an app ships.",
    discussion: """
      The Swift form holds the numbers as constants and makes the detector with PlankDetection. \
      --check compares a file of the app with what would be written: exit code 0 where it says \
      the same, 2 where it differs.

      Examples:
        planklab export thresholds.json --format swift > Sources/App/PlankThresholds.swift
        planklab export thresholds.json --format swift --check Sources/App/PlankThresholds.swift
        planklab export thresholds.json --format plist --output Thresholds.plist
      """)

  @Argument(help: "The thresholds file that `planklab tune` wrote.")
  var thresholds: String

  @Option(help: "swift, json or plist.")
  var format: ExportThresholds.Format

  @Option(help: ArgumentHelp("The name of the Swift type.", valueName: "NAME"))
  var typeName = "PlankThresholds"

  @Option(help: ArgumentHelp("Compare with a file instead of writing.", valueName: "FILE"))
  var check: String?

  @Option(name: .shortAndLong, help: ArgumentHelp("Write to a file.", valueName: "FILE"))
  var output: String?

  func validate() throws {
    if check != nil, output != nil {
      throw ValidationError("--check compares and --output writes; give one of them")
    }
  }

  func run() async throws {
    try await Terminal.run {
      if let output { try OutputFile.check(output, differsFrom: thresholds) }
      let outcome = try ExportThresholds.run(
        ExportThresholds.Request(
          thresholds: thresholds, format: format, typeName: typeName, check: check))
      guard let output else { return outcome }
      try OutputFile.writeReport(outcome.text, to: output)
      return Outcome("", remarks: ["wrote \(output)"])
    }
  }
}
