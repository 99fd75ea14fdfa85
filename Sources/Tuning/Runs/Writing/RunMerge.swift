internal import GRDB
package import Platform
internal import PoseModel

/// Every cell is decoded and checked on the way; the merged run has the same cells with the same
/// numbers as a sweep that was never divided.
package struct RunMerge {
  package struct Result: Sendable {
    package let run: String
    package let isKnown: Bool
  }

  package let repetitionCount: Int
  package var shardCount: Int { shards.count }
  package var cellCount: Int { outline.streams.reduce(0) { $0 + $1.acceptedCount } }
  private let shards: [RunReader]
  private let outline: RunOutline

  private static let cellsPerStep = 512

  /// A run that lacks cells is left out if another one covers its shard.
  package init(_ runs: [RunReader]) throws {
    guard let first = runs.first else { throw RunStoreError.noRun(id: "", available: []) }
    var byShard: [Int: RunReader] = [:]
    let complete = runs.filter(\.isComplete)
    for run in runs where !run.isComplete {
      let shard = run.facts.identity.shard
      guard complete.contains(where: { $0.facts.identity.shard == shard }) else {
        throw RunStoreError.unfinished(
          run: run.facts.id, missing: run.facts.acceptedCount - run.facts.storedCount)
      }
    }
    for run in complete {
      let changes = Self.changes(run, first)
      guard changes.isEmpty else {
        throw RunStoreError.otherSweep(run: run.facts.id, than: first.facts.id, changes)
      }
      let index = run.facts.identity.shard.index
      if let other = byShard[index] {
        try Self.checkEqual(run, other)
      } else {
        byShard[index] = run
      }
    }
    let count = first.facts.identity.shard.count
    let missing = (0..<count).filter { byShard[$0] == nil }.map { $0 + 1 }
    guard missing.isEmpty else { throw RunStoreError.missingShards(missing, of: count) }
    shards = (0..<count).compactMap { byShard[$0] }
    repetitionCount = complete.count - count
    outline = Self.outline(shards, first)
  }

  /// Writes the whole into a store at a path; where that fails, a store that was not there before
  /// is not there after, either.
  package func write(
    toStore path: String, at time: Date, progress: (Int) -> Void = { _ in }
  ) throws -> Result {
    let isNew = !FileManager.default.fileExists(atPath: path)
    let database = try RunDatabase(writing: path)
    do {
      let result = try write(to: database, at: time, progress: progress)
      try database.close()
      return result
    } catch {
      if isNew { database.removeIfEmpty() }
      throw error
    }
  }

  /// In one transaction; a store that already has it is not changed.
  ///
  /// `database` may also contain the shards.
  package func write(
    to database: RunDatabase, at time: Date, progress: (Int) -> Void = { _ in }
  ) throws -> Result {
    if let known = try known(in: database) {
      for shard in shards { try Self.checkEqual(shard, known) }
      return Result(run: known.facts.id, isKnown: true)
    }
    let run = try database.write { db in
      let (number, id) = try RunInsertion(db: db, outline: outline, time: time).insert()
      for stream in outline.streams {
        let (name, codec) = (stream.grid.stream, CellCodec(stream.layout))
        for shard in shards {
          try Self.forEachTable(shard, name) { table in
            let insertion = CellInsertion(run: number, id: id, name, codec, table)
            try RunStoreError.wrapping(database.path) { try insertion.insert(db) }
            progress(table.ids.count)
          }
        }
      }
      try db.execute(
        sql: "UPDATE runs SET finished_at = ? WHERE number = ?",
        arguments: [RunName.text(of: time), number])
      return id
    }
    return Result(run: run, isKnown: false)
  }

  private func known(in database: RunDatabase) throws -> RunReader? {
    let (identity, traits) = (outline.identity, RunTraits(shards[0]))
    for facts in try database.runs().reversed()
    where facts.identity.experiment == identity.experiment && facts.identity.shard == .whole
      && facts.finishedAt != nil
    {
      let run = try database.run(facts.id)
      if RunTraits(run).changes(from: traits).isEmpty { return run }
    }
    return nil
  }

  private static func changes(_ run: RunReader, _ first: RunReader) -> [RunChange] {
    let (found, stored) = (run.facts.identity, first.facts.identity)
    return RunTraits(run).changes(from: RunTraits(first))
      + [
        RunChange(.experiment, stored: stored.experiment, found: found.experiment),
        RunChange(.shards, stored: "\(stored.shard.count)", found: "\(found.shard.count)"),
      ].compactMap(\.self)
  }

  private static func outline(_ shards: [RunReader], _ first: RunReader) -> RunOutline {
    let identity = first.facts.identity
    return RunOutline(
      identity: RunIdentity(
        experiment: identity.experiment, dataset: identity.dataset, program: identity.program,
        seed: identity.seed),
      streams: first.grids.compactMap { grid in
        first.layouts[grid.stream].map { layout in
          RunOutline.Stream(
            grid: grid, layout: layout, cells: 0..<grid.cellCount,
            acceptedCount: shards.reduce(0) { sum, shard in
              sum
                + shard.facts.streams.filter { $0.stream == grid.stream }
                .reduce(0) { $0 + $1.acceptedCount }
            })
        }
      })
  }

  private static func checkEqual(_ run: RunReader, _ other: RunReader) throws {
    for stream in run.facts.streams.map(\.stream) {
      try forEachTable(run, stream) { table in
        guard let first = table.ids.first else { return }
        let same = try other.cells(stream, after: first - 1, count: table.ids.count)
        for position in table.ids.indices {
          let id = table.ids[position]
          guard let same, position < same.ids.count, same.ids[position] == id,
            same.numbers(at: position) == table.numbers(at: position)
          else {
            throw RunStoreError.unequal(
              run: run.facts.id, other: other.facts.id, stream: stream, cell: id)
          }
        }
      }
    }
  }

  private static func forEachTable(
    _ run: RunReader, _ stream: AnswerStream,
    _ body: (CellTable) throws -> Void
  ) throws {
    var last: Int?
    while let table = try run.cells(stream, after: last, count: cellsPerStep) {
      try body(table)
      last = table.ids.last
    }
  }
}

extension RunReader {
  fileprivate var isComplete: Bool {
    facts.finishedAt != nil && facts.storedCount == facts.acceptedCount
  }
}
