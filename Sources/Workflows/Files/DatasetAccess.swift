package import PoseDatasets

/// Opens datasets for workflows: errors of the reader become failures with an exit code.
package enum DatasetAccess {
  /// Opens a dataset.
  package static func open(_ path: String) throws(WorkflowFailure) -> DatasetReader {
    try failing { () throws(DatasetError) in try DatasetReader(path: path) }
  }

  /// Loads one sequence.
  package static func load(
    _ entry: SequenceEntry, from reader: DatasetReader
  ) throws(WorkflowFailure) -> DatasetSequence {
    do {
      return try reader.load(entry)
    } catch {
      throw WorkflowFailure(error)
    }
  }

  /// Runs a reading step; missing input is `noInput`, everything else `badData`.
  package static func failing<Result>(
    _ body: () throws(DatasetError) -> Result
  ) throws(WorkflowFailure) -> Result {
    do {
      return try body()
    } catch {
      throw WorkflowFailure(error)
    }
  }
}

extension WorkflowFailure {
  /// A failure to read; an unknown split is a mistake on the command line.
  package init(_ error: DatasetError) {
    if case .unknownSplit = error {
      self.init(.usage, "\(error)")
    } else {
      self.init(error.isMissingInput ? .noInput : .badData, "\(error)")
    }
  }
}
