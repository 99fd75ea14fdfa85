internal import GRDB
internal import Platform
internal import PoseModel

/// Writes all facts of a run that precede its cells.
struct RunInsertion {
  let db: Database
  let outline: RunOutline
  let time: Date

  /// Writes the run.
  ///
  /// - Returns: its number and its id.
  ///
  /// - Throws: `RunStoreError.beyondLimits` before anything is written.
  func insert() throws -> (number: Int64, id: String) {
    for stream in outline.streams { try stream.layout.facts.checkLimits() }
    let id = try RunName.make(outline, at: time) { name in
      try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM runs WHERE id = ?)", arguments: [name]) ?? false
    }
    let identity = outline.identity
    let now = RunName.text(of: time)
    try execute(
      """
      INSERT INTO runs (id, experiment, dataset, dataset_hash, split, program, seed,
        shard_index, shard_count, created_at, written_at, opened, grid)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?)
      """,
      [
        id, identity.experiment, identity.dataset.name, identity.dataset.hash,
        identity.dataset.split, identity.program, "\(identity.seed)", identity.shard.index,
        identity.shard.count, now, now, outline.gridLines.joined(separator: "\n"),
      ])
    let number = db.lastInsertedRowID
    for (index, sequence) in outline.streams[0].layout.facts.sequences.enumerated() {
      try execute(
        "INSERT INTO sequences VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
          number, index, sequence.name, sequence.subject, sequence.frameWeight.value,
          sequence.times.count, TimeBlob.data(sequence.times), sequence.source,
        ])
    }
    for stream in outline.streams {
      try insert(stream, number)
      try insert(stream.layout.facts, number)
      try insert(stream.grid, number)
    }
    try execute(
      "UPDATE runs SET checksum = ? WHERE number = ?",
      [try StoreIntegrity.checksum(ofRun: number, db), number])
    return (number: number, id: id)
  }

  private func insert(_ stream: RunOutline.Stream, _ run: Int64) throws {
    let facts = stream.layout.facts.sequences
    try execute(
      "INSERT INTO streams VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [
        run, stream.grid.stream.rawValue, stream.grid.cellCount, stream.cells.lowerBound,
        stream.cells.upperBound, stream.acceptedCount,
        facts.reduce(0) { $0 + $1.rows.reduce(0) { $0 + $1.frames } },
        facts.reduce(0) { $0 + $1.trueTransitions }, facts.reduce(0) { $0 + $1.onsets.count },
        stream.layout.keepsDetermined, stream.layout.stride,
      ])
  }

  private func insert(_ facts: StreamFacts, _ run: Int64) throws {
    let (stream, labels) = (facts.stream.rawValue, facts.stream.labels)
    for (index, sequence) in facts.sequences.enumerated() {
      try execute(
        "INSERT INTO stream_sequences VALUES (?, ?, ?, ?, ?)",
        [run, stream, index, sequence.evaluatedSeconds.value, sequence.trueTransitions])
      for row in sequence.rows {
        try execute(
          "INSERT INTO truth VALUES (?, ?, ?, ?, ?, ?)",
          [run, stream, index, labels[Int(row.truth)], Int(row.truth), row.frames])
      }
      for (event, onset) in sequence.onsets.enumerated() {
        try execute(
          "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
          [
            run, stream, index, event, labels[Int(onset.label)], Int(onset.label),
            onset.frames.lowerBound, onset.frames.upperBound,
            sequence.times[onset.frames.lowerBound], onset.duration.value,
            onset.isObserved,
          ])
      }
    }
  }

  private func insert(_ grid: GridDescription, _ run: Int64) throws {
    let stream = grid.stream.rawValue
    for (index, text) in grid.constraints.enumerated() {
      try execute("INSERT INTO constraints VALUES (?, ?, ?, ?)", [run, stream, index, text])
    }
    var first = 0
    for (index, variant) in grid.variants.enumerated() {
      try execute(
        "INSERT INTO variants VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
          run, stream, index, variant.detector, variant.reading, variant.smoothing, first,
          first + variant.cellCount, variant.rules.joined(separator: "\n"),
        ])
      first += variant.cellCount
      for (place, parameter) in variant.fixed.enumerated() {
        try execute(
          "INSERT INTO fixed_parameters VALUES (?, ?, ?, ?, ?, ?, ?)",
          [run, stream, index, place, parameter.name, parameter.unit, parameter.value])
      }
      try insert(variant, [run, stream, index])
    }
  }

  private func insert(_ variant: GridDescription.Variant, _ key: StatementArguments) throws {
    for (place, axis) in variant.axes.enumerated() {
      try execute(
        "INSERT INTO axes VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        key + [place, axis.name, axis.unit, variant.strides[place], axis.values.count])
      for (digit, value) in axis.values.enumerated() {
        try execute(
          "INSERT INTO axis_values VALUES (?, ?, ?, ?, ?, ?)", key + [place, digit, value])
      }
    }
  }

  private func execute(_ sql: String, _ arguments: StatementArguments) throws {
    try db.cachedStatement(sql: sql).execute(arguments: arguments)
  }
}

/// Cells in stored form.
package struct CellInsertion: Sendable {
  private let run: Int64
  private let id: String
  private let stream: AnswerStream
  private let sources: [String?]
  private let cells: [EncodedCell]

  private struct EncodedCell {
    let id: Int
    /// In the order of the sources.
    let sums: [CellSummary]
    let bytes: Data
    let checksum: Int64
  }

  /// Encodes the cells of a table.
  ///
  /// - Complexity: O(cells x numbers).
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
          checksum: StoreIntegrity.checksum(ofCell: id, stream.rawValue, bytes))
      }
    }
  }

  /// Writes the cells.
  ///
  /// - Throws: `RunStoreError.alreadyStored`.
  func insert(_ db: Database) throws {
    let statement = try db.cachedStatement(
      sql: "INSERT OR IGNORE INTO cells VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
    let sourceStatement = try db.cachedStatement(
      sql: "INSERT INTO cell_sources VALUES (?, ?, ?, ?, ?, ?, ?)")
    for cell in cells {
      let summary = cell.sums.reduce(into: CellSummary(), +=)
      try statement.execute(arguments: [
        run, stream.rawValue, cell.id, summary.rightFrames, summary.transitions,
        summary.detectedEvents, cell.bytes,
        cell.checksum,
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
