internal import GRDB
internal import Platform
package import PoseModel

/// Closes a database queue with its owner, but never deallocates the queue.
///
/// libdispatch deallocates such a queue on a thread of its own. It waits forever if the system
/// refuses this thread, and ends the process if the system refuses a file.
final class StoreConnection: Sendable {
  let queue: DatabaseQueue

  init(_ queue: DatabaseQueue) {
    self.queue = queue
    _ = Unmanaged.passRetained(queue)
  }

  deinit { try? queue.close() }
}

/// A store of runs in a file.
///
/// The file is in write-ahead mode: several processes may write to it, each to its own run, while
/// others read. Committed writes outlive the process, however it ends.
package struct RunDatabase: Sendable {
  package let path: String
  private let connection: StoreConnection
  private let isReadOnly: Bool
  private let file: UInt64?

  var queue: DatabaseQueue { connection.queue }

  /// How long a writer waits for another writer, in seconds.
  static let patience = 60.0

  /// Opens a store for writing and creates it if there is none.
  ///
  /// - Throws: `foreign` for another program's file, which is not changed.
  package init(writing path: String) throws {
    self.path = path
    isReadOnly = false
    connection = try RunStoreError.wrapping(path) {
      try Self.checkWritable(path)
      let connection = StoreConnection(
        try DatabaseQueue(path: try Self.absolute(path), configuration: Self.configuration()))
      try Self.retryingCollisions(connection.queue) { try Self.prepare(connection.queue, path) }
      return connection
    }
    file = Self.fileNumber(path)
  }

  /// Opens a store for reading.
  ///
  /// Only leftovers of a killed writer are changed: its log is merged into the file on closing, if
  /// the file is writable, so that one file remains.
  package init(reading path: String) throws { try self.init(existing: path, isReadOnly: true) }

  package init(editing path: String) throws { try self.init(existing: path, isReadOnly: false) }

  private init(existing path: String, isReadOnly: Bool) throws {
    var isFolder = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder else {
      throw RunStoreError.noStore(path: path)
    }
    self.path = path
    self.isReadOnly = isReadOnly
    file = Self.fileNumber(path)
    connection = try RunStoreError.wrapping(path) {
      var configuration = Self.configuration()
      configuration.readonly = isReadOnly && !FileManager.default.isWritableFile(atPath: path)
      if !isReadOnly { try Self.checkWritable(path) }
      let connection = StoreConnection(
        try DatabaseQueue(
          path: configuration.readonly ? try Self.unchanging(path) : try Self.absolute(path),
          configuration: configuration))
      let queue = connection.queue
      guard try queue.read({ db in try Self.isStore(db, path) }) else {
        throw RunStoreError.foreign(path: path)
      }
      try queue.read { db in try StoreIntegrity.check(db, path) }
      return connection
    }
  }

  /// Another program that is reading may prevent the merge; that does no harm.
  func mergeLog() { try? queue.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) } }

  func read<Result: Sendable>(_ body: (Database) throws -> Result) throws -> Result {
    try RunStoreError.wrapping(path) { try queue.read(body) }
  }

  /// Waits for other writers before it reads, so a lock cannot make the transaction fail halfway.
  ///
  /// - Throws: `replaced` if the file is no longer at its path, because what is written to a
  ///   removed file is lost.
  func write<Result: Sendable>(_ body: (Database) throws -> Result) throws -> Result {
    precondition(!isReadOnly, "the store is open to read")
    return try RunStoreError.wrapping(path) {
      try queue.inDatabase { db in
        try db.beginTransaction(.immediate)
        do {
          let result = try body(db)
          guard Self.fileNumber(path) == file else { throw RunStoreError.replaced(path: path) }
          try db.commit()
          return result
        } catch {
          try? db.rollback()
          throw error
        }
      }
    }
  }

  private static func fileNumber(_ path: String) -> UInt64? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return attributes?[.systemFileNumber] as? UInt64
  }

  /// SQLite gives relative names such as `:memory:` and `file:` a special meaning.
  private static func absolute(_ path: String) throws -> String {
    guard !path.hasPrefix("/") else { return path }
    let folder = FileManager.default.currentDirectoryPath
    guard !folder.isEmpty else {
      throw RunStoreError.inaccessible(path: path, reason: "the current folder was removed")
    }
    return folder + "/" + path
  }

  /// The file is opened as immutable unless there is a log beside it, because the log would have
  /// the newest configurations.
  private static func unchanging(_ path: String) throws -> String {
    let path = try absolute(path)
    do {
      _ = try FileManager.default.attributesOfItem(atPath: path + "-wal")
      return path
    } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
    } catch {
      throw RunStoreError.inaccessible(path: path + "-wal", reason: "\(error)")
    }
    let plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-._".utf8
    let name = path.utf8.map { byte in
      plain.contains(byte)
        ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return "file:" + name.joined() + "?immutable=1"
  }

  /// SQLite would leave other files beside a read-only store, and it cannot write while such files
  /// of an earlier attempt are read-only.
  private static func checkWritable(_ path: String) throws {
    let manager = FileManager.default
    guard manager.fileExists(atPath: path) else { return }
    guard manager.isWritableFile(atPath: path) else {
      throw RunStoreError.inaccessible(path: path, reason: "the file is not writable")
    }
    for name in [path + "-shm", path + "-wal"]
    where manager.fileExists(atPath: name) && !manager.isWritableFile(atPath: name) {
      throw RunStoreError.inaccessible(
        path: path, reason: "\(name) is not writable; remove it if no process uses the store")
    }
  }

  private static func configuration() -> Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(patience)
    configuration.label = "runs"
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
    }
    return configuration
  }

  private static func isStore(_ db: Database, _ path: String) throws -> Bool {
    let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    let mark = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    if mark == StoreSchema.applicationID {
      guard version == StoreSchema.version else {
        throw RunStoreError.otherSchema(path: path, found: version, known: StoreSchema.version)
      }
      return true
    }
    let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema")
    guard mark == 0, version == 0, tables == 0 else { throw RunStoreError.foreign(path: path) }
    return false
  }

  private static func prepare(_ queue: DatabaseQueue, _ path: String) throws {
    let isOurs = try queue.read { db in try isStore(db, path) }
    if isOurs { try queue.read { db in try StoreIntegrity.check(db, path) } }
    try queue.inDatabase { db in
      if !isOurs { try db.execute(sql: "PRAGMA page_size = \(StoreSchema.pageSize)") }
      try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
    }
    try queue.inDatabase { db in
      try db.inTransaction(.immediate) {
        if try !isStore(db, path) { try StoreSchema.make(db) }
        return .commit
      }
    }
  }

  /// Changing the journal mode, or reading before the tables exist, fails at once instead of
  /// waiting for the other process.
  private static func retryingCollisions(_ queue: DatabaseQueue, _ body: () throws -> Void) throws {
    for _ in 1..<mostCollisions {
      do {
        return try body()
      } catch let error as DatabaseError where collisions.contains(error.resultCode) {
        try? queue.inDatabase { db in try db.execute(sql: "BEGIN IMMEDIATE; COMMIT") }
      }
    }
    try body()
  }

  private static let mostCollisions = 100
  private static let collisions: [ResultCode] = [.SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_SCHEMA]
}

