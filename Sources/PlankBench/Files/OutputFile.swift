internal import Platform
internal import PoseDatasets
internal import Reports

enum InputText {
  static func read(_ path: String) throws -> String {
    try require(
      String(validating: bytes(of: path), as: UTF8.self), .badData,
      "\(path): is not UTF-8; save it as UTF-8")
  }

  static func bytes(of path: String) throws -> [UInt8] {
    guard try FileDescriptor.exists(path) else { throw DatasetError.missingFile(path: path) }
    try require(
      !FileDescriptor.isFolder(path), .noInput, "\(path): is a folder; give the path of a file")
    return try FileBytes.unpackedContents(of: path)
  }
}

enum InputFiles {
  static func paths(of files: [String]) throws -> [String] {
    var paths: [String] = []
    for file in files {
      guard try FileDescriptor.exists(file) else { throw DatasetError.missingFile(path: file) }
      guard try FileDescriptor.isFolder(file) else {
        paths.append(file)
        continue
      }
      let names = try names(in: file)
      let inside = try names.filter { !$0.hasPrefix(".") }
        .map { file + (file.hasSuffix("/") ? "" : "/") + $0 }
        .filter { try FileDescriptor.isFile($0) }
      guard !inside.isEmpty else { throw try noFiles(in: file, names) }
      paths += inside
    }
    return paths
  }

  private static let mostShown = 5

  private static func noFiles(in folder: String, _ names: [String]) throws -> WorkflowFailure {
    let folders = try names.filter { !$0.hasPrefix(".") }
      .map { folder + (folder.hasSuffix("/") ? "" : "/") + $0 }
      .filter { path in
        guard try FileDescriptor.isFolder(path) else { return false }
        return try !paths(below: path).isEmpty
      }
    guard !folders.isEmpty else {
      return WorkflowFailure(
        .noInput, "\(folder): the folder has no files; give a folder with pose files")
    }
    let shown = folders.prefix(mostShown).map(ShellWord.path).joined(separator: " ")
    return WorkflowFailure(
      .noInput,
      "\(folder): the files are in \(NumberText.count(folders.count, "folder")) below it; give "
        + "these instead: "
        + shown + (folders.count > mostShown ? " and so on" : ""))
  }

  static func names(in folder: String) throws -> [String] {
    try listed(folder, FileManager.default.contentsOfDirectory).sorted()
  }

  static func paths(below folder: String) throws -> [String] {
    guard try FileDescriptor.isFolder(folder) else { return [] }
    return try listed(folder, FileManager.default.subpathsOfDirectory)
  }

  private static func listed(
    _ folder: String, _ list: (String) throws -> [String]
  ) throws -> [String] {
    do {
      return try list(folder)
    } catch {
      let cause = (error as? CocoaError)?.underlying as? POSIXError
      throw DatasetError.unreadableFile(path: folder, code: cause?.code.rawValue ?? EIO)
    }
  }

  static func size(of path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}

enum OutputFile {
  static func write(_ text: String, to path: String) throws {
    try write(Array(text.utf8), to: path)
  }

  /// Refuses to replace files that cannot be made again, because a mistyped name must not cost a
  /// recording.
  static func writeReport(
    _ text: String, to path: String, mayReplaceThresholds: Bool = false
  ) throws {
    try checkReport(path, mayReplaceThresholds: mayReplaceThresholds)
    try write(text, to: path)
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    let file = try StagedFile(destination: path)
    try file.write(bytes)
    try file.commit()
  }

  static func edit(_ text: String, at path: String, insteadOf old: String) throws {
    let file = try StagedFile(destination: path, isEdit: true)
    try file.write(text)
    try require(
      InputText.read(path) == old, .cannotCreate,
      "\(path): another program changed this file at the same time, so that version was kept; run the "
        + "command again")
    try file.commit()
  }

  /// Treats `~` as an ordinary name.
  ///
  /// A relative path stays unchanged if the current folder was removed: it leads nowhere, and the
  /// system refuses to write there.
  static func absolute(_ path: String) -> String {
    let folder = path.hasPrefix("/") ? "" : FileManager.default.currentDirectoryPath
    return folder.isEmpty ? path : folder + "/" + path
  }

