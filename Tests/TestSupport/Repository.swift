public import Foundation

/// The files of the repository that tests read: pages, datasets, sources.
public enum Repository {
  /// The repository's root, three folders above this file.
  public static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// A file or folder, by its path from the root.
  public static func file(_ path: String) -> URL { root.appendingPathComponent(path) }

  /// The text of a file, by its path from the root.
  public static func text(_ path: String) throws -> String {
    try String(contentsOf: file(path), encoding: .utf8)
  }
}
