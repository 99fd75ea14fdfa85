internal import GRDB
package import Platform
package import PoseModel

/// Writes the configurations of one run in chunks.
///
/// A chunk is one transaction: its configurations are safe after `write`, and before that, none of
/// them is stored. Only one writer continues a run at a time: if another writer continues it, the
/// next `write` fails.
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

  /// Encodes configurations of the run, none of which is stored yet; other threads may write at the
  /// same time.
  ///
  /// `table` has the plan's layout.
  package func encoded(_ stream: AnswerStream, _ table: CellTable) -> CellInsertion {
    guard let planned = plan.streams.first(where: { $0.grid.stream == stream }),
      let codec = codecs[stream]
    else { preconditionFailure("the run has no \(stream.rawValue) stream") }
    let range = 0..<planned.grid.cellCount
    precondition(table.layout.stride == planned.layout.stride, "cells of the run's layout")
    precondition(table.ids.allSatisfy(range.contains), "cells of the run's grid")
    return CellInsertion(run: number, id: id, stream, codec, table)
  }

  /// Stores nothing if it throws.
  package func write(_ cells: CellInsertion, at time: Date) throws {
    try database.write { db in
      try self.claim(db, at: time)
      try cells.insert(db)
    }
  }

  /// The ranges of ids without a stored configuration, in order.
  ///
  /// A range has at most `length` ids, and starts and ends with a configuration to evaluate.
  /// Degenerate ones inside a range are not missing.
  package func missing(_ stream: AnswerStream, atMost length: Int = .max) throws -> [Range<Int>] {
    guard let planned = plan.streams.first(where: { $0.grid.stream == stream }) else { return [] }
    let end = planned.grid.cellCount
    let gaps = try database.read { db in
      var gaps: [Range<Int>] = []
      var next = 0
      let ids = try Int.fetchCursor(
        db, sql: "SELECT cell FROM cells WHERE run = ? AND stream = ? ORDER BY cell",
        arguments: [number, stream.rawValue])
      while let id = try ids.next() {
        if id > next { gaps.append(next..<id) }
        next = id + 1
      }
      if next < end { gaps.append(next..<end) }
      return gaps
    }
    return gaps.flatMap { planned.grid.chunks(of: $0, atMost: max(1, length)) }
  }

  /// Marks the run as finished; a finish time that is already stored stays.
  ///
  /// - Throws: `unfinished` if configurations are missing.
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

extension StreamGrid {
  /// Each chunk starts and ends with a configuration that is not degenerate.
  fileprivate func chunks(of range: Range<Int>, atMost length: Int) -> [Range<Int>] {
    var chunks: [Range<Int>] = []
    var start = range.lowerBound
    while start < range.upperBound {
      guard let first = (start..<range.upperBound).first(where: isAccepted) else { break }
      let end = first + min(length, range.upperBound - first)
      let last = (first..<end).last(where: isAccepted) ?? first
      chunks.append(first..<last + 1)
      start = end
    }
    return chunks
  }
}

extension RunDatabase {
  package func begin(_ plan: RunPlan, at time: Date) throws -> RunWriter {
    let (number, id) = try write { db in
      try RunInsertion(db: db, plan: plan, time: time).insert()
    }
    return RunWriter(database: self, id: id, number: number, opened: 1, plan: plan)
  }

  /// Continues a run that matches the plan, or starts a new run if the experiment has none.
  ///
  /// An unfinished run takes precedence over a finished one, which can be continued as well but has
  /// nothing left to evaluate.
  ///
  /// - Throws: `changed` if the experiment has runs, but none with the same data,
  ///   grid, program and seed.
  package func resume(_ plan: RunPlan, at time: Date) throws -> RunWriter {
    let (number, id, opened) = try write { db in
      guard let row = try self.candidate(db, plan) else {
        let (number, id) = try RunInsertion(db: db, plan: plan, time: time).insert()
        return (number, id, 1)
      }
      try db.execute(
        sql: "UPDATE runs SET opened = opened + 1 WHERE number = ?", arguments: [row.number])
      return (row.number, row.facts.id, row.opened + 1)
    }
    return RunWriter(database: self, id: id, number: number, opened: opened, plan: plan)
  }

