internal import Foundation

/// What git says of the folder that a file is in.
enum GitTree {
  /// The commit, and whether files differ from it.
  struct State: Hashable, Sendable {
    var commit: String
    var isDirty: Bool
  }

  /// The state of the working tree around a folder; nil where there is none.
  ///
  /// - Parameter ignored: a file that may differ, because it is about to be written.
  static func state(around folder: String, ignoring ignored: String) -> State? {
    guard let commit = git(["rev-parse", "HEAD"], folder),
      let status = git(["status", "--porcelain", "--untracked-files=all"], folder),
      let root = git(["rev-parse", "--show-toplevel"], folder)
    else { return nil }
    let place = URL(filePath: ignored).resolvingSymlinksInPath().path
    let changed = status.split(separator: "\n").filter { line in
      let name = line.dropFirst(3).trimmingCharacters(in: CharacterSet(charactersIn: "\""))
      return URL(filePath: root + "/" + name).resolvingSymlinksInPath().path != place
    }
    return State(commit: commit, isDirty: !changed.isEmpty)
  }

  private static func git(_ arguments: [String], _ folder: String) -> String? {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["git", "-C", folder] + arguments
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    do { try process.run() } catch { return nil }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    var text = String(decoding: data, as: UTF8.self)
    while text.last?.isNewline == true { text.removeLast() }
    return text
  }
}