  static func standardized(_ path: String) throws -> String {
    let whole = absolute(path)
    guard whole.hasPrefix("/") else { throw unknownFolder(path) }
    return URL(filePath: whole).standardizedFileURL.path
  }

  static func checkFolder(of path: String) throws {
    guard absolute(path).hasPrefix("/") else { throw unknownFolder(path) }
  }

  /// Replaces `FileManager.createDirectory`, which recurses endlessly if `stat` fails.
  ///
  /// - Returns: the system's error code on failure; 0 also for a folder that already exists.
  static func makeFolder(_ path: String) -> Int32 {
    if mkdir(path, 0o777) == 0 { return 0 }
    let code = errno
    if code == EEXIST || code == EISDIR { return 0 }
    var parent = folder(of: path)
    while parent.count > 1, parent.hasSuffix("/") { parent.removeLast() }
    guard code == ENOENT, !parent.isEmpty, parent.utf8.count < path.utf8.count else { return code }
    let problem = makeFolder(parent)
    guard problem == 0, mkdir(path, 0o777) != 0 else { return problem }
    return errno == EEXIST ? 0 : errno
  }

  /// The place to which a path leads after all links are followed, even if nothing exists there
  /// yet.
  static func place(of path: String) -> String {
    var place = absolute(path)
    for _ in 0..<mostLinks {
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: place) else {
        break
      }
      place = target.hasPrefix("/") ? target : folder(of: place) + target
    }
    let folder = folder(of: place)
    let name = place.dropFirst(folder.count)
    guard let whole = realpath(name.isEmpty || name == "." || name == ".." ? place : folder, nil)
    else { return place }
    defer { free(whole) }
    let found = String(cString: whole)
    if name.isEmpty || name == "." || name == ".." { return found }
    return (found == "/" ? "" : found) + "/" + name
  }

  /// - Throws: an error if the path is relative and the current folder was removed.
  static func knownPlace(of path: String) throws -> String {
    let place = place(of: path)
    guard place.hasPrefix("/") else { throw unknownFolder(path) }
    return place
  }

  static func relativePath(of path: String, toFolderOf file: String) throws -> String {
    let target = try knownPlace(of: path).split(separator: "/")
    let start = try knownPlace(of: file).split(separator: "/").dropLast()
    let common = zip(target, start).prefix { $0 == $1 }.count
    let parts =
      Array(repeating: "..", count: start.count - common)
      + target.dropFirst(common).map(String.init)
    return parts.isEmpty ? "." : parts.joined(separator: "/")
  }

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  private static let mostLinks = 40

  /// Follows links; nil if nothing is there.
  ///
  /// Throws if the system does not say, because a result might replace data.
  static func status(of path: String) throws -> stat? {
    do {
      return try FileDescriptor.status(of: path)
    } catch DatasetError.unreadableFile(_, let code) {
      throw failure(path, code)
    }
  }

  static func exists(_ path: String) throws -> Bool { try status(of: path) != nil }

  static func isFile(_ path: String) throws -> Bool {
    try status(of: path).map { $0.st_mode & S_IFMT } == S_IFREG
  }

  static func unknownFolder(
    _ path: String, remedy: String = "give a path that starts with /"
  ) -> WorkflowFailure {
    WorkflowFailure(
      .cannotCreate,
      "\(path): the current folder was removed, or its path is unknown; change to another folder, "
        + "or \(remedy)")
  }

  static func failure(_ path: String, _ code: Int32) -> WorkflowFailure {
    let problem =
      switch code {
      case EMFILE, ENFILE:
        "the system allows no more open files; raise the limit (`ulimit -n`), and run the command "
          + "again"
      case ENOSPC, EDQUOT: "the disk is full; free some space, or choose a place on another disk"
      case EFBIG: "exceeds the file size limit there; choose another place"
      case ENOENT, ENOTDIR: "its folder does not exist; make it, or choose another place"
      case EACCES, EPERM: "cannot be written; check the permissions of the file and its folder"
      case EROFS: "its disk is read-only; choose another place"
      case ENAMETOOLONG: "the name is too long; choose a shorter one"
      default:
        "cannot be written (\(String(cString: strerror(code)))); check its folder and its disk"
      }
    return WorkflowFailure(.cannotCreate, "\(path): \(problem)")
  }

