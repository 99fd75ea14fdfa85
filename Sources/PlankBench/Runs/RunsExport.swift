internal import ArgumentParser
internal import PoseDatasets
internal import PoseModel
internal import Reports
internal import Tuning

extension RunsExport.Format: ExpressibleByArgument {}

struct RunsExport: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write the results of a run as CSV or JSON lines.",
    discussion: """
      CSV has one row per configuration (cell): parameters, counts, and every metric pooled over \
      all subjects. With several sources, a configuration has one row for each source and one for \
      their mean, without a source name. JSON lines also contain all numbers by subject, which \
      take up most of the file; --no-subjects omits these numbers. The output does not depend on \
      whether the sweep was interrupted.

      Examples:
        planklab runs export --format csv --stream form --output form.csv
        planklab runs export --format jsonl --no-subjects --output cells.jsonl
        planklab runs export --format jsonl | gzip > cells.jsonl.gz
      """)

  @Argument(help: "The run's id, or the first part of it (default: the newest run).")
  var run: String?

  @Option(help: "The format of the results.")
  var format: Format

  @Option(help: "Export only one stream: plank or form.", transform: Self.stream)
  var stream: AnswerStream?

  @Flag(
    inversion: .prefixedNo,
    help: "Whether JSON lines contain all numbers by subject (default) or not.")
  var subjects: Bool?

  @OptionGroup var store: StoreOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write to a file instead of stdout.", valueName: "FILE"))
  var output: String?

  enum Format: String, CaseIterable, Sendable {
    case csv
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

  /// Writes piece by piece, because the table may not fit into memory.
  private func export(to write: (String) throws -> Void) throws -> Outcome {
    let database = try RunAccess.read(store.store)
    let reader = try database.run(run)
    let streams = try streams(of: reader)
    try checkCompleteness(reader.facts)
    let table = CellTableText(reader, streams, hasSubjects: subjects ?? true)
    if format == .csv { try write(table.header) }
    let stored = reader.facts.streams.filter { streams.contains($0.stream) }
      .reduce(0) { $0 + $1.storedCount }
    let bar = LongWork(["configurations"])
    var done = 0
    for stream in streams {
      var rows = reader.rows(stream)
      while let batch = try rows.next() {
        try write(batch.map(format == .csv ? table.row : table.line).joined())
        done += batch.count
        bar.report(min(done, stored), stored, "configurations")
      }
    }
    try require(
      done >= stored, .noInput,
      "run \(reader.facts.id) was deleted while it was exported; the table is incomplete")
    return Outcome("", remarks: remarks(reader.facts))
  }

  private func streams(of reader: RunReader) throws -> [AnswerStream] {
    let available = reader.facts.streams.map(\.stream)
    guard let stream else { return available }
    try require(
      available.contains(stream), .usage,
      "run \(reader.facts.id) has no \(stream.rawValue) configurations; remove --stream")
    return [stream]
  }

  private func checkCompleteness(_ facts: RunFacts) throws {
    guard facts.finishedAt != nil, facts.storedCount < facts.acceptedCount else { return }
    throw WorkflowFailure(
      .badData,
      "run \(facts.id) is marked complete but has \(facts.streams.progressText) configurations, so the "
        + "store \(store.store) was damaged or edited; delete the run and sweep again")
  }

  private func remarks(_ facts: RunFacts) -> [String] {
    guard facts.finishedAt == nil else { return [] }
    return [
      "note: run \(facts.id) is not complete, \(facts.streams.progressText) configurations; "
        + "`planklab sweep --resume` continues the run"
    ]
  }
}

struct CellTableText {
  private let axes: [String]
  private let metrics: [String]
  private let hasSubjects: Bool

  init(_ reader: RunReader, _ streams: [AnswerStream], hasSubjects: Bool = true) {
    self.hasSubjects = hasSubjects
    axes = reader.axisNames(streams)
    metrics = reader.metricNames(streams)
  }

  var header: String {
    Self.line(
      ["configuration", "stream", "detector", "smoothing"] + axes + ["source"] + CellRow.countNames
        + metrics)
  }

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