extension RunDatabase {
  package func runs() throws -> [RunFacts] { try listing().runs }

  /// All runs by start time, then by id.
  ///
  /// Damaged runs are listed separately, so that one of them does not hide the others.
  package func listing() throws -> (runs: [RunFacts], damaged: [DamagedRun]) {
    var (runs, damaged): ([RunFacts], [DamagedRun]) = ([], [])
    for row in try read({ db in try RunRow.attempts(db, path) }) {
      do {
        runs.append(try RunReader(self, row.get()).facts)
      } catch RunStoreError.corruptRun(_, let run, let reason) {
        damaged.append(DamagedRun(id: run, reason: reason))
      }
    }
    return (runs: runs, damaged: damaged)
  }

  /// The run with an id, or the only run whose id starts with the text; nil selects the run that
  /// started last.
  package func run(_ name: String?) throws -> RunReader {
    let row = try read { db in
      let id = try Self.id(name, among: Self.ids(db))
      return try RunRow.fetch(db, path, where: "id = ?", [id])[0]
    }
    return try RunReader(self, row)
  }

  private static func ids(_ db: Database) throws -> [String] {
    try String.fetchAll(db, sql: "SELECT id FROM runs ORDER BY created_at, id")
  }

  private static func id(_ name: String?, among ids: [String]) throws -> String {
    guard let name else {
      guard let newest = ids.last else { throw RunStoreError.noRun(id: "", available: []) }
      return newest
    }
    if ids.contains(name) { return name }
    let matches = ids.filter { !name.isEmpty && $0.hasPrefix(name) }
    guard let match = matches.first else { throw RunStoreError.noRun(id: name, available: ids) }
    guard matches.count == 1 else {
      throw RunStoreError.ambiguousRun(prefix: name, matches: matches)
    }
    return match
  }

