internal import FoundationEssentials
internal import GRDB

/// A store: one file of SQLite with the cells of many runs.
///
/// The file is in write-ahead mode: several processes may write to it, each to its own run, while
/// others read. What a write committed outlives the process, however it ends.
package struct RunDatabase: Sendable {
  /// Where the file is.
  package let path: String
  let queue: DatabaseQueue
  private let isReadOnly: Bool

  /// How long a writer waits for another one, in seconds.
  static let patience = 60.0

  /// Opens a store to write, making it where there is none.
  ///
  /// - Throws: `RunStoreError`: `foreign` for another program's file, which is left as it is,
  ///   `newerSchema`, `inaccessible` and the like.
  package init(writing path: String) throws(RunStoreError) {
    self.path = path
    isReadOnly = false
    queue = try RunStoreError.wrapping(path) {
      let queue = try DatabaseQueue(path: path, configuration: Self.configuration())
      let isOurs = try queue.read { db in try Self.isStore(db, path) }
      try queue.inDatabase { db in
        if !isOurs { try db.execute(sql: "PRAGMA page_size = \(StoreSchema.pageSize)") }
        try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
      }
      if !isOurs { try Self.migrate(queue) }
      return queue
    }
  }

  /// Opens a store to read.
  ///
  /// Nothing is changed but what a killed writer left: its log is put into the file on closing, if
  /// the file can be written, so that one file remains.
  ///
  /// - Throws: `RunStoreError`: `noStore` where there is no file, `foreign`, `newerSchema`.
  package init(reading path: String) throws(RunStoreError) {
    try self.init(existing: path, isReadOnly: true)
  }

  /// Opens a store to delete runs of it.
  ///
  /// - Throws: `RunStoreError`: `noStore` where there is no file, `foreign`, `newerSchema`.
  package init(editing path: String) throws(RunStoreError) {
    try self.init(existing: path, isReadOnly: false)
  }

  private init(existing path: String, isReadOnly: Bool) throws(RunStoreError) {
    var isFolder = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder else {
      throw .noStore(path: path)
    }
    self.path = path
    self.isReadOnly = isReadOnly
    queue = try RunStoreError.wrapping(path) {
      var configuration = Self.configuration()
      if isReadOnly {
        configuration.readonly = !FileManager.default.isWritableFile(atPath: path)
      }
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      guard try queue.read({ db in try Self.isStore(db, path) }) else {
        throw RunStoreError.foreign(path: path)
      }
      return queue
    }
  }

  /// Closes the file; nothing of a store may be used afterwards.
  package func close() throws(RunStoreError) {
    try RunStoreError.wrapping(path) { try queue.close() }
  }

  /// Runs a reading step in one transaction.
  func read<Result: Sendable>(
    _ body: (Database) throws -> Result
  ) throws(RunStoreError) -> Result {
    try RunStoreError.wrapping(path) { try queue.read(body) }
  }

  /// Runs a writing step in one transaction that is begun as a writer, so that it waits for others
  /// before it reads and cannot fail halfway for want of a lock.
  ///
  /// - Precondition: the store was not opened to read.
  func write<Result: Sendable>(
    _ body: (Database) throws -> Result
  ) throws(RunStoreError) -> Result {
    precondition(!isReadOnly, "the store is open to read")
    return try RunStoreError.wrapping(path) {
      try queue.inDatabase { db in
        try db.beginTransaction(.immediate)
        do {
          let result = try body(db)
          try db.commit()
          return result
        } catch {
          try? db.rollback()
          throw error
        }
      }
    }
  }

  private static func configuration() -> Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(patience)
    configuration.label = "RunStore"
    return configuration
  }

  /// Whether a file is a store; false where it is empty.
  private static func isStore(_ db: Database, _ path: String) throws -> Bool {
    let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    let mark = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    if mark == StoreSchema.applicationID {
      guard version <= StoreSchema.version else {
        throw RunStoreError.newerSchema(
          path: path, found: version, known: StoreSchema.version)
      }
      return true
    }
    let tables = try Int.fetchOne(
      db, sql: "SELECT count(*) FROM sqlite_schema WHERE name NOT LIKE '%grdb_migrations%'")
    guard mark == 0, version == 0, tables == 0 else { throw RunStoreError.foreign(path: path) }
    return false
  }

  /// Makes the tables; where another process does so at the same time, one of them comes too late
  /// and looks again.
  private static func migrate(_ queue: DatabaseQueue) throws {
    do {
      try StoreSchema.migrator.migrate(queue)
    } catch {
      try StoreSchema.migrator.migrate(queue)
    }
  }
}
