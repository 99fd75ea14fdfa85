internal import Platform

/// Appears in its place complete or not at all; existing folders, even the half-filled folder of
/// another run, are never touched.
struct StagedFolder: Sendable {
  let destination: String
  private let place: String
  let staging: String

  /// - Throws: if something with content is there already, or the parent cannot be written.
  init(destination: String) throws {
    guard !destination.isEmpty else {
      throw WorkflowFailure(.cannotCreate, "the output has no name; give the folder to make")
    }
    var path = destination
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    place = OutputFile.place(of: path)
    let name = path.split(separator: "/").last
    self.destination = name == "." || name == ".." ? place : path
    staging = StagingPlaces.unused(beside: place)
    try OutputFile.checkFolder(of: path)
    guard isVacant(place) else { throw Self.occupied(path) }
    let parent = place.lastIndex(of: "/").map { String(place[..<$0]) } ?? ""
    if !parent.isEmpty { _ = OutputFile.makeFolder(parent) }
    let made = StagingPlaces.make(staging) { [staging] in mkdir(staging, 0o777) }
    guard made.result == 0 else { throw OutputFile.failure(path, made.code) }
  }

  func path(of file: String) throws -> String {
    let path = staging + "/" + file
    let parent = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/")
    // A folder that is made while the process is being stopped would be left behind.
    var code: Int32 = 0
    StagingPlaces.whileKept { code = OutputFile.makeFolder(parent) }
    guard code == 0 else { throw OutputFile.failure(destination + "/" + file, code) }
    return path
  }

  func file(at path: String) -> String? {
    let target = OutputFile.place(of: path)
    return target.hasPrefix(place + "/") ? String(target.dropFirst(place.count + 1)) : nil
  }

  /// One step of the file system, which replaces an empty folder and nothing else: if two runs end
  /// at the same moment, one wins.
  func commit() throws {
    guard let code = StagingPlaces.move(staging, to: place, called: destination) else { return }
    guard isVacant(place) else { throw Self.occupied(destination) }
    throw OutputFile.failure(destination, code)
  }

  func abandon() { StagingPlaces.remove(staging) }

  private static func occupied(_ path: String) -> WorkflowFailure {
    WorkflowFailure(
      .cannotCreate, "\(path): exists and is not empty; remove it or choose another folder")
  }
}

private func isVacant(_ path: String) -> Bool {
  let manager = FileManager.default
  guard manager.fileExists(atPath: path) else { return true }
  return isFolder(path) && (try? manager.contentsOfDirectory(atPath: path).isEmpty) == true
}

private func isFolder(_ path: String) -> Bool {
  var isFolder = false
  return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
}
