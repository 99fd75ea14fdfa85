internal import GRDB
package import Platform
package import PoseModel

/// Writes the cells of one run.
///
/// A chunk is a transaction: after `write` its cells are safe, and before it none of them is
/// stored. Only one writer continues a run at a time: if another one does, this one's next write
/// fails.
package struct RunWriter: Sendable {
  /// The id of the run.
  package let id: String
  /// How often the run was opened for writing; above 1 it was continued.
  package let opened: Int
  private let database: RunDatabase
  private let number: Int64
  private let plan: RunPlan
  private let codecs: [AnswerStream: CellCodec]

  init(database: RunDatabase, id: String, number: Int64, opened: Int, plan: RunPlan) {
    self.database = database
    self.id = id
    self.number = number
    self.opened = opened
    self.plan = plan
    codecs = Dictionary(
      uniqueKeysWithValues: plan.streams.map { ($0.grid.stream, CellCodec($0.layout)) })
  }

  /// Brings cells into stored form; any thread may, while another one writes.
  ///
  /// - Parameter table: cells of the plan's layout, inside the run's shard, none of them stored
  ///   yet.
  /// - Complexity: O(cells x numbers).
  package func encoded(_ stream: AnswerStream, _ table: CellTable) -> CellInsertion {
    guard let planned = plan.streams.first(where: { $0.grid.stream == stream }),
      let codec = codecs[stream]
    else { preconditionFailure("the run has no \(stream.rawValue) stream") }
    let range = plan.range(of: planned)
    precondition(table.layout.stride == planned.layout.stride, "cells of the run's layout")
    precondition(table.ids.allSatisfy(range.contains), "cells of the run's shard")
    return CellInsertion(run: number, id: id, stream, codec, table)
  }

  /// Stores encoded cells in one transaction.
  ///
  /// - Parameter time: now.
  /// - Throws: `RunStoreError`: `alreadyStored`, `takenOver`, `noRun` if the run was deleted;
  ///   nothing is stored then.
  /// - Complexity: O(cells x numbers).
  package func write(_ cells: CellInsertion, at time: Date) throws {
    try database.write { db in
      try self.claim(db, at: time)
      try cells.insert(db)
    }
  }

  /// The ids that lack cells, in order.
  ///
  /// The ranges contain no stored cell, and start and end with a cell to evaluate. Degenerate cells
  /// inside them are not missing.
  ///
  /// - Parameter length: the most ids a range may have; nil for no limit.
  /// - Complexity: O(cells).
  package func missing(_ stream: AnswerStream, atMost length: Int = .max) throws -> [Range<Int>] {
    guard let planned = plan.streams.first(where: { $0.grid.stream == stream }) else { return [] }
    let range = plan.range(of: planned)
    let gaps = try database.read { db in
      var gaps: [Range<Int>] = []
      var next = range.lowerBound
      let ids = try Int.fetchCursor(
        db, sql: "SELECT cell FROM cells WHERE run = ? AND stream = ? ORDER BY cell",
        arguments: [number, stream.rawValue])
      while let id = try ids.next() {
        if id > next { gaps.append(next..<id) }
        next = id + 1
      }
      if next < range.upperBound { gaps.append(next..<range.upperBound) }
      return gaps
    }
    return gaps.flatMap { Chunks.chunks(of: $0, in: planned.grid, atMost: max(1, length)) }
  }

  /// Marks the run as finished.
  ///
  /// - Parameter time: now; a finished run keeps its time.
  /// - Throws: `RunStoreError.unfinished` if cells are missing.
  package func finish(at time: Date) throws {
    try database.write { db in try self.claim(db, at: nil) }
    var missing = 0
    for stream in plan.streams {
      for range in try self.missing(stream.grid.stream) {
        missing += stream.grid.accepted(in: range).count
      }
    }
    guard missing == 0 else { throw RunStoreError.unfinished(run: id, missing: missing) }
    try database.write { db in
      try self.claim(db, at: nil)
      try db.execute(
        sql: "UPDATE runs SET finished_at = coalesce(finished_at, ?) WHERE number = ?",
        arguments: [RunName.text(of: time), number])
    }
    database.mergeLog()
  }

  /// Makes sure that the run exists and still belongs to this writer.
  private func claim(_ db: Database, at time: Date?) throws {
    let opened = try Int.fetchOne(
      db, sql: "SELECT opened FROM runs WHERE number = ? AND id = ?", arguments: [number, id])
    guard let opened else {
      throw RunStoreError.noRun(
        id: id,
        available: try String.fetchAll(db, sql: "SELECT id FROM runs ORDER BY created_at, id"))
    }
    guard opened == self.opened else { throw RunStoreError.takenOver(run: id) }
    guard let time else { return }
    try db.execute(
      sql: "UPDATE runs SET written_at = max(written_at, ?) WHERE number = ?",
      arguments: [RunName.text(of: time), number])
  }
}

