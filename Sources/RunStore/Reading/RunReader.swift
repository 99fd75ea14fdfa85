internal import FoundationEssentials
internal import GRDB
package import ParameterTuning
package import PoseModel

/// Reads one run: its grids, the truth of its data, its cells in order.
package struct RunReader: Sendable {
  /// What there is to know without the cells.
  package let facts: RunFacts
  /// The grids, plank first.
  package let grids: [GridDescription]
  /// Where the numbers of the cells stand, with the truth of the data, by stream.
  package let layouts: [AnswerStream: StatisticsLayout]
  private let database: RunDatabase
  private let number: Int64

  init(_ database: RunDatabase, _ row: RunRow) throws(RunStoreError) {
    self.database = database
    number = row.number
    facts = row.facts
    (grids, layouts) = try database.read { db in
      let source = RunSource(db: db, path: database.path, run: row.number)
      let streams = row.facts.streams.map(\.stream)
      return (
        try streams.map(source.grid),
        try Dictionary(uniqueKeysWithValues: streams.map { ($0, try source.layout($0)) })
      )
    }
  }

  /// The next cells of a stream, in order of their ids.
  ///
  /// - Parameters:
  ///   - after: the last id that was read; nil for the first cells.
  ///   - count: how many.
  /// - Returns: nil where there is none left.
  /// - Throws: `RunStoreError.corruptCell` for numbers that do not read back.
  package func cells(
    _ stream: AnswerStream, after: Int? = nil, count: Int = 512
  ) throws(RunStoreError) -> CellTable? {
    guard let layout = layouts[stream] else { return nil }
    let codec = CellCodec(layout)
    let (ids, storage) = try database.read { db in
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT * FROM cells WHERE run = ? AND stream = ? AND cell > ?
          ORDER BY cell LIMIT ?
          """, arguments: [number, stream.rawValue, after ?? -1, max(1, count)])
      var ids: [Int] = []
      var storage: [UInt32] = []
      while let row = try rows.next() {
        let id: Int = row["cell"]
        let numbers = try row.withUnsafeData(named: "numbers") {
          codec.decode(Array($0 ?? .init()))
        }
        let summary = CellSummary(
          rightFrames: row["right_frames"], transitions: row["transitions"],
          detectedEvents: row["detected_events"])
        guard let numbers, codec.summary(numbers[...]) == summary else {
          throw RunStoreError.corruptCell(run: facts.id, stream: stream, cell: id)
        }
        ids.append(id)
        storage += numbers
      }
      return (ids, storage)
    }
    return ids.isEmpty ? nil : CellTable(layout: layout, ids: ids, storage: storage)
  }

  /// All cells of a stream.
  ///
  /// - Complexity: O(cells x numbers), all in memory.
  package func allCells(_ stream: AnswerStream) throws(RunStoreError) -> CellTable? {
    guard var table = try cells(stream, count: .max) else { return nil }
    while let more = try cells(stream, after: table.ids.last) { table.append(more) }
    return table
  }
}