  /// Deletes a run by its full id and returns how many configurations it had.
  ///
  /// A damaged run can be deleted like any other.
  @discardableResult
  package func delete(_ id: String) throws -> Int {
    try write { db in
      let number = try Int64.fetchOne(
        db, sql: "SELECT number FROM runs WHERE id = ?", arguments: [id])
      guard let number else { throw RunStoreError.noRun(id: id, available: try Self.ids(db)) }
      let cells = try Int.fetchOne(
        db, sql: "SELECT count(*) FROM cells WHERE run = ?", arguments: [number])
      try db.execute(sql: "DELETE FROM runs WHERE number = ?", arguments: [number])
      return cells ?? 0
    }
  }
}

package struct DamagedRun: Codable, Hashable, Sendable {
  package let id: String
  package let reason: String
}

package enum RunStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  case noStore(path: String)
  case foreign(path: String)
  case otherSchema(path: String, found: Int, known: Int)
  case corrupt(path: String, reason: String)
  /// A part of the store that another program made, and that could run when the store is opened.
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
  case noWhole(path: String, experiment: String)
  case outdated(run: String, [RunChange])
  case refused(path: String, reason: String)
  case unexpected(path: String, reason: String)

  package var description: String {
    switch self {
    case .noStore(let path):
      "\(path): no such store; check --store, or create one with `planklab sweep`"
    case .foreign(let path): "\(path): is not a store of runs; choose another file with --store"
    case .otherSchema(let path, let found, let known):
      "\(path): has schema \(found), but this program reads \(known); "
        + (found > known ? "update planklab" : "sweep again, into another store")
    case .corrupt(let path, let reason):
      "\(path): is damaged (\(reason)); restore a copy, sweep again, or save what is left with "
        + "`sqlite3 \(quoted(path)) .recover`"
    case .foreignPart(let path, let name, let kind):
      "\(path): contains the \(kind) `\(name)`, which planklab did not create and which could run "
        + "code when the store is used; sweep into another store, or drop the \(kind) with sqlite3 "
        + "if you made it"
    case .corruptRun(let path, let run, let reason):
      "run \(run) is damaged (\(reason)); `planklab runs delete \(quoted(run)) --store "
        + "\(quoted(path))` removes it, then sweep again"
    case .beyondLimits(let sequence, let found):
      "sequence \(sequence): \(found), but a store can hold only 0 to 1e12 s; correct the times in "
        + "its recording, or remove it from the dataset"
    case .inaccessible(let path, let reason):
      "\(path): cannot be opened (\(reason)); check that its folder exists and is writable"
    case .replaced(let path):
      "\(path): was removed or replaced during the sweep, so its results are lost; sweep again"
    case .full(let path):
      "\(path): the disk is full; free some space, and run the command again (a sweep with "
        + "--resume). Stored results are safe"
    case .busy(let path):
      "\(path): another process has locked it for too long; wait for that process, and continue "
        + "with --resume"
    case .refused(let path, let reason):
      "\(path): the system denied SQLite a resource (\(reason)); free some memory, or put the "
        + "store on a local disk, and run the command again (a sweep with --resume)"
    case .unexpected(let path, let reason):
      "\(path): SQLite failed (\(reason)); check the disk, then continue with --resume"
    case .noRun("", []): "the store contains no runs; create one with `planklab sweep`"
    case .noRun(let id, let available):
      "no run `\(id)`; "
        + (available.isEmpty
          ? "the store is empty" : "the runs are \(available.prefix(20).joined(separator: ", "))")
    case .ambiguousRun(let prefix, let matches):
      "`\(prefix)` matches \(matches.prefix(20).joined(separator: ", ")); give more of the id"
    case .changed(let run, let changes):
      "run \(run) cannot be continued: " + changes.map(\.description).joined(separator: "; ")
        + "; undo the change, or start a new run without --resume"
    case .alreadyStored(let run, let stream, let cell):
      "run \(run) already has \(stream.rawValue) configuration \(cell); check which ones the run lacks"
    case .takenOver(let run):
      "run \(run) was continued by another process; wait for it, or start a new run without --resume"
    case .unfinished(let run, let missing):
      "run \(run) lacks \(CountText.of(missing, "configuration")); continue it with --resume"
    case .corruptCell(let run, let stream, let cell):
      "run \(run): the numbers of \(stream.rawValue) configuration \(cell) are damaged; "
        + "delete the run and sweep again"
    case .noWhole(let path, let experiment):
      "\(path): contains no complete run of experiment `\(experiment)`; finish its sweep with "
        + "--resume"
    case .outdated(let run, let changes):
      "run \(run) cannot be used: " + changes.map(\.description).joined(separator: "; ")
        + "; undo the change, or sweep again"
    }
  }

  private func quoted(_ path: String) -> String {
    "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
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
