internal import PoseModel
internal import Reporting
internal import RunStore

/// Writes the cells of a run as a table.
package enum ExportRun {
  /// The forms of a table.
  package enum Format: String, CaseIterable, Sendable {
    /// A row a cell: parameters, counts and metrics over all subjects.
    case csv
    /// A JSON object a line and cell: the same, and all numbers by subject.
    case jsonl
  }

  /// What `runs export` is asked for.
  package struct Request: Sendable {
    /// The run's id, or the beginning of it; nil for the newest.
    package var run: String?
    /// The store.
    package var store: String
    /// The form.
    package var format: Format
    /// The stream; nil for all that the run has.
    package var stream: StreamChoice?

    /// Makes a request.
    package init(
      run: String? = nil, store: String, format: Format, stream: StreamChoice? = nil
    ) {
      self.run = run
      self.store = store
      self.format = format
      self.stream = stream
    }
  }

  /// Runs the command.
  ///
  /// - Parameters:
  ///   - write: takes the table piece by piece, so that it is never in memory as a whole.
  ///   - progress: how many cells are written.
  /// - Returns: what is to be said about the table; an incomplete run is said to be one.
  package static func run(
    _ request: Request, progress: @escaping ProgressReport,
    to write: (String) throws(WorkflowFailure) -> Void
  ) throws(WorkflowFailure) -> Outcome {
    let database = try RunAccess.read(request.store)
    let reader = try RunAccess.failing { () throws(RunStoreError) in
      try database.run(request.run)
    }
    let streams = try streams(request, reader)
    let table = CellTableText(reader, streams)
    if request.format == .csv { try write(table.header) }
    let stored = reader.facts.streams.filter { streams.contains($0.stream) }
      .reduce(0) { $0 + $1.storedCount }
    var done = 0
    for stream in streams {
      var rows = reader.rows(stream)
      while let batch = try RunAccess.failing({ () throws(RunStoreError) in try rows.next() }) {
        try write(batch.map(request.format == .csv ? table.row : table.line).joined())
        done += batch.count
        progress(min(done, stored), stored, "cells")
      }
    }
    guard done >= stored else {
      throw WorkflowFailure(
        .noInput, "run \(reader.facts.id) was deleted while it was exported; the table is cut")
    }
    return Outcome("", remarks: remarks(reader.facts))
  }

  private static func streams(
    _ request: Request, _ reader: RunReader
  ) throws(WorkflowFailure) -> [AnswerStream] {
    let available = reader.facts.streams.map(\.stream)
    guard let stream = request.stream?.stream else { return available }
    guard available.contains(stream) else {
      throw WorkflowFailure(
        .usage, "run \(reader.facts.id) has no \(stream.rawValue) cells; leave out --stream")
    }
    return [stream]
  }

  private static func remarks(_ facts: RunFacts) -> [String] {
    guard facts.finishedAt == nil else { return [] }
    return [
      "note: run \(facts.id) is not complete, \(facts.progressText) cells; "
        + "`planklab sweep --resume` continues it"
    ]
  }
}
