internal import FoundationEssentials

extension PredictionsFolder {
  /// Opens a folder of answers.
  ///
  /// - Throws: `WorkflowFailure` (`noInput`) where there is no such folder.
  init(existing path: String) throws(WorkflowFailure) {
    var isFolder = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder else {
      throw WorkflowFailure(
        .noInput, "\(path): no such folder; give the folder with one NAME.csv a sequence")
    }
    self.init(path: path)
  }
}