  /// Commands call this before their work, so that none of it is lost for want of a folder.
  static func checkReport(_ path: String, mayReplaceThresholds: Bool = false) throws {
    try checkFolder(of: path)
    let isNew = try !exists(path)
    if try isNew || isFile(path) {
      let folder = folder(of: place(of: path))
      guard access(folder.isEmpty ? "." : folder, W_OK | X_OK) == 0 else {
        throw failure(path, errno)
      }
    }
    guard !isNew else { return }
    let kind: String
    if isInputName(path) {
      kind = "a recording, a label file or a YAML file, which a result never replaces"
    } else if try begins(path, with: storeMark) {
      kind = "a store of runs, which a result never replaces"
    } else if try isBaseline(path) {
      kind = "a baseline, which only `planklab baseline update` writes"
    } else if !mayReplaceThresholds, try isThresholds(path) {
      try checkUnread(path)
      kind = "a thresholds file, which only --thresholds writes"
    } else {
      try checkUnread(path)
      let ends = (try beginning(of: path), try ending(of: path))
      guard let data = PlacedData.kind(beginning: ends.0, ending: ends.1) else { return }
      kind = data
    }
    throw WorkflowFailure(.cannotCreate, "\(path): is \(kind); choose another name")
  }

  static func checkUnread(_ path: String) throws {
    guard let read = FilesRead.current, let status = try status(of: path), read.contains(status)
    else { return }
    throw WorkflowFailure(
      .cannotCreate, "\(path): is an input of this command; choose another name")
  }

  /// Many volumes treat names that differ only in case or in Unicode composition as the same.
  static func checkDistinct(
    _ paths: [String], isSameName: FolderNames.Comparison = FolderNames.isSameFile
  ) throws {
    var known: [(path: String, place: String)] = []
    for path in paths {
      let place = place(of: path)
      for other in known {
        if place.utf8.elementsEqual(other.place.utf8) {
          throw WorkflowFailure(
            .usage, "\(path): is given for two results; give each its own file")
        }
        if FolderNames.mayBeSameFile(place, other.place, isSameName) {
          throw WorkflowFailure(
            .usage,
            "\(path): is the same file as \(other.path) on this disk; give each result its own name"
          )
        }
      }
      known.append((path, place))
    }
  }

  static func checkStore(_ path: String) throws {
    try require(!path.isEmpty, .usage, "--store: empty; give a file for the runs")
    try checkFolder(of: path)
    try require(
      !isInputName(path), .cannotCreate,
      "\(path): is a name for a recording, a label file or a YAML file; name the store *.sqlite")
  }

  static func checkBaseline(_ path: String) throws {
    try checkFolder(of: path)
    let isEmpty = try beginning(of: path).isEmpty
    try require(
      !exists(path) || isEmpty || isBaseline(path), .cannotCreate,
      "\(path): not a baseline, so it is not replaced; choose another name")
  }

  private static func isInputName(_ path: String) -> Bool {
    let place = place(of: path)
    return inputEndings.contains { path.hasSuffix($0) || place.hasSuffix($0) }
  }

  static func isBaseline(_ path: String) throws -> Bool {
    let text = String(decoding: try beginning(of: path), as: UTF8.self)
    return text.contains("\"\(Baseline.format)\"")
  }

  private static func isThresholds(_ path: String) throws -> Bool {
    let ends = try [beginning(of: path), ending(of: path)]
    if ends.contains(where: {
      String(decoding: $0, as: UTF8.self).contains("\"\(Thresholds.format)\"")
    }) {
      return true
    }
    // A page may be large, so it is recognized by its first byte, not parsed. JSON begins with a
    // brace, possibly after a byte-order mark.
    let first = ends[0].first { !" \t\r\n".utf8.contains($0) }
    return try first == UInt8(ascii: "<") ? false : ThresholdsFile.isThere(path)
  }

  private static func begins(_ path: String, with mark: String) throws -> Bool {
    try beginning(of: path).starts(with: mark.utf8)
  }

  private static func beginning(of path: String) throws -> [UInt8] { try piece(of: path) { _ in } }

  private static func ending(of path: String) throws -> [UInt8] {
    try piece(of: path) { _ = fseek($0, -markedBytes, SEEK_END) }
  }

