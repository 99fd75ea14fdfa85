internal import GRDB
package import PoseModel

/// Why runs cannot be stored or read.
package enum RunStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is no file to read.
  case noStore(path: String)
  /// The file is something else: not SQLite, or the database of another program.
  case foreign(path: String)
  /// The file was written by a later version of this program.
  case newerSchema(path: String, found: Int, known: Int)
  /// The file is damaged.
  case corrupt(path: String, reason: String)
  /// A part of the store that this program did not make and that could run when it is opened.
  case foreignPart(path: String, name: String, kind: String)
  /// A run does not fit together; others may.
  case corruptRun(path: String, run: String, reason: String)
  /// Something of a sequence is beyond what a store holds.
  case beyondLimits(sequence: String, found: String)
  /// The numbers of a cell do not read back.
  case corruptCell(run: String, stream: AnswerStream, cell: Int)
  /// The file or its folder cannot be opened or written.
  case inaccessible(path: String, reason: String)
  /// The file was removed or replaced while it was written.
  case replaced(path: String)
  /// The disk is full; everything committed before is safe.
  case full(path: String)
  /// Another process locks the file for longer than a writer waits.
  case busy(path: String)
  /// No run has the id, or starts with it; the id is empty if any run would do.
  case noRun(id: String, available: [String])
  /// Several runs start with the given text.
  case ambiguousRun(prefix: String, matches: [String])
  /// A run cannot be continued because something on which it depends has changed.
  case changed(run: String, [RunChange])
  /// A cell is already there.
  case alreadyStored(run: String, stream: AnswerStream, cell: Int)
  /// Another writer continued the run in the meantime.
  case takenOver(run: String)
  /// A run to be finished lacks cells.
  case unfinished(run: String, missing: Int)
  /// A store to be merged has no run of the experiment; nil for any experiment.
  case noPart(path: String, experiment: String?)
  /// A store has no complete, undivided run of an experiment.
  case noWhole(path: String, experiment: String)
  /// Something on which a complete run depends has changed.
  case outdated(run: String, [RunChange])
  /// Runs to be merged are not of one sweep.
  case otherSweep(run: String, than: String, [RunChange])
  /// Missing shards of a sweep, counted from 1.
  case missingShards([Int], of: Int)
  /// Two runs of one shard, or of a whole sweep, have different numbers.
  case unequal(run: String, other: String, stream: AnswerStream, cell: Int)
  /// The system refuses memory or locks that SQLite needs.
  case refused(path: String, reason: String)
  /// SQLite failed in a way that has no case of its own.
  case unexpected(path: String, reason: String)

  /// What is wrong, where, and what to do.
  package var description: String {
    switch self {
    case .noRun, .ambiguousRun, .changed, .alreadyStored, .takenOver, .unfinished, .corruptCell,
      .otherSweep, .missingShards, .unequal, .noPart,
      .noWhole, .outdated:
      runDescription
    case .noStore(let path):
      "\(path): no such store; check --store, or make one with `planklab sweep`"
    case .foreign(let path):
      "\(path): is not a store of runs; choose another file with --store"
    case .newerSchema(let path, let found, let known):
      "\(path): has schema \(found), this program reads up to \(known); update planklab"
    case .corrupt(let path, let reason):
      "\(path): is damaged (\(reason)); restore a copy or sweep again, or save what is left with "
        + "`sqlite3 \(quoted(path)) .recover`"
    case .foreignPart(let path, let name, let kind):
      "\(path): holds the \(kind) `\(name)`, which planklab did not make and which could run code "
        + "when the store is used; sweep into another store, or drop the \(kind) with sqlite3 if you "
        + "made it"
    case .corruptRun(let path, let run, let reason):
      "run \(run) is damaged (\(reason)); `planklab runs delete \(quoted(run)) --store "
        + "\(quoted(path))` removes it, then sweep again"
    case .beyondLimits(let sequence, let found):
      "sequence \(sequence): \(found), and a store holds 0 to 1e12 s; correct the times of its "
        + "recording, or take it out of the dataset"
    case .inaccessible(let path, let reason):
      "\(path): cannot be opened (\(reason)); check that its folder exists and is writable"
    case .replaced(let path):
      "\(path): was removed or replaced while it was being written; its cells are lost, sweep again"
    case .full(let path):
      "\(path): the disk is full; make room and run the command again (a sweep with --resume); stored cells are safe"
    case .busy(let path):
      "\(path): another process has locked it for too long; wait for it and continue with --resume"
    case .refused(let path, let reason):
      "\(path): the system refuses what SQLite needs (\(reason)); free some memory, or put the store "
        + "on a local disk, and run the command again (a sweep with --resume)"
    case .unexpected(let path, let reason):
      "\(path): SQLite failed (\(reason)); check the disk, then continue with --resume"
    }
  }

  /// A path as a shell reads it back.
  private func quoted(_ path: String) -> String {
    "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }

  private var runDescription: String {
    switch self {
    case .noRun("", []): "the store holds no runs; make one with `planklab sweep`"
    case .noRun(let id, let available):
      "no run `\(id)`; "
        + (available.isEmpty
          ? "the store is empty" : "runs are \(available.prefix(20).joined(separator: ", "))")
    case .ambiguousRun(let prefix, let matches):
      "`\(prefix)` matches \(matches.prefix(20).joined(separator: ", ")); give more of the id"
    case .changed(let run, let changes):
      "run \(run) cannot be continued: "
        + changes.map(\.description).joined(separator: "; ")
        + "; undo the change, or start a new run without --resume"
    case .alreadyStored(let run, let stream, let cell):
      "run \(run) already has \(stream.rawValue) cell \(cell); ask the run which cells it lacks"
    case .takenOver(let run):
      "run \(run) was continued by another process; run only one, or give each a --shard"
    case .unfinished(let run, let missing):
      "run \(run) lacks \(CountText.of(missing, "cell")); continue it with --resume"
    case .corruptCell(let run, let stream, let cell):
      "run \(run): the numbers of \(stream.rawValue) cell \(cell) are damaged; "
        + "delete the run and sweep again"
    case .noPart(let path, let experiment):
      "\(path): holds no runs" + (experiment.map { " of experiment `\($0)`" } ?? "")
        + "; `planklab runs list --store` shows what a store holds"
    case .noWhole(let path, let experiment):
      "\(path): holds no complete run of experiment `\(experiment)`; finish its sweep with "
        + "--resume, or put its parts together with `planklab runs merge`"
    case .outdated(let run, let changes):
      "run \(run) cannot be used: " + changes.map(\.description).joined(separator: "; ")
        + "; undo the change, or sweep again"
    case .otherSweep(let run, let other, let changes):
      "run \(run) is not part of the sweep of run \(other): "
        + changes.map(\.description).joined(separator: "; ") + "; merge the parts of one sweep"
    case .missingShards(let parts, let count):
      "parts of the sweep are missing: "
        + parts.prefix(20).map { "\($0)/\(count)" }.joined(separator: ", ")
        + (parts.count > 20 ? " and \(parts.count - 20) more parts" : "")
        + "; sweep them with --shard and list their stores, too"
    case .unequal(let run, let other, let stream, let cell):
      "runs \(run) and \(other) have the same cells but differ in \(stream.rawValue) "
        + "cell \(cell); delete both and sweep again"
    default: ""
    }
  }
}

extension RunStoreError {
  /// Runs a step of SQLite; its errors become ours.
  static func wrapping<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw RunStoreError(error, path)
    } catch let error where !(error is RunStoreError) {
      throw RunStoreError.unexpected(path: path, reason: "\(error)")
    }
  }

  private init(_ error: DatabaseError, _ path: String) {
    let reason = error.message ?? "code \(error.extendedResultCode.rawValue)"
    switch error.resultCode {
    case .SQLITE_NOTADB: self = .foreign(path: path)
    case .SQLITE_CORRUPT: self = .corrupt(path: path, reason: reason)
    case .SQLITE_FULL: self = .full(path: path)
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .busy(path: path)
    case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_IOERR:
      self = .inaccessible(path: path, reason: reason)
    case .SQLITE_NOMEM, .SQLITE_PROTOCOL, .SQLITE_NOLFS: self = .refused(path: path, reason: reason)
    default: self = .unexpected(path: path, reason: reason)
    }
  }
}
