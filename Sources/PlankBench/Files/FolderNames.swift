internal import Platform

enum FolderNames {
  /// Whether a folder, given with its last slash, treats two names as the same.
  typealias Comparison = (_ folder: String, _ name: String, _ other: String) -> Bool

  /// Whether two places in one folder have names that differ only in case or composition, and the
  /// folder treats them as the same.
  static func mayBeSameFile(_ place: String, _ other: String, _ isSameName: Comparison) -> Bool {
    let (folder, name) = split(place)
    let (otherFolder, otherName) = split(other)
    // Strings are equal whatever their composition.
    return folded(name) == folded(otherName) && isSameFolder(folder, otherFolder)
      && isSameName(folder, name, otherName)
  }

  /// Creates an empty file and removes it at once, even if both names have files with different
  /// numbers: some volumes number a file differently under each name; names that leave no room for
  /// the mark are not checked.
  static func isSameFile(in folder: String, _ name: String, _ other: String) -> Bool {
    if let found = identity(folder + name), found == identity(folder + other) { return true }
    // Both names after the same mark, so that nothing appears at either place.
    let mark = folder + StagingPlaces.mark() + "-"
    let (probe, _) = StagingPlaces.make(mark + name) {
      open(mark + name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    }
    // Where nothing can be written, writing will say so.
    guard probe >= 0 else { return false }
    close(probe)
    defer { StagingPlaces.remove(mark + name) }
    return identity(mark + other) != nil
  }

  private static func folded(_ name: String) -> String { name.uppercased().lowercased() }

  private static func split(_ place: String) -> (folder: String, name: String) {
    let end = place.lastIndex(of: "/").map { place.index(after: $0) } ?? place.startIndex
    return (String(place[..<end]), String(place[end...]))
  }

  private static func isSameFolder(_ folder: String, _ other: String) -> Bool {
    if folder.utf8.elementsEqual(other.utf8) { return true }
    guard let found = identity(folder) else { return false }
    return found == identity(other)
  }

  private static func identity(_ path: String) -> [UInt64]? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return [UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino)]
  }
}
