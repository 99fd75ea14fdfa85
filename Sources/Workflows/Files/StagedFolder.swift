internal import FoundationEssentials

/// A folder that is filled beside its place and appears there whole, or not at all.
package struct StagedFolder: Sendable {
  /// Where the folder is to appear.
  package let destination: String
  /// Where files are written until then.
  package let staging: String

  /// Starts a folder.
  ///
  /// - Throws: `WorkflowFailure` (`cannotCreate`) where something with content is there already
  ///   or the parent cannot be written.
  package init(destination: String) throws(WorkflowFailure) {
    var path = destination
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    self.destination = path
    staging = path + ".partial"
    let manager = FileManager.default
    let content = (try? manager.contentsOfDirectory(atPath: path)) ?? []
    guard content.isEmpty, manager.fileExists(atPath: path) == false || isFolder(path) else {
      throw WorkflowFailure(
        .cannotCreate, "\(path): exists and is not empty; remove it or choose another folder")
    }
    do {
      if manager.fileExists(atPath: staging) { try manager.removeItem(atPath: staging) }
      try manager.createDirectory(atPath: staging, withIntermediateDirectories: true)
    } catch {
      throw WorkflowFailure(
        .cannotCreate, "\(path): cannot be created; check that its parent is writable")
    }
  }

  /// The path at which to write a file of the folder now; makes the folders above it.
  package func path(of file: String) throws(WorkflowFailure) -> String {
    let path = staging + "/" + file
    let parent = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/")
    do {
      try FileManager.default.createDirectory(
        atPath: parent, withIntermediateDirectories: true)
    } catch {
      throw WorkflowFailure(.cannotCreate, "\(parent): cannot be created; check its permissions")
    }
    return path
  }

  /// Moves the filled folder to its place.
  package func commit() throws(WorkflowFailure) {
    let manager = FileManager.default
    do {
      if manager.fileExists(atPath: destination) { try manager.removeItem(atPath: destination) }
      try manager.moveItem(atPath: staging, toPath: destination)
    } catch {
      throw WorkflowFailure(
        .cannotCreate, "\(destination): cannot be created; the files are in \(staging)")
    }
  }

  /// Removes what was written; nothing appears.
  package func abandon() { try? FileManager.default.removeItem(atPath: staging) }
}

private func isFolder(_ path: String) -> Bool {
  var isFolder = false
  return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
}