  func line(_ row: CellRow) -> String {
    var line = JSONLine()
    line.add(json: "{\"configuration\":")
    line.add(row.cell)
    line.add(counts: row.counts)
    line.add(json: ",\"detector\":")
    line.add(row.detector)
    line.add(metrics: row.metrics)
    line.add(json: ",\"parameters\":")
    line.add(row.parameters.map { ($0.name, $0.value) }) { $0.add($1) }
    line.add(json: ",\"schema_version\":1,\"smoothing\":")
    line.add(row.smoothing)
    line.add(json: ",\"sources\":")
    line.add(row.sources) { line, source in
      line.add(json: "{")
      line.add(counts: source.counts, isFirst: true)
      line.add(metrics: source.metrics)
      line.add(json: ",\"source\":")
      line.add(source.name)
      line.add(reasons: source.metrics)
      line.add(json: "}")
    }
    line.add(json: ",\"stream\":")
    line.add(row.stream.rawValue)
    if hasSubjects {
      line.add(json: ",\"subjects\":")
      line.add(row.subjects) { $0.add($1) }
    }
    line.add(reasons: row.metrics)
    line.add(json: "}\n")
    return line.text
  }

  private static func line(_ fields: [String]) -> String {
    fields.map(CSVText.quoted).joined(separator: ",") + "\n"
  }
}

private struct JSONLine {
  private var bytes: [UInt8] = []

  var text: String { String(decoding: bytes, as: UTF8.self) }

  mutating func add(json text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func add(_ text: String?) {
    guard let text else { return add(json: "null") }
    add(json: String(quoting: text))
  }

  mutating func add(_ number: Int) {
    guard number >= 10 || number < 0 else { return bytes.append(UInt8(ascii: "0") + UInt8(number)) }
    add(json: String(number))
  }

  mutating func add(_ number: Double?) {
    guard let number, number.isFinite else { return add(json: "null") }
    if number == number.rounded(), number.magnitude < 1e15 { return add(Int(number)) }
    add(json: "\(number)")
  }

  mutating func add<Item>(_ items: [Item], _ add: (inout JSONLine, Item) -> Void) {
    bytes.append(UInt8(ascii: "["))
    for (index, item) in items.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      add(&self, item)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  mutating func add<Value>(
    _ members: [(name: String, value: Value)], _ add: (inout JSONLine, Value) -> Void
  ) {
    bytes.append(UInt8(ascii: "{"))
    for (index, member) in members.sorted(by: { $0.name < $1.name }).enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      self.add(member.name)
      bytes.append(UInt8(ascii: ":"))
      add(&self, member.value)
    }
    bytes.append(UInt8(ascii: "}"))
  }
}

extension JSONLine {
  mutating func add(counts: [Int], isFirst: Bool = false) {
    add(json: (isFirst ? "" : ",") + "\"counts\":")
    add(zip(CellRow.countNames, counts).map { (name: $0, value: $1) }) { $0.add($1) }
  }

  mutating func add(metrics: [CellRow.MetricValue]) {
    add(json: ",\"metrics\":")
    add(metrics.map { (name: $0.name, value: $0.value) }) { $0.add($1) }
  }

  mutating func add(reasons metrics: [CellRow.MetricValue]) {
    add(json: ",\"undefined\":")
    add(metrics.compactMap { metric in metric.reason.map { (name: metric.name, value: $0) } }) {
      $0.add($1)
    }
  }

  mutating func add(_ numbers: SubjectNumbers) {
    add(json: "{\"confusion\":")
    add(matrix: numbers.confusion)
    add(json: ",\"confusion_seconds\":")
    add(numbers.confusionSeconds) { $0.add($1) { $0.add($1) } }
    add(json: ",\"evaluated_s\":")
    add(numbers.evaluated.value)
    add(json: ",\"events\":{\"class\":")
    add(numbers.events) { $0.add($1.label) }
    add(json: ",\"latency_frames\":")
    add(numbers.events) { line, event in
      if let frames = event.latencyFrames { line.add(frames) } else { line.add(json: "null") }
    }
    add(json: ",\"latency_s\":")
    add(numbers.events) { $0.add($1.latency?.value) }
    add(json: "},\"source\":")
    add(numbers.source)
    add(json: ",\"subject\":")
    add(numbers.subject)
    add(json: ",\"transitions\":")
    add(numbers.transitions)
    add(json: ",\"true_transitions\":")
    add(numbers.trueTransitions)
    add(json: "}")
  }

  private mutating func add(matrix rows: [[Int]]) { add(rows) { $0.add($1) { $0.add($1) } } }
}
