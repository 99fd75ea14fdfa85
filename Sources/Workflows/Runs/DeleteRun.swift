internal import Reporting
internal import RunStore

/// Deletes a run with its cells.
package enum DeleteRun {
  /// Runs the command.
  ///
  /// - Parameter run: the whole id; a part of it is not enough.
  package static func run(_ run: String, store: String) throws(WorkflowFailure) -> Outcome {
    let facts = try RunAccess.failing { () throws(RunStoreError) in
      try RunDatabase(editing: store).delete(run)
    }
    return Outcome(
      "deleted run \(facts.id) with \(NumberText.count(facts.storedCount)) cells; "
        + "later runs use its room\n")
  }
}
