internal import Evaluation
internal import GRDB
package import Platform
package import PoseModel

/// Reads one run: its grids, the truth of its data, its cells in order.
package struct RunReader: Sendable {
  /// The facts of the run without its cells.
  package let facts: RunFacts
  /// The grids, plank first.
  package let grids: [GridDescription]
  /// The positions of the cells' numbers, with the truth of the data, by stream.
  package let layouts: [AnswerStream: StatisticsLayout]
  private let database: RunDatabase
  private let number: Int64

  /// Reads what precedes the cells of a run.
  ///
  /// - Throws: `RunStoreError.corruptRun` if it does not fit together.
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

  /// The named sources of the data, in order of names; none if all data is one source.
  package var sources: [String] {
    Set(layouts.values.flatMap { $0.facts.sequences.compactMap(\.source) }).sorted()
  }

  /// What has changed, among the things on which a plan's numbers depend, since this run was swept.
  package func changes(to plan: RunPlan) -> [RunChange] {
    RunTraits(plan).changes(from: RunTraits(self))
  }

  /// The next cells of a stream, in order of their ids.
  ///
  /// - Parameters:
  ///   - after: the last id that was read; nil for the first cells.
  ///   - count: how many.
  /// - Returns: nil if none is left.
  /// - Throws: `RunStoreError.corruptCell` for numbers that cannot be decoded.
  package func cells(
    _ stream: AnswerStream, after: Int? = nil, count: Int = 512
  ) throws -> CellTable? {
    try cells(stream, where: "cell > ?", [after ?? .min], count: max(1, count))
  }

  /// The cells of a stream that a condition selects, in order of their ids, up to a number of them.
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
          """,
        arguments: [number, stream.rawValue] + StatementArguments(values) + [count])
      var ids: [Int] = []
      var storage: [UInt32] = []
      while let row = try rows.next() {
        let id: Int = row["cell"]
        guard let numbers = try numbers(row, id, stream, layout, codec),
          try !layout.hasSources || sources(id, stream, db) == codec.summaries(numbers[...]).named
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

  /// The stored cells among some ids, in the order of their ids; nil if there is none.
  ///
  /// - Throws: as `cells(_:after:count:)`.
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

  /// How many values a query takes: fewer than SQLite allows.
  private static let mostValues = 512

  /// The numbers of a cell; nil if they are not as written, or impossible.
  private func numbers(
    _ row: Row, _ id: Int, _ stream: AnswerStream, _ layout: StatisticsLayout, _ codec: CellCodec
  ) throws -> [UInt32]? {
    let bytes: Data = row["numbers"]
    let checksum: Int64? = row["checksum"]
    let summary = CellSummary(
      rightFrames: row["right_frames"], transitions: row["transitions"],
      detectedEvents: row["detected_events"])
    guard facts.streams.contains(where: { $0.stream == stream && $0.cells.contains(id) }),
      checksum == nil
        || checksum == StoreIntegrity.checksum(ofCell: id, stream.rawValue, bytes),
      let numbers = codec.decode(Array(bytes)), codec.summary(numbers[...]) == summary,
      layout.holdsLatencies(numbers)
    else { return nil }
    return numbers
  }

  /// The sums of a cell by source.
  private func sources(
    _ id: Int, _ stream: AnswerStream, _ db: Database
  ) throws -> [String: CellSummary] {
    let rows = try Row.fetchAll(
      db.cachedStatement(
        sql: "SELECT * FROM cell_sources WHERE run = ? AND stream = ? AND cell = ?"),
      arguments: [number, stream.rawValue, id])
    return Dictionary(
      uniqueKeysWithValues: rows.map { row in
        (
          row["source"],
          CellSummary(
            rightFrames: row["right_frames"], transitions: row["transitions"],
            detectedEvents: row["detected_events"])
        )
      })
  }

  /// All cells of a stream.
  ///
  /// - Complexity: O(cells x numbers), all in memory.
  package func allCells(_ stream: AnswerStream) throws -> CellTable? {
    guard var table = try cells(stream, count: .max) else { return nil }
    while let more = try cells(stream, after: table.ids.last) { table.append(more) }
    return table
  }
}

extension [(source: String?, summary: CellSummary)] {
  /// The sums of the sources that have a name.
  fileprivate var named: [String: CellSummary] {
    reduce(into: [:]) { named, part in
      if let source = part.source { named[source] = part.summary }
    }
  }
}

extension StatisticsLayout {
  /// Whether the data has named sources.
  fileprivate var hasSources: Bool { facts.sequences.contains { $0.source != nil } }

  /// Whether every latency of a cell ends within its event.
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
  /// The cells of a stream as rows, in order of their ids.
  ///
  /// - Precondition: the run has the stream.
  package func rows(_ stream: AnswerStream) -> CellRows {
    guard let layout = layouts[stream] else {
      preconditionFailure("run \(facts.id) has no \(stream.rawValue) stream")
    }
    return CellRows(self, stream, layout)
  }

  /// The parameters that some streams vary, each once, in the order of streams and axes.
  package func axisNames(_ streams: [AnswerStream]) -> [String] {
    var names: [String] = []
    for grid in grids where streams.contains(grid.stream) {
      for axis in grid.variants.flatMap(\.axes) where !names.contains(axis.name) {
        names.append(axis.name)
      }
    }
    return names
  }

  /// The metrics that rows of some streams have, in the order of streams and catalogue.
  package func metricNames(_ streams: [AnswerStream]) -> [String] {
    facts.streams.map(\.stream).filter(streams.contains).flatMap { stream in
      MetricKey.tunable.filter { $0.stream == stream }.map(\.description)
    }
  }
}

/// The facts of a run without its cells.
package struct RunFacts: Hashable, Sendable {
  /// The progress of one stream.
  package struct Stream: Codable, Hashable, Sendable {
    /// The stream.
    package let stream: AnswerStream
    /// How many ids the whole grid has, including degenerate cells.
    package let gridCellCount: Int
    /// The first id of this run's shard.
    package let firstCell: Int
    /// The id after the last one of the shard.
    package let endCell: Int
    /// How many ids of the shard are evaluated.
    package let acceptedCount: Int
    /// How many are degenerate: rejected by the constraints between axes.
    package let rejectedCount: Int
    /// How many of the evaluated ones are stored.
    package let storedCount: Int

    private enum CodingKeys: String, CodingKey {
      case stream
      case gridCellCount = "grid_cells"
      case firstCell = "first_cell"
      case endCell = "end_cell"
      case acceptedCount = "cells"
      case rejectedCount = "rejected"
      case storedCount = "stored"
    }

    /// The ids of this run's shard.
    package var cells: Range<Int> { firstCell..<endCell }
  }

  /// For how long after its last write an unfinished run counts as running, in seconds.
  ///
  /// A sweep writes every few seconds, so a killed one is recognized by its silence.
  package static let silence = 120.0

  /// The id.
  package let id: String
  /// The identity of the run.
  package let identity: RunIdentity
  /// When it was started.
  package let createdAt: Date
  /// When its last cells were written, or when it was started.
  package let writtenAt: Date
  /// When its sweep finished; nil before that.
  package let finishedAt: Date?
  /// How often it was opened for writing: 1, and one more for every time it was continued.
  package let openedCount: Int
  /// The streams, plank first.
  package let streams: [Stream]

  /// The status of the run at a given time.
  package func status(at now: Date) -> RunStatus {
    if finishedAt != nil { return .complete }
    return now.timeIntervalSince(writtenAt) < Self.silence ? .running : .interrupted
  }

  /// How many cells will be evaluated in total.
  package var acceptedCount: Int { streams.reduce(0) { $0 + $1.acceptedCount } }

  /// How many cells are stored.
  package var storedCount: Int { streams.reduce(0) { $0 + $1.storedCount } }
}
