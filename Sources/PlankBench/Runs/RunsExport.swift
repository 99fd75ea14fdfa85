internal import ArgumentParser
internal import PoseModel
internal import Tuning

extension RunsExport.Format: ExpressibleByArgument {}

/// `planklab runs export`.
struct RunsExport: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the cells of a run as CSV or JSON lines.",
    discussion: """
      CSV has a row per cell: parameters, counts, and every metric pooled over all subjects. With \
      several sources, a cell has a row for their mean, without a source name, and one per source. \
      JSON lines have the same, plus all numbers by subject, which are most of the bytes; \
      --no-subjects leaves them out. The same cells give the same bytes, however often the sweep \
      was interrupted.

      Examples:
        planklab runs export --format csv --stream form --output form.csv
        planklab runs export --format jsonl --no-subjects --output cells.jsonl
        planklab runs export --format jsonl | gzip > cells.jsonl.gz
      """)

  @Argument(help: "The run's id, or the beginning of it (default: the newest run).")
  var run: String?

  @Option(help: "csv or jsonl.")
  var format: Format

  @Option(help: "Only the cells of one stream: plank or form.", transform: Self.stream)
  var stream: AnswerStream?

  @Flag(
    inversion: .prefixedNo,
    help: "JSON lines with all numbers by subject (default) or without them.")
  var subjects: Bool?

  @OptionGroup var store: StoreOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write to a file instead of stdout.", valueName: "FILE"))
  var output: String?

  /// The formats of a table.
  enum Format: String, CaseIterable, Sendable {
    /// One row per cell: parameters, counts and metrics over all subjects.
    case csv
    /// One JSON object per line and cell: the same, and all numbers by subject unless they are left
    /// out.
    case jsonl
  }

  private static func stream(_ name: String) throws -> AnswerStream {
    guard let stream = AnswerStream(rawValue: name) else {
      throw ValidationError("give plank or form")
    }
    return stream
  }

  func validate() throws {
    guard subjects == nil || format == .jsonl else {
      throw ValidationError("CSV has no numbers by subject; remove --subjects or --no-subjects")
    }
  }

  func outcome() throws -> Outcome {
    guard let output else { return try export(to: Terminal.writeResult) }
    try OutputFile.checkReport(output)
    let file = try StagedFile(destination: output)
    var outcome = try export(to: file.write)
    try file.commit()
    outcome.remarks.append("wrote \(output)")
    return outcome
  }

  /// Writes the table piece by piece, so that it is never in memory as a whole.
  ///
  /// - Returns: a note if the run is incomplete.
  private func export(to write: (String) throws -> Void) throws -> Outcome {
    let database = try RunAccess.read(store.store)
    let reader = try database.run(run)
    let streams = try streams(of: reader)
    try checkCompleteness(reader.facts)
    let table = CellTableText(reader, streams, hasSubjects: subjects ?? true)
    if format == .csv { try write(table.header) }
    let stored = reader.facts.streams.filter { streams.contains($0.stream) }
      .reduce(0) { $0 + $1.storedCount }
    let bar = LongWork(["cells"])
    var done = 0
    for stream in streams {
      var rows = reader.rows(stream)
      while let batch = try rows.next() {
        try write(batch.map(format == .csv ? table.row : table.line).joined())
        done += batch.count
        bar.report(min(done, stored), stored, "cells")
      }
    }
    guard done >= stored else {
      throw WorkflowFailure(
        .noInput,
        "run \(reader.facts.id) was deleted while it was exported; the table is incomplete")
    }
    return Outcome("", remarks: remarks(reader.facts))
  }

  private func streams(of reader: RunReader) throws -> [AnswerStream] {
    let available = reader.facts.streams.map(\.stream)
    guard let stream else { return available }
    guard available.contains(stream) else {
      throw WorkflowFailure(
        .usage, "run \(reader.facts.id) has no \(stream.rawValue) cells; remove --stream")
    }
    return [stream]
  }

  /// Refuses a run that claims to be complete but is not.
  private func checkCompleteness(_ facts: RunFacts) throws {
    guard facts.finishedAt != nil, facts.storedCount < facts.acceptedCount else { return }
    throw WorkflowFailure(
      .badData,
      "run \(facts.id) claims to be complete but has \(facts.streams.progressText) cells: the store "
        + "\(store.store) was damaged or edited; delete the run and sweep again")
  }

  private func remarks(_ facts: RunFacts) -> [String] {
    guard facts.finishedAt == nil else { return [] }
    return [
      "note: run \(facts.id) is not complete, \(facts.streams.progressText) cells; "
        + "`planklab sweep --resume` continues it"
    ]
  }
}

/// Cells as lines of CSV or JSON; `docs/store.md` explains the columns.
struct CellTableText {
  private let axes: [String]
  private let metrics: [String]
  private let hasSubjects: Bool