  private static func piece(
    of path: String, _ move: (UnsafeMutablePointer<FILE>) -> Void
  ) throws -> [UInt8] {
    guard try isFile(path) else { return [] }
    guard let file = fopen(path, "rbe") else { throw unread(path) }
    defer { fclose(file) }
    move(file)
    let bytes = [UInt8](unsafeUninitializedCapacity: markedBytes) { bytes, count in
      count = fread(bytes.baseAddress, 1, markedBytes, file)
    }
    guard ferror(file) == 0 else { throw unread(path) }
    return bytes
  }

  static func unread(_ path: String) -> WorkflowFailure {
    WorkflowFailure(
      .cannotCreate,
      "\(path): cannot be read, so it is not replaced; check its permissions, or choose another name"
    )
  }

  /// The first bytes of an SQLite file (file format, section 1.3).
  private static let storeMark = "SQLite format 3\0"

  private static let markedBytes = 4096

  private static let inputEndings = [
    ".poses.jsonl", ".poses.jsonl.gz", ".labels.csv", ".onsets.csv", ".yaml", ".yml",
  ]
}

/// Files that a result must not replace.
///
/// Dumps, tables and files that are not text may be the work of an afternoon. Earlier results and
/// prose may be replaced.
enum PlacedData {
  static func kind(beginning: [UInt8], ending: [UInt8]) -> String? {
    guard let text = text(of: beginning) else { return "not a text file, unlike every result" }
    let words = text.drop(while: \.isWhitespace)
    switch words.first {
    case "{", "[":
      return isResult(words, String(decoding: ending, as: UTF8.self))
        ? nil : "JSON that planklab did not write as a result"
    case nil, "<", "#", ":": return nil
    default: return isTable(words) ? "a table, which may be data" : nil
    }
  }

  private static func text(of bytes: [UInt8]) -> Substring? {
    var bytes = bytes[...]
    for _ in 0..<3 where bytes.last.map({ $0 >= 0x80 }) ?? false {
      if String(validating: bytes, as: UTF8.self) != nil { break }
      bytes.removeLast()
    }
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
      return nil
    }
    return text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
  }

  private static func isResult(_ text: Substring, _ ending: String) -> Bool {
    let version = "\"schema_version\""
    return text.contains(version) || ending.contains(version)
      || text.hasPrefix("{\"configuration\":")
      || (text.contains("\"extra\"") && text.contains("\"unit\""))
      || text.filter { !$0.isWhitespace } == "[]"
  }

  private static func isTable(_ text: Substring) -> Bool {
    let lines = text.split(maxSplits: 2, whereSeparator: \.isNewline)
    guard let first = lines.first, !first.hasPrefix("configuration,stream,") else { return false }
    let separators: [Character] = [",", "\t", ";"]
    return separators.contains { separator in
      let counts = lines.prefix(2).map { line in line.count { $0 == separator } }
      guard counts[0] > 0, counts.allSatisfy({ $0 == counts[0] }) else { return false }
      let numbers = lines.prefix(2).last?.split(separator: separator).count { field in
        Double(field.filter { !$0.isWhitespace }) != nil
      }
      return !first.contains(" ") || (numbers ?? 0) >= 2
    }
  }
}

enum FolderNames {
  /// Whether a folder, given with its final slash, treats two names as the same.
  typealias Comparison = (_ folder: String, _ name: String, _ other: String) -> Bool

  static func mayBeSameFile(_ place: String, _ other: String, _ isSameName: Comparison) -> Bool {
    let (folder, name) = split(place)
    let (otherFolder, otherName) = split(other)
    // Equal strings may differ in their composition.
    return folded(name) == folded(otherName) && isSameFolder(folder, otherFolder)
      && isSameName(folder, name, otherName)
  }

  /// Tests whether both names mean one file by creating an empty file, which is removed at once.
  ///
  /// The test is made even if the files of both names have different inode numbers, because some
  /// volumes give a file a different number under each name.
  static func isSameFile(in folder: String, _ name: String, _ other: String) -> Bool {
    if let found = identity(folder + name), found == identity(folder + other) { return true }
    // A mark precedes both names, so that nothing appears at either place.
    let mark = folder + StagingPlaces.mark() + "-"
    let (probe, _) = StagingPlaces.make(mark + name) {
      open(mark + name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    }
    // If nothing can be written, writing the result will report it.
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
