internal import Evaluation
package import PlankDetection
internal import PoseModel

package struct DetectorList: Encodable {
  private let detectors: [DetectorListing]

  package init(_ definitions: [DetectorDefinition]) {
    detectors = definitions.map { DetectorListing($0, $0.defaults) }
  }

  package var document: Document {
    var document = Document()
    document.table(detectors) { row, detector in
      row.words("detector", detector.definition.name, .strong)
      row.words("what it is", detector.definition.summary)
    }
    document.paragraph("`planklab detectors NAME` shows a detector's rules and parameters.")
    return document
  }
}

package struct DetectorListing {
  fileprivate let definition: DetectorDefinition
  private let values: ParameterValues

  package init(_ definition: DetectorDefinition, _ values: ParameterValues) {
    self.definition = definition
    self.values = values
  }

  package var document: Document {
    var document = Document()
    document.heading(definition.name, level: 1)
    document.paragraph(definition.summary + "; axes: " + definition.axes.rawValue + ".")
    for stream in AnswerStream.allCases {
      document.heading("Rules for \(stream.rawValue), in order")
      document.list(definition.list(stream).sentences.map { StyledText($0) })
    }
    document.heading("Parameters")
    document.table(parameters)
    document.heading("Measurements")
    document.table(definition.measurements.union(MeasurementSet(definition.expressions)).members) {
      row, measurement in
      row.words("measurement", measurement.name)
      row.words("unit", measurement.unit.rawValue)
      row.words("definition", measurement.definition)
    }
    return document
  }

  private var parameters: Table {
    Table(values.entries) { row, element in
      let (definition, value) = element
      row.words("key", definition.key.rawValue, .strong)
      row.number("value", NumberText.short(value))
      row.words("unit", definition.unit.rawValue)
      row.words(
        "range",
        NumberText.shortest(definition.range.lowerBound) + " to "
          + NumberText.shortest(definition.range.upperBound))
      row.words("meaning", definition.meaning)
    }
  }
}

extension DetectorListing: JSONObject {
  var members: [String: (any Encodable)?] {
    let measurements = definition.expressions.map {
      ($0.name, ["unit": $0.unit.rawValue, "is": $0.definition])
    }
    return [
      "name": definition.name, "summary": definition.summary, "axes": definition.axes.rawValue,
      "measurements": Dictionary(uniqueKeysWithValues: measurements),
      "rules": PerStream { definition.list($0).sentences },
      "parameters": values.entries.map { ParameterListing($0.definition, value: $0.value) },
    ]
  }
}

package struct ParameterListing: Encodable {
  private let key: String?
  private let value: Double?
  private let `default`: Double?
  private let unit: String
  private let range: [Double]
  private let meaning: String

  package init(
    _ definition: ParameterDefinition, value: Double? = nil, hasKey: Bool = true,
    hasDefault: Bool = true
  ) {
    key = hasKey ? definition.key.rawValue : nil
    self.value = value
    `default` = hasDefault ? definition.defaultValue : nil
    unit = definition.unit.rawValue
    range = [definition.range.lowerBound, definition.range.upperBound]
    meaning = definition.meaning
  }
}
