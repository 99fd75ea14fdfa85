package import FoundationEssentials
internal import GRDB
internal import ParameterTuning

extension RunDatabase {
  /// Begins a run.
  ///
  /// - Parameter time: now.
  package func begin(_ plan: RunPlan, at time: Date) throws(RunStoreError) -> RunWriter {
    let (number, id) = try write { db in try RunInsertion(db, plan, time).insert() }
    return RunWriter(database: self, id: id, number: number, opened: 1, plan: plan)
  }

  /// Continues the newest run of the plan's experiment and shard; begins one where there is none.
  ///
  /// Of runs that match the plan, one that is not finished comes first. A finished one is taken
  /// too: it lacks no cell.
  ///
  /// - Parameter time: now.
  /// - Throws: `RunStoreError.changed` where runs of the experiment and shard exist and none was
  ///   begun with the same data, grid, program and seed; it compares with the newest.
  package func resume(_ plan: RunPlan, at time: Date) throws(RunStoreError) -> RunWriter {
    let (number, id, opened) = try write { db in
      guard let row = try self.candidate(db, plan) else {
        let (number, id) = try RunInsertion(db, plan, time).insert()
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
    let comparisons = try rows.map { (row: $0, changes: try RunComparison(db, $0, plan).changes) }
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
