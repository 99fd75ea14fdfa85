package import RunStore

extension WorkflowFailure {
  /// A failure of a store.
  package init(_ error: RunStoreError) {
    let status: ExitStatus =
      switch error {
      case .noStore, .noRun: .noInput
      case .ambiguousRun: .usage
      case .foreign, .newerSchema, .corrupt, .corruptCell, .alreadyStored: .badData
      case .inaccessible, .full: .cannotCreate
      case .changed: .notComparable
      case .busy, .takenOver, .unfinished, .unexpected: .unexpected
      }
    self.init(status, "\(error)")
  }
}