  private func candidate(_ db: Database, _ plan: RunPlan) throws -> RunRow? {
    let rows = try RunRow.fetch(db, path, where: "experiment = ?", [plan.identity.experiment])
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

struct RunInsertion {
  let db: Database
  let plan: RunPlan
  let time: Date

  func insert() throws -> (number: Int64, id: String) {
    for stream in plan.streams { try stream.layout.facts.checkLimits() }
    let id = try RunName.make(plan, at: time) { name in
      try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM runs WHERE id = ?)", arguments: [name]) ?? false
    }
    let identity = plan.identity
    let now = RunName.text(of: time)
    try execute(
      """
      INSERT INTO runs (id, experiment, dataset, dataset_hash, split, calibration, program, seed,
        created_at, written_at, opened, grid)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?)
      """,
      [
        id, identity.experiment, identity.dataset.name, identity.dataset.hash,
        identity.dataset.split, identity.dataset.calibration, identity.program, "\(identity.seed)",
        now, now, plan.gridLines.joined(separator: "\n"),
      ])
    let number = db.lastInsertedRowID
    for (index, sequence) in plan.streams[0].layout.facts.sequences.enumerated() {
      try insert(
        [
          number, index, sequence.name, sequence.subject, sequence.frameWeight.value,
          sequence.times.count, TimeBlob.data(sequence.times), sequence.source,
        ], into: "sequences")
    }
    for stream in plan.streams {
      try insert(stream, number)
      try insert(stream.layout.facts, number)
      try insert(GridDescription(stream.grid), number)
    }
    try execute(
      "UPDATE runs SET checksum = ? WHERE number = ?",
      [try StoreIntegrity.checksum(ofRun: number, db), number])
    return (number: number, id: id)
  }

  private func insert(_ stream: RunPlan.Stream, _ run: Int64) throws {
    let facts = stream.layout.facts.sequences
    try insert(
      [
        run, stream.grid.stream.rawValue, stream.grid.cellCount, stream.grid.acceptedCount,
        facts.reduce(0) { $0 + $1.rows.reduce(0) { $0 + $1.frames } },
        facts.reduce(0) { $0 + $1.trueTransitions }, facts.reduce(0) { $0 + $1.onsets.count },
        stream.layout.stride,
      ], into: "streams")
  }

  private func insert(_ facts: StreamFacts, _ run: Int64) throws {
    let (stream, labels) = (facts.stream.rawValue, facts.stream.labels)
    for (index, sequence) in facts.sequences.enumerated() {
      try insert(
        [run, stream, index, sequence.evaluatedSeconds.value, sequence.trueTransitions],
        into: "stream_sequences")
      for row in sequence.rows {
        try insert(
          [
            run, stream, index, labels[Int(row.truth)], Int(row.truth), row.frames,
            row.ticks.map { Int64(bitPattern: $0) },
          ], into: "truth")
      }
      for (event, onset) in sequence.onsets.enumerated() {
        try insert(
          [
            run, stream, index, event, labels[Int(onset.label)], Int(onset.label),
            onset.frames.lowerBound, onset.frames.upperBound,
            sequence.times[onset.frames.lowerBound], onset.duration.value, onset.isObserved,
          ], into: "events")
      }
    }
  }

  private func insert(_ grid: GridDescription, _ run: Int64) throws {
    let stream = grid.stream.rawValue
    for (index, text) in grid.constraints.enumerated() {
      try insert([run, stream, index, text], into: "constraints")
    }
    var first = 0
    for (index, variant) in grid.variants.enumerated() {
      try insert(
        [
          run, stream, index, variant.detector, variant.vertical, variant.smoothing, first,
          first + variant.cellCount, variant.rules.joined(separator: "\n"),
        ], into: "variants")
      first += variant.cellCount
      for (place, fixed) in variant.fixed.enumerated() {
        try insert(
          [run, stream, index, place, fixed.parameter, fixed.unit, fixed.value],
          into: "fixed_parameters")
      }
      let strides = variant.radix?.strides ?? []
      for (place, axis) in variant.axes.enumerated() {
        try insert(
          [
            run, stream, index, place, axis.parameter, axis.unit, strides[place], axis.values.count,
          ], into: "axes")
        for (digit, value) in axis.values.enumerated() {
          try insert([run, stream, index, place, digit, value], into: "axis_values")
        }
      }
    }
  }

  private func insert(_ values: [(any DatabaseValueConvertible)?], into table: String) throws {
    let marks = databaseQuestionMarks(count: values.count)
    try execute("INSERT INTO \(table) VALUES (\(marks))", StatementArguments(values))
  }

  private func execute(_ sql: String, _ arguments: StatementArguments) throws {
    try db.cachedStatement(sql: sql).execute(arguments: arguments)
  }
}

package struct CellInsertion: Sendable {
  private let run: Int64
  private let id: String
  private let stream: AnswerStream
  private let sources: [String?]
  private let cells: [EncodedCell]

  private struct EncodedCell {
    let id: Int
    let sums: [CellSummary]
    let bytes: Data
    let checksum: Int64
  }

  init(run: Int64, id: String, _ stream: AnswerStream, _ codec: CellCodec, _ table: CellTable) {
    self.run = run
    self.id = id
    self.stream = stream
    sources = codec.sources
    cells = table.ids.indices.map { position in
      let (id, numbers) = (table.ids[position], table.numbers(at: position))
      return codec.withEncoded(numbers) { bytes in
        EncodedCell(
          id: id, sums: codec.sums(numbers), bytes: Data(buffer: bytes),
          checksum: StoreIntegrity.checksum(
            ofCell: id, stream.rawValue, UnsafeRawBufferPointer(bytes)))
      }
    }
  }

  func insert(_ db: Database) throws {
    let statement = try db.cachedStatement(
      sql: "INSERT OR IGNORE INTO cells VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
    let sourceStatement = try db.cachedStatement(
      sql: "INSERT INTO cell_sources VALUES (?, ?, ?, ?, ?, ?, ?)")
    for cell in cells {
      let summary = cell.sums.reduce(into: CellSummary(), +=)
      try statement.execute(arguments: [
        run, stream.rawValue, cell.id, summary.rightFrames, summary.transitions,
        summary.detectedEvents, cell.bytes, cell.checksum,
      ])
      guard db.changesCount == 1 else {
        throw RunStoreError.alreadyStored(run: id, stream: stream, cell: cell.id)
      }
      for (source, part) in zip(sources, cell.sums) {
        guard let source else { continue }
        try sourceStatement.execute(arguments: [
          run, stream.rawValue, cell.id, source, part.rightFrames, part.transitions,
          part.detectedEvents,
        ])
      }
    }
  }
}
