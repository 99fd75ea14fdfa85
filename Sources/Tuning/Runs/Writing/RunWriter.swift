internal import GRDB
package import Platform
package import PoseModel

/// A chunk is a transaction: after `write` its cells are safe, and before it none of them is
/// stored.
///
/// Only one writer continues a run at a time: if another one does, this one's next write fails.
package struct RunWriter: Sendable {
  package let id: String
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

  /// Any thread may call it while another one writes; `table` has cells of the plan's layout,
  /// inside the run's shard, none of them stored yet.
  package func encoded(_ stream: AnswerStream, _ table: CellTable) -> CellInsertion {
    guard let planned = plan.streams.first(where: { $0.grid.stream == stream }),
      let codec = codecs[stream]
    else { preconditionFailure("the run has no \(stream.rawValue) stream") }
    let range = plan.range(of: planned)
    precondition(table.layout.stride == planned.layout.stride, "cells of the run's layout")
    precondition(table.ids.allSatisfy(range.contains), "cells of the run's shard")
    return CellInsertion(run: number, id: id, stream, codec, table)
  }

  /// In one transaction; nothing is stored if it throws.
  package func write(_ cells: CellInsertion, at time: Date) throws {
    try database.write { db in
      try self.claim(db, at: time)
      try cells.insert(db)
    }
  }

  /// In order.
  ///
  /// The ranges, of at most `length` ids, contain no stored cell, and start and end with a cell to
  /// evaluate; degenerate cells inside them are not missing.
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

  /// A finished run keeps its time; throws `unfinished` if cells are missing.
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

enum Chunks {
  /// Each starts and ends with a cell that is not degenerate; O(ids) with constraints, O(pieces)
  /// without.
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
  package func begin(_ plan: RunPlan, at time: Date) throws -> RunWriter {
    let (number, id) = try write { db in
      try RunInsertion(db: db, outline: plan.outline, time: time).insert()
    }
    return RunWriter(database: self, id: id, number: number, opened: 1, plan: plan)
  }

  /// Of runs that match the plan, an unfinished one comes first; a finished one can be continued,
  /// too: it lacks no cell.
  ///
  /// Throws `changed` if no run was started with the same data, grid, program and seed.
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
