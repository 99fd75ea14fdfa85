internal import ArgumentParser
internal import PlankDetection
internal import PoseModel

/// `planklab detectors`.
struct Detectors: BenchCommand {
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
      let detectors = DetectorDefinition.builtIn.map {
        JSONValue.object(Self.json($0, $0.defaults))
      }
      return try result.outcome(
        json: .object(["schema_version": .integer(1), "detectors": .array(detectors)]),
        document: Self.overview)
    }
    let detector = try BenchDetector(name).plain(named: name)
    var members = Self.json(detector.definition, detector.parameters)
    members["schema_version"] = .integer(1)
    return try result.outcome(
      json: .object(members), document: Self.document(detector.definition, detector.parameters))
  }

  private static var overview: Document {
    var document = Document()
    var table = Table([.words("detector"), .words("what it is")])
    for detector in DetectorDefinition.builtIn {
      table.row([StyledText(detector.name, .strong), StyledText(detector.summary)])
    }
    document.table(table)
    document.paragraph("`planklab detectors NAME` shows the rules and parameters of a detector.")
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
      "measurements": .object(
        Dictionary(
          uniqueKeysWithValues: definition.expressions.map {
            ($0.name, .object(["unit": .string($0.unit.rawValue), "is": .string($0.definition)]))
          })),
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
