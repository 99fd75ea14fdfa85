internal import ArgumentParser
internal import PlankDetection
internal import Reports

struct Detectors: ReportingCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the built-in detectors, or show one with its rules and parameters.",
    discussion: """
      Examples:
        planklab detectors
        planklab detectors gravity
        planklab detectors mine.yaml --format json
      """)

  @Argument(help: "A built-in name or a detector file.", completion: .detector)
  var name: String?

  @OptionGroup var result: ResultOptions

  func outcome() throws -> Outcome {
    guard let name else {
      let list = DetectorList(DetectorDefinition.builtIn)
      return try result.outcome(content: list, document: list.document)
    }
    let detector = try BenchDetector(AnswerSettings(detector: name)).plain(named: name)
    let listing = DetectorListing(detector.definition, detector.parameters)
    return try result.outcome(content: listing, document: listing.document)
  }
}