  /// Prepares a table of some streams of a run.
  ///
  /// - Parameter hasSubjects: whether a line of JSON has the numbers of every subject.
  init(_ reader: RunReader, _ streams: [AnswerStream], hasSubjects: Bool = true) {
    self.hasSubjects = hasSubjects
    axes = reader.axisNames(streams)
    metrics = reader.metricNames(streams)
  }

  /// The names of the columns, as a line.
  var header: String {
    Self.line(
      ["cell", "stream", "detector", "smoothing"] + axes + ["source"] + CellRow.countNames
        + metrics)
  }

  /// A cell as lines of CSV: its own, and another for each source; missing values are empty.
  func row(_ row: CellRow) -> String {
    let parameters = Dictionary(uniqueKeysWithValues: row.parameters.map { ($0.name, $0.value) })
    let settings =
      ["\(row.cell)", row.stream.rawValue, row.detector, row.smoothing]
      + axes.map { parameters[$0].map(NumberText.shortest) ?? "" }
    let all = Self.line(settings + fields("", row.counts, row.metrics))
    return row.sources.reduce(into: all) { text, source in
      text += Self.line(settings + fields(source.name, source.counts, source.metrics))
    }
  }

  private func fields(
    _ source: String, _ counts: [Int], _ metrics: [CellRow.MetricValue]
  ) -> [String] {
    let values = Dictionary(uniqueKeysWithValues: metrics.map { ($0.name, $0.value) })
    return [source] + counts.map { "\($0)" }
      + self.metrics.map { name in (values[name] ?? nil).map(NumberText.shortest) ?? "" }
  }

  /// A cell as a line of JSON.
  func line(_ row: CellRow) -> String {
    let numbers = Self.members(row.counts, row.metrics)
    let sources = row.sources.map { source in
      JSONValue.object(
        Self.members(source.counts, source.metrics)
          .merging(["source": .string(source.name)]) { _, new in new })
    }
    let cell: [String: JSONValue] = [
      "cell": .integer(row.cell), "detector": .string(row.detector),
      "parameters": .object(
        Dictionary(uniqueKeysWithValues: row.parameters.map { ($0.name, .number($0.value)) })),
      "schema_version": .integer(1), "smoothing": .string(row.smoothing),
      "sources": .array(sources), "stream": .string(row.stream.rawValue),
    ]
    var line = JSONLine()
    let names =
      (Array(cell.keys) + Array(numbers.keys) + (hasSubjects ? ["subjects"] : [])).sorted()
    for (index, name) in names.enumerated() {
      line.add(json: (index == 0 ? "{" : ",") + "\"\(name)\":")
      if let value = cell[name] ?? numbers[name] {
        line.add(value)
      } else {
        line.add(row.subjects) { $0.add($1) }
      }
    }
    line.add(json: "}\n")
    return line.text
  }

  private static func members(
    _ counts: [Int], _ metrics: [CellRow.MetricValue]
  ) -> [String: JSONValue] {
    [
      "counts": .object(
        Dictionary(uniqueKeysWithValues: zip(CellRow.countNames, counts.map(JSONValue.integer)))),
      "metrics": .object(
        Dictionary(uniqueKeysWithValues: metrics.map { ($0.name, JSONValue.optional($0.value)) })),
      "undefined": .object(
        Dictionary(
          uniqueKeysWithValues: metrics.compactMap { metric in
            metric.reason.map { (metric.name, .string($0)) }
          })),
    ]
  }

  private static func line(_ fields: [String]) -> String {
    fields.map(CSVText.quoted).joined(separator: ",") + "\n"
  }
}

extension JSONLine {
  /// Adds the numbers of a subject: most of what an export holds.
  fileprivate mutating func add(_ numbers: SubjectNumbers) {
    add(json: "{\"confusion\":")
    add(matrix: numbers.confusion)
    add(json: ",\"confusion_determined\":")
    if let determined = numbers.determined { add(matrix: determined) } else { add(.null) }
    add(json: ",\"confusion_seconds\":")
    add(numbers.confusionSeconds) { $0.add($1) { $0.add($1) } }
    add(json: ",\"evaluated_s\":")
    add(numbers.evaluated.value)
    add(json: ",\"events\":{\"class\":")
    add(numbers.events) { $0.add(.string($1.label)) }
    add(json: ",\"latency_frames\":")
    add(numbers.events) { $0.add($1.latencyFrames.map(JSONValue.integer) ?? .null) }
    add(json: ",\"latency_s\":")
    add(numbers.events) { $0.add(.optional($1.latency?.value)) }
    add(json: "},\"source\":")
    add(.optional(numbers.source))
    add(json: ",\"subject\":")
    add(.string(numbers.subject))
    add(json: ",\"transitions\":")
    add(numbers.transitions)
    add(json: ",\"true_transitions\":")
    add(numbers.trueTransitions)
    add(json: "}")
  }

  private mutating func add(matrix rows: [[Int]]) {
    add(rows) { $0.add($1) { $0.add($1) } }
  }
}
