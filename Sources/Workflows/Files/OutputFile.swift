internal import FoundationEssentials

/// Writes whole files, so that a reader never sees half of one.
package enum OutputFile {
  /// Writes a text beside its place and moves it there.
  ///
  /// - Throws: `WorkflowFailure` (`cannotCreate`) naming the path.
  package static func write(_ text: String, to path: String) throws(WorkflowFailure) {
    try write(Array(text.utf8), to: path)
  }

  /// Writes bytes beside their place and moves them there.
  ///
  /// - Throws: `WorkflowFailure` (`cannotCreate`) naming the path.
  package static func write(_ bytes: [UInt8], to path: String) throws(WorkflowFailure) {
    var isFolder = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder {
      throw WorkflowFailure(
        .cannotCreate, "\(path): is a folder; give the path of a file to write")
    }
    do {
      try Data(bytes).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw WorkflowFailure(
        .cannotCreate, "\(path): cannot be written; check that its folder exists and is writable")
    }
  }
}
