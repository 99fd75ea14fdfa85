internal import FoundationEssentials

/// Reads small text files: detectors, predictions.
package enum InputText {
  /// The text of a file.
  ///
  /// - Throws: `WorkflowFailure`: `noInput` for a missing file or a folder, `badData` for bytes
  ///   that are not UTF-8.
  package static func read(_ path: String) throws(WorkflowFailure) -> String {
    var isFolder = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw WorkflowFailure(.noInput, "\(path): no such file; check the path")
    }
    guard !isFolder else {
      throw WorkflowFailure(.noInput, "\(path): is a folder; give the path of a file")
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw WorkflowFailure(.noInput, "\(path): cannot be read; check its permissions")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw WorkflowFailure(.badData, "\(path): is not UTF-8; save it as UTF-8")
    }
    return text
  }
}
