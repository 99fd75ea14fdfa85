internal import Evaluation
internal import GRDB
package import Platform
package import PoseModel

package struct RunReader: Sendable {
  package let facts: RunFacts
  package let grids: [GridDescription]
  package let layouts: [AnswerStream: StatisticsLayout]
  private let database: RunDatabase
  private let number: Int64

  init(_ database: RunDatabase, _ row: RunRow) throws {
    self.database = database
    number = row.number
    facts = row.facts
    do {
      (grids, layouts) = try database.read { db in
        let source = RunSource(db: db, path: database.path, run: row.number)
        try source.checkSum(row.checksum)
        let streams = row.facts.streams.map(\.stream)
        return (
          try streams.map(source.grid),
          try Dictionary(uniqueKeysWithValues: streams.map { ($0, try source.layout($0)) })
        )
      }
    } catch RunStoreError.corrupt(let path, let reason) {
      throw RunStoreError.corruptRun(path: path, run: row.facts.id, reason: reason)
    }
  }

  package var sources: [String] {
    Set(layouts.values.flatMap { $0.facts.sequences.compactMap(\.source) }).sorted()
  }

  package func changes(to plan: RunPlan) -> [RunChange] {
    RunTraits(plan).changes(from: RunTraits(self))
  }

  /// The next configurations after the id `after`, or the first ones if `after` is nil; nil if none
  /// is left.
  package func cells(
    _ stream: AnswerStream, after: Int? = nil, count: Int = 512
  ) throws -> CellTable? {
    try cells(stream, where: "cell > ?", [after ?? .min], count: max(1, count))
  }

  private func cells(
    _ stream: AnswerStream, where condition: String, _ values: [Int], count: Int
  ) throws -> CellTable? {
    guard let layout = layouts[stream] else { return nil }
    let codec = CellCodec(layout)
    let (ids, storage) = try database.read { db in
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT * FROM cells WHERE run = ? AND stream = ? AND \(condition)
          ORDER BY cell LIMIT ?
          """, arguments: [number, stream.rawValue] + StatementArguments(values) + [count])
      var ids: [Int] = []
      var storage: [UInt32] = []
      while let row = try rows.next() {
        let id: Int = row["cell"]
        guard let numbers = try numbers(row, id, stream, layout, codec),
          try !layout.hasSources || sources(id, stream, db) == codec.summaries(numbers[...])
        else {
          throw RunStoreError.corruptCell(run: facts.id, stream: stream, cell: id)
        }
        ids.append(id)
        storage += numbers
      }
      return (ids, storage)
    }
    return ids.isEmpty ? nil : CellTable(layout: layout, ids: ids, storage: storage)
  }

  package func cells(_ stream: AnswerStream, ids: [Int]) throws -> CellTable? {
    let ids = Set(ids).sorted()
    var found: CellTable?
    for start in stride(from: 0, to: ids.count, by: Self.mostValues) {
      let some = Array(ids[start..<min(start + Self.mostValues, ids.count)])
      let marks = databaseQuestionMarks(count: some.count)
      guard let more = try cells(stream, where: "cell IN (\(marks))", some, count: some.count)
      else { continue }
      found = found ?? CellTable(layout: more.layout, ids: [], storage: [])
      found?.append(more)
    }
    return found
  }

  private static let mostValues = 512

  private func numbers(
    _ row: Row, _ id: Int, _ stream: AnswerStream, _ layout: StatisticsLayout, _ codec: CellCodec
  ) throws -> [UInt32]? {
    let bytes: Data = row["numbers"]
    let checksum: Int64 = row["checksum"]
    guard facts.streams.contains(where: { $0.stream == stream && $0.cells.contains(id) }),
      bytes.withUnsafeBytes({
        checksum == StoreIntegrity.checksum(ofCell: id, stream.rawValue, $0)
      }),
      let numbers = codec.decode(Array(bytes)), codec.summary(numbers[...]) == CellSummary(row),
      layout.holdsLatencies(numbers)
    else { return nil }
    return numbers
  }

  private func sources(
    _ id: Int, _ stream: AnswerStream, _ db: Database
  ) throws -> [String: CellSummary] {
    let rows = try Row.fetchAll(
      db.cachedStatement(
        sql: "SELECT * FROM cell_sources WHERE run = ? AND stream = ? AND cell = ?"),
      arguments: [number, stream.rawValue, id])
    return Dictionary(uniqueKeysWithValues: rows.map { ($0["source"], CellSummary($0)) })
  }

  package func allCells(_ stream: AnswerStream) throws -> CellTable? {
    guard var table = try cells(stream, count: .max) else { return nil }
    while let more = try cells(stream, after: table.ids.last) { table.append(more) }
    return table
  }
}

extension CellSummary {
  fileprivate init(_ row: Row) {
    self.init(
      rightFrames: row["right_frames"], transitions: row["transitions"],
      detectedEvents: row["detected_events"])
  }
}

extension StatisticsLayout {
  fileprivate var hasSources: Bool { facts.sequences.contains { $0.source != nil } }

  fileprivate func holdsLatencies(_ numbers: [UInt32]) -> Bool {
    facts.sequences.indices.allSatisfy { index in
      facts.sequences[index].onsets.enumerated().allSatisfy { number, onset in
        let frames = numbers[latency(number, of: index)]
        return frames == Self.never || Int(frames) < onset.frames.count
      }
    }
  }
}

extension RunReader {
  package func rows(_ stream: AnswerStream) -> CellRows {
    guard let layout = layouts[stream] else {
      preconditionFailure("run \(facts.id) has no \(stream.rawValue) stream")
    }
    return CellRows(self, stream, layout)
  }

  package func axisNames(_ streams: [AnswerStream]) -> [String] {
    let variants = grids.filter { streams.contains($0.stream) }.flatMap(\.variants)
    return variants.flatMap(\.axes).map(\.parameter).distinct
  }

  package func metricNames(_ streams: [AnswerStream]) -> [String] {
    facts.streams.map(\.stream).filter(streams.contains).flatMap { stream in
      MetricKey.tunable.filter { $0.stream == stream }.map(\.description)
    }
  }
}

package struct RunFacts: Hashable, Sendable {
  package struct Stream: Codable, Hashable, Sendable {
    package let stream: AnswerStream
    package let gridCellCount: Int
    package let acceptedCount: Int
    package let rejectedCount: Int
    package let storedCount: Int

    private enum CodingKeys: String, CodingKey {
      case stream
      case gridCellCount = "grid_configurations"
      case acceptedCount = "configurations"
      case rejectedCount = "rejected"
      case storedCount = "stored"
    }

    var cells: Range<Int> { 0..<gridCellCount }
  }

  /// In seconds; a sweep writes every few seconds, so a longer silence means that it was killed.
  package static let silence = 120.0

  package let id: String
  package let identity: RunIdentity
  package let createdAt: Date
  package let writtenAt: Date
  package let finishedAt: Date?
  package let openedCount: Int
  package let streams: [Stream]

  package func status(at now: Date) -> RunStatus {
    if finishedAt != nil { return .complete }
    return now.timeIntervalSince(writtenAt) < Self.silence ? .running : .interrupted
  }

  package var acceptedCount: Int { streams.reduce(0) { $0 + $1.acceptedCount } }

  package var storedCount: Int { streams.reduce(0) { $0 + $1.storedCount } }
}

/// The configurations of a run as rows for export.
///
/// Rows depend only on the configurations, not on the order in which chunks were written or on how
/// often the sweep was continued.
package struct CellRows: Sendable {
  private let reader: RunReader
  private let stream: AnswerStream
  private let variants: [(grid: GridDescription.Variant, first: Int, strides: [Int])]
  private let metrics: [MetricKey]
  private let codec: CellCodec
  private var last: Int?

  init(_ reader: RunReader, _ stream: AnswerStream, _ layout: StatisticsLayout) {
    self.reader = reader
    codec = CellCodec(layout)
    self.stream = stream
    metrics = MetricKey.tunable.filter { $0.stream == stream }
    var first = 0
    var variants: [(grid: GridDescription.Variant, first: Int, strides: [Int])] = []
    for variant in reader.grids.first(where: { $0.stream == stream })?.variants ?? [] {
      variants.append((grid: variant, first: first, strides: variant.radix?.strides ?? []))
      first += variant.cellCount
    }
    self.variants = variants
  }

  package mutating func next() throws -> [CellRow]? {
    guard let cells = try reader.cells(stream, after: last, count: 256) else { return nil }
    last = cells.ids.last
    let table = try table(cells)
    return try cells.ids.indices.map { try row(table, at: $0) }
  }

  private func table(_ cells: CellTable) throws -> SubjectTable {
    do {
      return try SubjectTable(cells, allowsUngrouped: true)
    } catch {
      throw RunStoreError.corrupt(path: "run \(reader.facts.id)", reason: "\(error)")
    }
  }

  private func row(_ table: SubjectTable, at position: Int) throws -> CellRow {
    let id = table.cells.ids[position]
    guard let variant = variants.last(where: { $0.first <= id }),
      id < variant.first + variant.grid.cellCount
    else { throw RunStoreError.corruptCell(run: reader.facts.id, stream: stream, cell: id) }
    let counts = Self.counts(
      table.cells.layout.facts.sequences, codec.summary(table.cells.numbers(at: position)))
    return CellRow(
      stream: stream, cell: id, detector: variant.grid.detector, smoothing: variant.grid.smoothing,
      parameters: zip(variant.grid.axes, variant.strides).map { axis, stride in
        CellRow.NamedValue(
          name: axis.parameter,
          value: axis.values[(id - variant.first) / stride % axis.values.count])
      }, counts: counts,
      metrics: metrics.map { metric in
        CellRow.MetricValue(
          metric, table.metric(metric, at: position, Array(table.subjects.indices)))
      }, sources: sources(table, at: position), table: table, position: position)
  }

  private func sources(_ table: SubjectTable, at position: Int) -> [CellRow.Source] {
    let summaries = codec.summaries(table.cells.numbers(at: position))
    let facts = table.cells.layout.facts.sequences
    return table.subjectsBySource.compactMap { source, subjects in
      guard let source, let summary = summaries[source] else { return nil }
      return CellRow.Source(
        name: source, counts: Self.counts(facts.filter { $0.source == source }, summary),
        metrics: metrics.map { CellRow.MetricValue($0, table.pooled($0, at: position, subjects)) })
    }
  }

  private static func counts(
    _ facts: [StreamFacts.SequenceFacts], _ summary: CellSummary
  ) -> [Int] {
    [
      facts.reduce(0) { $0 + $1.rows.reduce(0) { $0 + $1.frames } }, summary.rightFrames,
      summary.transitions, facts.reduce(0) { $0 + $1.trueTransitions },
      facts.reduce(0) { $0 + $1.onsets.count }, summary.detectedEvents,
    ]
  }
}

package struct CellRow: Sendable {
  package struct NamedValue: Hashable, Sendable {
    package let name: String
    package let value: Double
  }

  package struct MetricValue: Hashable, Sendable {
    package let name: String
    package let value: Double?
    package let reason: String?

    init(_ key: MetricKey, _ value: Evaluation.MetricValue) {
      name = key.description
      self.value = value.number
      reason = value.remark
    }
  }

  package struct Source: Hashable, Sendable {
    package let name: String
    package let counts: [Int]
    package let metrics: [MetricValue]
  }

  package let stream: AnswerStream
  package let cell: Int
  package let detector: String
  package let smoothing: String
  package let parameters: [NamedValue]
  package let counts: [Int]
  package let metrics: [MetricValue]
  package let sources: [Source]
  let table: SubjectTable
  let position: Int

  package var subjects: [SubjectNumbers] {
    table.subjects.indices.map {
      SubjectNumbers(
        subject: table.subjects[$0], source: table.sources[$0], table.sequences[$0], table.cells,
        at: position)
    }
  }

  package static let countNames = [
    "scored_frames", "right_frames", "transitions", "true_transitions", "true_events",
    "detected_events",
  ]
}

package struct SubjectNumbers: Hashable, Sendable {
  package struct Event: Hashable, Sendable {
    package let label: String
    package let latencyFrames: Int?
    package let latency: Seconds?
  }

  package let subject: String
  package let source: String?
  /// The scored frames by true class (rows) and answer (columns).
  package let confusion: [[Int]]
  package let confusionSeconds: [[Double]]
  package let transitions: Int
  package let trueTransitions: Int
  package let evaluated: Seconds
  /// The true events by sequence in order of names, then in order of time.
  package let events: [Event]

  init(subject: String, source: String?, _ sequences: [Int], _ cells: CellTable, at position: Int) {
    let layout = cells.layout
    let facts = sequences.map { layout.facts.sequences[$0] }
    self.subject = subject
    self.source = source
    let labels = layout.labelCount
    confusion = Self.rows(of: labels, sequences.map { cells.confusion(at: position, sequence: $0) })
    confusionSeconds = Self.rows(
      of: labels, sequences.map { cells.confusionSeconds(at: position, sequence: $0) })
    transitions = sequences.reduce(0) { $0 + cells.transitions(at: position, sequence: $1) }
    trueTransitions = facts.reduce(0) { $0 + $1.trueTransitions }
    evaluated = Seconds(facts.reduce(0) { $0 + $1.evaluatedSeconds.value })
    events = zip(sequences, facts).flatMap { index, facts in
      facts.onsets.enumerated().map { number, onset in
        let frames = cells.latency(at: position, sequence: index, onset: number)
        return Event(
          label: layout.facts.stream.labels[Int(onset.label)], latencyFrames: frames,
          latency: frames.map { facts.latency(frames: $0, of: onset) })
      }
    }
  }

  /// The sum of matrices that are stored row by row, as a list of rows.
  private static func rows<Number: AdditiveArithmetic>(
    of width: Int, _ matrices: [[Number]]
  ) -> [[Number]] {
    (0..<width).map { row in
      (0..<width).map { column in
        matrices.reduce(.zero) { $0 + $1[row * width + column] }
      }
    }
  }
}
