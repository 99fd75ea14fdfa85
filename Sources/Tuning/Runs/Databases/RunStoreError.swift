internal import GRDB
package import PoseModel

package enum RunStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  case noStore(path: String)
  case foreign(path: String)
  case newerSchema(path: String, found: Int, known: Int)
  case corrupt(path: String, reason: String)
  /// A part of the store that this program did not make and that could run when it is opened.
  case foreignPart(path: String, name: String, kind: String)
  case corruptRun(path: String, run: String, reason: String)
  case beyondLimits(sequence: String, found: String)
  case corruptCell(run: String, stream: AnswerStream, cell: Int)
  case inaccessible(path: String, reason: String)
  case replaced(path: String)
  /// The disk is full; everything committed before is safe.
  case full(path: String)
  case busy(path: String)
  case noRun(id: String, available: [String])
  case ambiguousRun(prefix: String, matches: [String])
  case changed(run: String, [RunChange])
  case alreadyStored(run: String, stream: AnswerStream, cell: Int)
  case takenOver(run: String)
  case unfinished(run: String, missing: Int)
  case noPart(path: String, experiment: String?)
  case noWhole(path: String, experiment: String)
  case outdated(run: String, [RunChange])
  case otherSweep(run: String, than: String, [RunChange])
  case missingShards([Int], of: Int)
  case unequal(run: String, other: String, stream: AnswerStream, cell: Int)
  case refused(path: String, reason: String)
  case unexpected(path: String, reason: String)

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
