internal import ArgumentParser
internal import PlankDetection
internal import PoseModel

/// `planklab detectors`.
struct Detectors: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the built-in detectors, or show one with its rules and parameters.",
    discussion: """
      Examples:
        planklab detectors
        planklab detectors gravity
        planklab detectors mine.yaml --format json
      """)

  @Argument(help: "A built-in name or a detector file.")
  var name: String?

  @OptionGroup var result: ResultOptions

  func run() async throws {
    try await Terminal.run {
      try result.deliver(
        ListDetectors.run(name, format: result.format, usesColor: result.usesColor))
    }
  }
}

/// Shows detectors: all of them in a line each, or one with its rules and parameters.
enum ListDetectors {
  /// Runs the command.
  ///
  /// - Parameters:
  ///   - name: the detector to show in full; nil lists the built-in ones.
  static func run(
    _ name: String?, format: OutputFormat, usesColor: Bool
  ) throws(WorkflowFailure) -> Outcome {
    guard let name else {
      let detectors = DetectorDefinition.builtIn.map { JSONValue.object(json($0, $0.defaults)) }
      return Outcome(
        format, usesColor: usesColor,
        json: .object(["schema_version": .integer(1), "detectors": .array(detectors)]),
        document: overview)
    }
    let (definition, values) = try DetectorChoice(name: name).resolve()
    var members = json(definition, values)
    members["schema_version"] = .integer(1)
    return Outcome(
      format, usesColor: usesColor, json: .object(members),
      document: document(definition, values))
  }

  private static var overview: Document {
    var document = Document()
    var table = Table([.words("detector"), .words("what it is")])
    for detector in DetectorDefinition.builtIn {
      table.row([StyledText(detector.name, .strong), StyledText(detector.summary)])
    }
    document.table(table)
    document.paragraph("`planklab detectors NAME` shows the rules and parameters of one.")
    return document
  }

  private static func document(
    _ definition: DetectorDefinition, _ values: ParameterValues
  ) -> Document {
    var document = Document()
    document.heading(definition.name, level: 1)
    document.paragraph(StyledText(definition.summary + "; axes: " + definition.axes.rawValue + "."))
    for stream in AnswerStream.allCases {
      document.heading("Rules for \(stream.rawValue), in order")
      document.list(definition.list(stream).sentences.map { StyledText($0) })
    }
    document.heading("Parameters")
    document.table(parameterTable(values))
    document.heading("Measurements")
    var table = Table([.words("measurement"), .words("unit"), .words("definition")])
    for measurement in definition.measurements.members {
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
      .words("key"), .number("value"), .words("unit"), .number("from"), .number("to"),
      .words("meaning"),
    ])
    for (definition, value) in values.entries {
      table.row([
        StyledText(definition.key.rawValue, .strong), StyledText(NumberText.shortest(value)),
        StyledText(definition.unit.rawValue),
        StyledText(NumberText.shortest(definition.range.lowerBound)),
        StyledText(NumberText.shortest(definition.range.upperBound)),
        StyledText(definition.meaning),
      ])
    }
    return table
  }

  private static func json(
    _ definition: DetectorDefinition, _ values: ParameterValues
  ) -> [String: JSONValue] {
    [
      "name": .string(definition.name), "summary": .string(definition.summary),
      "axes": .string(definition.axes.rawValue),
      "rules": .object(
        Dictionary(
          uniqueKeysWithValues: AnswerStream.allCases.map {
            ($0.rawValue, .array(definition.list($0).sentences.map(JSONValue.string)))
          })),
      "parameters": .array(
        values.entries.map { definition, value in
          .object([
            "key": .string(definition.key.rawValue), "value": .number(value),
            "default": .number(definition.defaultValue),
            "unit": .string(definition.unit.rawValue),
            "range": .array([
              .number(definition.range.lowerBound), .number(definition.range.upperBound),
            ]), "meaning": .string(definition.meaning),
          ])
        }),
    ]
  }
}
