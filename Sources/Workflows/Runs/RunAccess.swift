package import RunStore

/// Where runs are kept, and what is said where they cannot be reached.
package enum RunAccess {
  /// The store that commands take unless told otherwise, in the current folder.
  package static let defaultStore = "planklab-runs.sqlite"

  /// Opens a store to read.
  static func read(_ path: String) throws(WorkflowFailure) -> RunDatabase {
    try failing { () throws(RunStoreError) in try RunDatabase(reading: path) }
  }

  /// Runs a step of a store; its errors become failures with an exit code.
  package static func failing<Result>(
    _ body: () throws(RunStoreError) -> Result
  ) throws(WorkflowFailure) -> Result {
    do {
      return try body()
    } catch {
      throw WorkflowFailure(error)
    }
  }
}

extension WorkflowFailure {
  /// A failure to store or to read runs.
  package init(_ error: RunStoreError) {
    let status: ExitStatus =
      switch error {
      case .noStore, .noRun: .noInput
      case .ambiguousRun: .usage
      case .foreign, .newerSchema, .corrupt, .corruptCell: .badData
      case .changed: .notComparable
      case .inaccessible, .replaced, .full, .busy, .alreadyStored, .takenOver: .cannotCreate
      case .unfinished, .unexpected: .unexpected
      }
    self.init(status, "\(error)")
  }
}
