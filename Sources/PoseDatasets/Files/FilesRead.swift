package import Platform
internal import Synchronization

/// Files are identified by device and number, so that links and other spellings lead to the same
/// file.
///
/// Pipes and such are not recorded: writing to them replaces nothing.
package final class FilesRead: Sendable {
  /// Where the current task and its children record what they read; nil if nobody needs it.
  @TaskLocal package static var current: FilesRead?

  private struct Identity: Hashable, Sendable {
    let device: UInt64
    let number: UInt64
  }

  private let identities = Mutex<Set<Identity>>([])

  package init() {}

  package func note(path: String) throws {
    if let status = try FileDescriptor.status(of: path) { note(status) }
  }

  package func contains(_ status: stat) -> Bool {
    guard let identity = Self.identity(status) else { return false }
    return identities.withLock { $0.contains(identity) }
  }

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
