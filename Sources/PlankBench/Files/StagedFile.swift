internal import Foundation
internal import Platform
internal import Reports
internal import Synchronization

/// A file that appears in its place complete or not at all, with the permissions of the file it
/// replaces.
///
/// Anything that is not a file, such as `/dev/null` or a pipe, is written to directly, because
/// moving a file there would destroy it. A link stays, and the file behind it is replaced.
final class StagedFile {
  let destination: String
  private let isEdit: Bool
  private let place: String
  private let staging: String?
  private var file: UnsafeMutablePointer<FILE>?

  init(destination: String, isEdit: Bool = false) throws {
    try require(
      !destination.isEmpty, .cannotCreate, "the output has no name; give the file to write")
    if !isEdit { try OutputFile.checkUnread(destination) }
    let status = try OutputFile.status(of: destination)
    let kind = status.map { $0.st_mode & S_IFMT }
    try require(
      kind != S_IFDIR, .cannotCreate,
      "\(destination): is a folder; give the path of a file to write")
    self.destination = destination
    self.isEdit = isEdit
    place = OutputFile.place(of: destination)
    let isStream = kind != nil && kind != S_IFREG
    staging = isStream ? nil : StagingPlaces.unused(beside: place)
    var descriptor: Int32
    var problem: Int32 = 0
    if let staging {
      (descriptor, problem) = StagingPlaces.make(staging) {
        open(staging, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
      }
    } else {
      descriptor = open(destination, O_WRONLY | O_CLOEXEC | O_NOCTTY)
      problem = errno
    }
    guard descriptor >= 0 else { throw OutputFile.failure(destination, problem) }
    if staging != nil, let status { fchmod(descriptor, status.st_mode & 0o7777) }
    file = fdopen(descriptor, "wb")
    guard file == nil else { return }
    let code = errno
    close(descriptor)
    if let staging { StagingPlaces.remove(staging) }
    throw OutputFile.failure(destination, code)
  }

  deinit {
    guard let file else { return }
    fclose(file)
    if let staging { StagingPlaces.remove(staging) }
  }

  func write(_ text: String) throws { try write(Array(text.utf8)) }

  func write(_ bytes: [UInt8]) throws {
    if staging == nil { Interruption.notePrinted() }
    guard let file, fwrite(bytes, 1, bytes.count, file) == bytes.count else {
      throw OutputFile.failure(destination, errno)
    }
  }

  /// Unless this is an edit, refuses to replace a file that the command has read.
  func commit() throws {
    guard let open = file else { return }
    file = nil
    guard fclose(open) == 0 else {
      let code = errno
      if let staging { StagingPlaces.remove(staging) }
      throw OutputFile.failure(destination, code)
    }
    guard let staging else { return }
    do {
      if !isEdit { try OutputFile.checkUnread(destination) }
    } catch {
      StagingPlaces.remove(staging)
      throw error
    }
    guard let code = StagingPlaces.move(staging, to: place, called: destination) else { return }
    throw OutputFile.failure(destination, code)
  }
}

/// The places of unfinished files, which are removed when the process is told to stop.
///
/// Signals reach the process as a whole, so there is one list.
enum StagingPlaces {
  private static let places = Mutex<Set<String>>([])

  /// The name is probably unused; creating the file must fail if it exists.
  static func unused(beside place: String) -> String {
    let slash = place.lastIndex(of: "/").map { place.index(after: $0) } ?? place.startIndex
    let name = place[slash...]
    return place[..<slash] + (name.utf8.count <= longestName ? name : "planklab") + mark()
  }

  static func mark() -> String { ".partial-" + String(UInt64.random(in: .min ... .max), radix: 16) }

  /// In bytes; leaves room for the suffix within the 255 bytes of a file name.
  private static let longestName = 220

  /// Runs `create` so that `removeAll` cannot run at the same time; a negative result means
  /// failure.
  static func make(_ path: String, _ create: () -> Int32) -> (result: Int32, code: Int32) {
    places.withLock { places in
      let result = create()
      let code = errno
      if result >= 0 { places.insert(path) }
      return (result: result, code: code)
    }
  }

  static func remove(_ path: String) {
    places.withLock { places in
      removeTree(path)
      places.remove(path)
    }
  }

  static func move(_ path: String, to destination: String, called name: String) -> Int32? {
    places.withLock { places in
      places.remove(path)
      guard rename(path, destination) != 0 else {
        let isInside = places.contains { destination.hasPrefix($0 + "/") }
        if !isInside { Interruption.noteWritten(name) }
        return nil
      }
      let code = errno
      removeTree(path)
      return code
    }
  }

  /// No other thread can add a place before the process ends.
  static func removeAll(thenEnd end: () -> Void) {
    places.withLock { places in
      for path in places { removeWhileWritten(path) }
      end()
    }
  }

  static func whileKept(_ body: () throws -> Void) rethrows {
    try places.withLock { _ in try body() }
  }

  private static func removeTree(_ path: String) {
    guard unlink(path) != 0, errno != ENOENT else { return }
    for name in RawName.names(in: Array(path.utf8)) {
      let name = String(decoding: name, as: UTF8.self)
      if name != "." && name != ".." { removeTree(path + "/" + name) }
    }
    rmdir(path)
  }

  private static func removeWhileWritten(_ path: String) {
    for _ in 0..<mostRemovals {
      removeTree(path)
      if access(path, F_OK) != 0 { return }
    }
  }

  private static let mostRemovals = 1000
}

struct StagedFolder: Sendable {
  let destination: String
  private let place: String
  let staging: String

  init(destination: String) throws {
    try require(
      !destination.isEmpty, .cannotCreate, "the output has no name; give the folder to make")
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
    var code: Int32 = 0
    StagingPlaces.whileKept { code = OutputFile.makeFolder(parent) }
    guard code == 0 else { throw OutputFile.failure(destination + "/" + file, code) }
    return path
  }

  /// The file system moves the folder in one step, which can replace only an empty folder.
  func commit() throws {
    guard let code = StagingPlaces.move(staging, to: place, called: destination) else { return }
    guard isVacant(place) else { throw Self.occupied(destination) }
    throw OutputFile.failure(destination, code)
  }

  func abandon() { StagingPlaces.remove(staging) }

  func committing<Result>(
    _ fill: (StagedFolder) async throws -> Result
  ) async throws -> Result {
    do {
      let result = try await fill(self)
      try commit()
      return result
    } catch {
      abandon()
      throw error
    }
  }

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

/// A lock on the folder itself, which leaves no file and ends with the process at the latest.
///
/// If a volume has no locks, `OutputFile.edit` still notices a change.
final class FolderLock {
  private let descriptor: Int32

  init(_ folder: String) {
    descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    while descriptor >= 0, flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}

/// File names that are not UTF-8, which Linux allows and no manifest can hold.
enum RawName {
  /// The name quoted for a shell; nil if a file has exactly this path.
  ///
  /// `path` has U+FFFD for bytes that are not UTF-8.
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
      names.append(withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) })
    }
    return names
  }
}
