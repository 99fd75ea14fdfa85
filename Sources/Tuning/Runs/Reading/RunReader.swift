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

  /// `after` is the last id that was read, nil for the first cells; nil if none is left.
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

  package func allCells(_ stream: AnswerStream) throws -> CellTable? {
    guard var table = try cells(stream, count: .max) else { return nil }
    while let more = try cells(stream, after: table.ids.last) { table.append(more) }
    return table
  }
}

extension [(source: String?, summary: CellSummary)] {
  fileprivate var named: [String: CellSummary] {
    reduce(into: [:]) { named, part in
      if let source = part.source { named[source] = part.summary }
    }
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
    var names: [String] = []
    for grid in grids where streams.contains(grid.stream) {
      for axis in grid.variants.flatMap(\.axes) where !names.contains(axis.name) {
        names.append(axis.name)
      }
    }
    return names
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
    package let firstCell: Int
    package let endCell: Int
    package let acceptedCount: Int
    package let rejectedCount: Int
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

    package var cells: Range<Int> { firstCell..<endCell }
  }

  /// In seconds; a sweep writes every few seconds, so a killed one is recognized by its silence.
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
