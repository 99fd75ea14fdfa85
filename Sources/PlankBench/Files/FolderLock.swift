internal import Platform

/// The lock is on the folder itself, so nothing is left in it, and ends with the process at the
/// latest; where a volume has no locks, `OutputFile.edit` still notices a change.
final class FolderLock {
  private let descriptor: Int32

  init(_ folder: String) {
    descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    while descriptor >= 0, flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}

/// Names of files that are not UTF-8, which Linux allows and no manifest can hold.
enum RawName {
  /// Nil if the path is that of a file; `path` has U+FFFD for what is not UTF-8.
  static func quoted(_ path: String, in folder: String) -> String? {
    guard path.unicodeScalars.contains("\u{FFFD}") else { return nil }
    var found = Array(folder.utf8)
    var isRaw = false
    for part in path.split(separator: "/") {
      let names = names(in: found)
      guard !names.contains(Array(part.utf8)) else {
        found += Array("/\(part)".utf8)
        continue
      }
      guard let name = names.first(where: { String(decoding: $0, as: UTF8.self) == part }) else {
        return nil
      }
      isRaw = true
      found += [UInt8(ascii: "/")] + name
    }
    return isRaw ? ShellWord.escaped(found) : nil
  }

  static func names(in folder: [UInt8]) -> [[UInt8]] {
    let path = folder.map { CChar(bitPattern: $0) } + [0]
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = readdir(stream) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) })
    }
    return names
  }
}
