import Foundation

/// A folder that lasts as long as the value that represents it.
///
/// Give it a name in the test: a value without a name may be gone before its folder is used.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("planklab-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The names of what is in the folder, in order.
  package var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  package func path(_ name: String) -> String { path + "/" + name }

  package func text(_ name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }

  /// Writes a file, with the folders on its way, and answers its path.
  @discardableResult
  package func write(_ bytes: [UInt8], to name: String) throws -> String {
    let url = URL(fileURLWithPath: path(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
    return url.path
  }

  @discardableResult
  package func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }
}
