internal import ArgumentParser
internal import Evaluation
internal import PlankDetection
internal import PoseModel
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
      let detectors = DetectorDefinition.builtIn.map { DetectorListing($0, $0.defaults) }
      return try result.outcome(
        content: DetectorList(detectors: detectors), document: Self.overview)
    }
    let detector = try BenchDetector(name).plain(named: name)
    return try result.outcome(
      content: DetectorListing(detector.definition, detector.parameters),
      document: Self.document(detector.definition, detector.parameters))
  }

  private static var overview: Document {
    var document = Document()
    var table = Table([.words("detector"), .words("what it is")])
    for detector in DetectorDefinition.builtIn {
      table.row([StyledText(detector.name, .strong), StyledText(detector.summary)])
    }
    document.table(table)
    document.paragraph("`planklab detectors NAME` shows a detector's rules and parameters.")
    return document
  }

  private static func document(
    _ definition: DetectorDefinition, _ values: ParameterValues
  ) -> Document {
    var document = Document()
    document.heading(definition.name, level: 1)
    document.paragraph(definition.summary + "; axes: " + definition.axes.rawValue + ".")
    for stream in AnswerStream.allCases {
      document.heading("Rules for \(stream.rawValue), in order")
      document.list(definition.list(stream).sentences.map { StyledText($0) })
    }
    document.heading("Parameters")
    document.table(parameterTable(values))
    document.heading("Measurements")
    var table = Table([.words("measurement"), .words("unit"), .words("definition")])
    for measurement in definition.measurements.union(MeasurementSet(definition.expressions)).members
    {
      table.row([
        StyledText(measurement.name), StyledText(measurement.unit.rawValue),
        StyledText(measurement.definition),
      ])
    }
    document.table(table)
    return document
  }

  private static func parameterTable(_ values: ParameterValues) -> Table {
    var table = Table([
      .words("key"), .number("value"), .words("unit"), .words("range"), .words("meaning"),
    ])
    for (definition, value) in values.entries {
      table.row([
        StyledText(definition.key.rawValue, .strong), StyledText(NumberText.short(value)),
        StyledText(definition.unit.rawValue),
        StyledText(
          NumberText.shortest(definition.range.lowerBound) + " to "
            + NumberText.shortest(definition.range.upperBound)), StyledText(definition.meaning),
      ])
    }
    return table
  }
}

private struct DetectorList: Encodable {
  let detectors: [DetectorListing]
}

private struct DetectorListing: Encodable {
  struct Expression: Encodable {
    let unit: String
    let definition: String

    private enum CodingKeys: String, CodingKey {
      case unit
      case definition = "is"
    }
  }

  let name: String
  let summary: String
  let axes: String
  let measurements: [String: Expression]
  let rules: PerStream<[String]>
  let parameters: [ParameterListing]

  init(_ definition: DetectorDefinition, _ values: ParameterValues) {
    name = definition.name
    summary = definition.summary
    axes = definition.axes.rawValue
    measurements = Dictionary(
      uniqueKeysWithValues: definition.expressions.map {
        ($0.name, Expression(unit: $0.unit.rawValue, definition: $0.definition))
      })
    rules = PerStream { definition.list($0).sentences }
    parameters = values.entries.map { ParameterListing($0.definition, value: $0.value) }
  }
}
