internal import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The files that one piece of work has read, so that none of them is replaced by its result.
///
/// A file is known by its device and its number on it, so that links and other spellings of its
/// path lead to the same one. Files of other kinds, such as pipes, are not kept: writing to them
/// replaces nothing.
package final class FilesRead: Sendable {
  /// Where the current task and its children note what they read; nil where nobody asks.
  @TaskLocal package static var current: FilesRead?

  private struct Identity: Hashable, Sendable {
    let device: UInt64
    let number: UInt64
  }

  private let identities = Mutex<Set<Identity>>([])

  /// Makes a list without files.
  package init() {}

  /// Notes a file by its path; nothing where there is none.
  package func note(path: String) {
    var status = stat()
    if stat(path, &status) == 0 { note(status) }
  }

  /// Whether the file at a path was read, under whatever name.
  package func contains(path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0, let identity = Self.identity(status) else { return false }
    return identities.withLock { $0.contains(identity) }
  }

  /// Notes a file by what the operating system says of it.
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
