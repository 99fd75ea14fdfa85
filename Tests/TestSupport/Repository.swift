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

/// How many random cases a property test draws: a fifth by default, all of them where
/// `PLANKLAB_DRAWS=all`, as in `make prove`; the first cases are the same in both.
public enum Draws {
  private static let areAll = ProcessInfo.processInfo.environment["PLANKLAB_DRAWS"] == "all"

  /// The seeds from 0 to below a number of cases.
  public static func seeds<Seed: FixedWidthInteger>(_ all: Seed) -> Range<Seed> {
    0..<(areAll ? all : Swift.max(1, all / 5))
  }
}
