internal import PoseModel
internal import Reporting
internal import RunStore

/// Cells as lines of CSV or JSON; `docs/store.md` explains the columns.
struct CellTableText {
  private let axes: [String]
  private let metrics: [String]

  /// Prepares a table of some streams of a run.
  init(_ reader: RunReader, _ streams: [AnswerStream]) {
    axes = reader.axisNames(streams)
    metrics = reader.metricNames(streams)
  }

  /// The names of the columns, as a line.
  var header: String {
    Self.line(
      ["cell", "stream", "detector", "smoothing"] + axes + CellRow.countNames + metrics)
  }

  /// A cell as a line of CSV; what a cell does not have is empty.
  func row(_ row: CellRow) -> String {
    let parameters = Dictionary(uniqueKeysWithValues: row.parameters.map { ($0.name, $0.value) })
    let values = Dictionary(uniqueKeysWithValues: row.metrics.map { ($0.name, $0.value) })
    var fields = ["\(row.cell)", row.stream.rawValue, row.detector, row.smoothing]
    fields += axes.map { parameters[$0].map(NumberText.shortest) ?? "" }
    fields += row.counts.map { "\($0)" }
    fields += metrics.map { name in
      (values[name] ?? nil).map(NumberText.shortest) ?? ""
    }
    return Self.line(fields)
  }

  /// A cell as a line of JSON with all its numbers.
  func line(_ row: CellRow) -> String {
    JSONValue.object([
      "schema_version": .integer(1), "cell": .integer(row.cell),
      "stream": .string(row.stream.rawValue), "detector": .string(row.detector),
      "smoothing": .string(row.smoothing),
      "parameters": .object(
        Dictionary(uniqueKeysWithValues: row.parameters.map { ($0.name, .number($0.value)) })),
      "counts": .object(
        Dictionary(
          uniqueKeysWithValues: zip(CellRow.countNames, row.counts.map(JSONValue.integer)))),
      "metrics": .object(
        Dictionary(
          uniqueKeysWithValues: row.metrics.map { ($0.name, JSONValue.optional($0.value)) })),
      "undefined": .object(
        Dictionary(
          uniqueKeysWithValues: row.metrics.compactMap { metric in
            metric.reason.map { (metric.name, .string($0)) }
          })),
      "subjects": .array(row.subjects.map(Self.json)),
    ]).line + "\n"
  }

  private static func json(_ numbers: SubjectNumbers) -> JSONValue {
    func matrix(_ rows: [[Int]]) -> JSONValue {
      .array(rows.map { .array($0.map(JSONValue.integer)) })
    }
    return .object([
      "subject": .string(numbers.subject), "confusion": matrix(numbers.confusion),
      "confusion_seconds": .array(
        numbers.confusionSeconds.map { .array($0.map(JSONValue.number)) }),
      "confusion_determined": numbers.determined.map(matrix) ?? .null,
      "transitions": .integer(numbers.transitions),
      "true_transitions": .integer(numbers.trueTransitions),
      "evaluated_s": .number(numbers.evaluated.value),
      "events": .object([
        "class": .array(numbers.events.map { .string($0.label) }),
        "latency_frames": .array(
          numbers.events.map { $0.latencyFrames.map(JSONValue.integer) ?? .null }),
        "latency_s": .array(numbers.events.map { .optional($0.latency?.value) }),
      ]),
    ])
  }

  private static func line(_ fields: [String]) -> String {
    fields.map(quoted).joined(separator: ",") + "\n"
  }

  /// A field as RFC 4180 writes it: in quotes where it holds one, a comma or a line break.
  private static func quoted(_ field: String) -> String {
    guard field.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return field }
    return "\""
      + field.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
  }
}
