internal import GRDB

extension RunDatabase {
  /// All runs, by the time they were begun, then by id.
  package func runs() throws(RunStoreError) -> [RunFacts] {
    try read { db in try RunRow.fetch(db, path).map(\.facts) }
  }

  /// The run of an id, or the one run whose id begins so; the one that was begun last without a
  /// name.
  ///
  /// - Throws: `RunStoreError`: `noRun`, `ambiguousRun`.
  package func run(_ name: String?) throws(RunStoreError) -> RunReader {
    let row = try read { db in
      let rows = try RunRow.fetch(db, path)
      guard let name else {
        guard let newest = rows.last else { throw RunStoreError.noRun(id: "", available: []) }
        return newest
      }
      if let exact = rows.first(where: { $0.facts.id == name }) { return exact }
      let matches = rows.filter { !name.isEmpty && $0.facts.id.hasPrefix(name) }
      guard let match = matches.first else {
        throw RunStoreError.noRun(id: name, available: rows.map(\.facts.id))
      }
      guard matches.count == 1 else {
        throw RunStoreError.ambiguousRun(prefix: name, matches: matches.map(\.facts.id))
      }
      return match
    }
    return try RunReader(self, row)
  }

  /// Deletes a run with its cells; its room in the file is used again by later runs.
  ///
  /// - Parameter id: the whole id.
  /// - Returns: what the run was.
  /// - Throws: `RunStoreError.noRun`.
  @discardableResult
  package func delete(_ id: String) throws(RunStoreError) -> RunFacts {
    try write { db in
      let rows = try RunRow.fetch(db, path)
      guard let row = rows.first(where: { $0.facts.id == id }) else {
        throw RunStoreError.noRun(id: id, available: rows.map(\.facts.id))
      }
      try db.execute(sql: "DELETE FROM runs WHERE number = ?", arguments: [row.number])
      return row.facts
    }
  }
}
