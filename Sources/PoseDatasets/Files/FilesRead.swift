package import Platform
internal import Synchronization

/// The files that a piece of work has read, so that its result replaces none of them.
///
/// A file is identified by its device and its number there, so that links and other spellings of
/// its path lead to the same file. Other kinds of files, such as pipes, are not recorded: writing
/// to them replaces nothing.
package final class FilesRead: Sendable {
  /// Where the current task and its children record what they read; nil if nobody needs it.
  @TaskLocal package static var current: FilesRead?

  private struct Identity: Hashable, Sendable {
    let device: UInt64
    let number: UInt64
  }

  private let identities = Mutex<Set<Identity>>([])

  /// Makes an empty list.
  package init() {}

  /// Records a file by its path; nothing if there is no file.
  ///
  /// - Throws: as `FileDescriptor.status`.
  package func note(path: String) throws {
    if let status = try FileDescriptor.status(of: path) { note(status) }
  }

  /// Whether the file of a status was read, under any name.
  package func contains(_ status: stat) -> Bool {
    guard let identity = Self.identity(status) else { return false }
    return identities.withLock { $0.contains(identity) }
  }

  /// Records a file by its status.
  func note(_ status: stat) {
    guard let identity = Self.identity(status) else { return }
    identities.withLock { _ = $0.insert(identity) }
  }

  private static func identity(_ status: stat) -> Identity? {
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Identity(
      device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino))
  }
}
