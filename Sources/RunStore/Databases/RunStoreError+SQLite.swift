internal import GRDB

extension RunStoreError {
  /// Runs a step of SQLite; what it throws becomes one of ours.
  static func wrapping<Result>(
    _ path: String, _ body: () throws -> Result
  ) throws(RunStoreError) -> Result {
    do {
      return try body()
    } catch let error as RunStoreError {
      throw error
    } catch let error as DatabaseError {
      throw RunStoreError(error, path)
    } catch {
      throw .unexpected(path: path, reason: "\(error)")
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
    default: self = .unexpected(path: path, reason: reason)
    }
  }
}