/// Divides ids into pieces that are worth evaluating.
enum Chunks {
  /// The pieces of a range, each starting and ending with a cell that is not degenerate.
  ///
  /// - Complexity: O(ids) with constraints, O(pieces) without.
  static func chunks(of range: Range<Int>, in grid: StreamGrid, atMost length: Int)
    -> [Range<Int>]
  {
    var chunks: [Range<Int>] = []
    var start = range.lowerBound
    while start < range.upperBound {
      guard let first = (start..<range.upperBound).first(where: grid.isAccepted) else { break }
      let end = first + min(length, range.upperBound - first)
      let last = (first..<end).last(where: grid.isAccepted) ?? first
      chunks.append(first..<last + 1)
      start = end
    }
    return chunks
  }
}

extension RunDatabase {
  /// Starts a run.
  ///
  /// - Parameter time: now.
  package func begin(_ plan: RunPlan, at time: Date) throws -> RunWriter {
    let (number, id) = try write { db in
      try RunInsertion(db: db, outline: plan.outline, time: time).insert()
    }
    return RunWriter(database: self, id: id, number: number, opened: 1, plan: plan)
  }

  /// Continues the newest run of the plan's experiment and shard; starts one if there is none.
  ///
  /// Of runs that match the plan, an unfinished one comes first. A finished one can be continued
  /// too: it lacks no cell.
  ///
  /// - Parameter time: now.
  /// - Throws: `RunStoreError.changed` if runs of the experiment and shard exist but none was
  ///   started with the same data, grid, program and seed; it compares with the newest.
  package func resume(_ plan: RunPlan, at time: Date) throws -> RunWriter {
    let (number, id, opened) = try write { db in
      guard let row = try self.candidate(db, plan) else {
        let (number, id) = try RunInsertion(db: db, outline: plan.outline, time: time).insert()
        return (number, id, 1)
      }
      try db.execute(
        sql: "UPDATE runs SET opened = opened + 1 WHERE number = ?", arguments: [row.number])
      return (row.number, row.facts.id, row.opened + 1)
    }
    return RunWriter(database: self, id: id, number: number, opened: opened, plan: plan)
  }

  private func candidate(_ db: Database, _ plan: RunPlan) throws -> RunRow? {
    let identity = plan.identity
    let rows = try RunRow.fetch(
      db, path, where: "experiment = ? AND shard_index = ? AND shard_count = ?",
      [identity.experiment, identity.shard.index, identity.shard.count])
    let traits = RunTraits(plan)
    let comparisons = try rows.map {
      (row: $0, changes: traits.changes(from: try RunTraits(db, $0)))
    }
    let matches = comparisons.filter(\.changes.isEmpty).map(\.row)
    if let match = matches.last(where: { $0.facts.finishedAt == nil }) ?? matches.last {
      return match
    }
    guard
      let newest = comparisons.last(where: { $0.row.facts.finishedAt == nil }) ?? comparisons.last
    else { return nil }
    throw RunStoreError.changed(run: newest.row.facts.id, newest.changes)
  }
}
