internal import Platform
internal import PoseDatasets

/// Reads small text files: detectors, predictions.
enum InputText {
  /// The text of a file, unpacked if its name ends in `.gz`.
  ///
  /// - Throws: with the exit code `noInput` for a missing file or a folder, `badData` for bytes
  ///   that are not UTF-8.
  static func read(_ path: String) throws -> String {
    guard let status = try FileDescriptor.status(of: path) else {
      throw DatasetError.missingFile(path: path)
    }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      throw WorkflowFailure(.noInput, "\(path): is a folder; give the path of a file")
    }
    let data = try FileBytes.unpackedContents(of: path)
    guard let text = String(validating: data, as: UTF8.self) else {
      throw WorkflowFailure(.badData, "\(path): is not UTF-8; save it as UTF-8")
    }
    return text
  }
}

/// Files that a command line names.
enum InputFiles {
  /// The files, with those of folders in the order of their names; hidden ones are left out.
  ///
  /// - Throws: with the exit code `noInput` for what is not there, and for a folder without files.
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
      guard !inside.isEmpty else {
        throw WorkflowFailure(
          .noInput, "\(file): the folder has no files; name a folder with files of poses")
      }
      paths += inside
    }
    return paths
  }

  /// What is in a folder, in the order of the names.
  ///
  /// - Throws: `unreadableFile` for a folder that cannot be listed.
  static func names(in folder: String) throws -> [String] {
    try listed(folder, FileManager.default.contentsOfDirectory).sorted()
  }

  /// Everything below a folder, by paths relative to it; nothing if there is no folder.
  ///
  /// - Throws: `unreadableFile` for a folder that cannot be listed.
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

  /// How large a file is, in bytes; 0 where it cannot be told.
  static func size(of path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }
}

/// Writes whole files, so that a reader never sees half of one.
enum OutputFile {
  /// Writes a text to a temporary file beside its place and moves it there.
  ///
  /// - Throws: with the exit code `cannotCreate`, naming the path.
  static func write(_ text: String, to path: String) throws {
    try write(Array(text.utf8), to: path)
  }

  /// Writes a result for people or programs; never over files that cannot be made again.
  ///
  /// - Throws: with the exit code `cannotCreate` and the path, also if `checkReport` refuses it:
  ///   a mistyped name must not cost a recording.
  static func writeReport(
    _ text: String, to path: String, mayReplaceThresholds: Bool = false
  ) throws {
    try checkReport(path, mayReplaceThresholds: mayReplaceThresholds)
    try write(text, to: path)
  }

  /// Writes bytes to a temporary file beside their place and moves them there.
  ///
  /// A link stays and the file behind it is replaced. Anything but a file, such as `/dev/null`, a
  /// pipe or a terminal, is written to directly: moving a file there would destroy it.
  ///
  /// - Throws: with the exit code `cannotCreate` and the path.
  static func write(_ bytes: [UInt8], to path: String) throws {
    let file = try StagedFile(destination: path)
    try file.write(bytes)
    try file.commit()
  }

  /// Writes a file again that was read in order to be changed.
  ///
  /// - Parameter old: the text that was read.
  /// - Throws: with the exit code `cannotCreate` and the path, also if another program changed it in
  ///   the meantime.
  static func edit(_ text: String, at path: String, insteadOf old: String) throws {
    let file = try StagedFile(destination: path, isEdit: true)
    try file.write(text)
    guard try InputText.read(path) == old else {
      throw WorkflowFailure(
        .cannotCreate,
        "\(path): another program changed it at the same moment, so it stays as that left it; run "
          + "the command again")
    }
    try file.commit()
  }

  /// The absolute path, whatever the current folder is later; `~` is an ordinary name.
  ///
  /// A path from a current folder that was removed stays as it is: it leads nowhere, and the system
  /// refuses to write there.
  static func absolute(_ path: String) -> String {
    let folder = path.hasPrefix("/") ? "" : FileManager.default.currentDirectoryPath
    return folder.isEmpty ? path : folder + "/" + path
  }

  /// The absolute path without `.` and `..`; links are not followed.
  ///
  /// - Throws: as `knownPlace`.
  static func standardized(_ path: String) throws -> String {
    let whole = absolute(path)
    guard whole.hasPrefix("/") else { throw unknownFolder(path) }
    return URL(filePath: whole).standardizedFileURL.path
  }

  /// Refuses a relative path where the current folder was removed.
  ///
  /// - Throws: with the exit code `cannotCreate`.
  static func checkFolder(of path: String) throws {
    guard absolute(path).hasPrefix("/") else { throw unknownFolder(path) }
  }

  /// Makes a folder and those above it that are missing.
  ///
  /// `FileManager.createDirectory` recurses without end where `stat` fails.
  ///
  /// - Returns: the system's code if that fails; 0 also for a folder that is there.
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

  /// Where a path leads: behind links, including links to places where nothing exists yet.
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

  /// Where a path leads, as an absolute path.
  ///
  /// - Throws: with the exit code `cannotCreate` where a path starts at the current folder, and the
  ///   system does not tell which that is.
  static func knownPlace(of path: String) throws -> String {
    let place = place(of: path)
    guard place.hasPrefix("/") else { throw unknownFolder(path) }
    return place
  }

  /// The path of a place as seen from the folder of a file; `.` for that folder.
  ///
  /// - Throws: as `knownPlace`.
  static func relativePath(of path: String, toFolderOf file: String) throws -> String {
    let target = try knownPlace(of: path).split(separator: "/")
    let start = try knownPlace(of: file).split(separator: "/").dropLast()
    let common = zip(target, start).prefix { $0 == $1 }.count
    let parts =
      Array(repeating: "..", count: start.count - common)
      + target.dropFirst(common).map(String.init)
    return parts.isEmpty ? "." : parts.joined(separator: "/")
  }

  /// A path up to and with its last slash.
  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
  }

  /// The largest number of links that systems follow in a row.
  private static let mostLinks = 40

  /// What is in the place of a result, behind links; nil for nothing.
  ///
  /// - Throws: with the exit code `cannotCreate` where the system does not tell: what would be
  ///   replaced may be data.
  static func status(of path: String) throws -> stat? {
    do {
      return try FileDescriptor.status(of: path)
    } catch DatasetError.unreadableFile(_, let code) {
      throw failure(path, code)
    }
  }

  /// Whether something is in the place of a result.
  ///
  /// - Throws: as `status`.
  static func exists(_ path: String) throws -> Bool { try status(of: path) != nil }

  /// Whether a file is in the place of a result, not a folder, a pipe or a device.
  ///
  /// - Throws: as `status`.
  static func isFile(_ path: String) throws -> Bool {
    try status(of: path).map { $0.st_mode & S_IFMT } == S_IFREG
  }

  /// What is said where a path starts at the current folder, and the system does not tell which
  /// that is.
  static func unknownFolder(
    _ path: String, remedy: String = "give a path that starts with /"
  ) -> WorkflowFailure {
    WorkflowFailure(
      .cannotCreate,
      "\(path): the current folder was removed, or the system does not tell where it is; go to "
        + "another one, or \(remedy)")
  }

  /// Why something cannot be written, in words, with a remedy.
  ///
  /// - Parameter code: the operating system's code (`errno`).
  static func failure(_ path: String, _ code: Int32) -> WorkflowFailure {
    let problem =
      switch code {
      case EMFILE, ENFILE:
        "the system allows no more open files; allow more (`ulimit -n`), and run again"
      case ENOSPC, EDQUOT: "the disk is full; make room, or choose a place on another one"
      case EFBIG: "exceeds the size limit for files there; choose another place"
      case ENOENT, ENOTDIR: "its folder does not exist; make it, or choose another place"
      case EACCES, EPERM: "may not be written; check the permissions of the file and its folder"
      case EROFS: "its disk is read-only; choose another place"
      case ENAMETOOLONG: "the name is too long; choose a shorter one"
      default:
        "cannot be written (\(String(cString: strerror(code)))); check its folder and its disk"
      }
    return WorkflowFailure(.cannotCreate, "\(path): \(problem)")
  }
}

/// What no result may replace.
extension OutputFile {
  /// Refuses a place at which a result would replace an input, a recording, labels, a YAML file, a
  /// store of runs, a baseline, thresholds, or a file that may be data: a dump, a table, anything
  /// but text.
  ///
  /// - Parameter mayReplaceThresholds: whether new thresholds may take the place of old ones.
  /// - Throws: with the exit code `cannotCreate` and the path and what is there.
  static func checkReport(_ path: String, mayReplaceThresholds: Bool = false) throws {
    try checkFolder(of: path)
    guard try exists(path) else { return }
    let kind: String
    if isInputName(path) {
      kind = "a recording, labels or a YAML file, which a result never replaces"
    } else if try begins(path, with: storeMark) {
      kind = "a store of runs, which a result never replaces"
    } else if try isBaseline(path) {
      kind = "a baseline, which only `planklab baseline update` writes"
    } else if !mayReplaceThresholds, try isThresholds(path) {
      try checkUnread(path)
      kind = "a thresholds file, which only `planklab tune --thresholds` writes"
    } else {
      try checkUnread(path)
      let ends = (try beginning(of: path), try ending(of: path))
      guard let data = PlacedData.kind(beginning: ends.0, ending: ends.1) else { return }
      kind = data
    }
    throw WorkflowFailure(.cannotCreate, "\(path): is \(kind); choose another name")
  }

  /// Refuses a place at which something would replace a file that this command has read.
  ///
  /// - Throws: `WorkflowFailure` (`cannotCreate`), under whatever name the file was read.
  static func checkUnread(_ path: String) throws {
    guard let read = FilesRead.current, let status = try status(of: path), read.contains(status)
    else { return }
    throw WorkflowFailure(
      .cannotCreate, "\(path): is an input of this command; choose another name")
  }

  /// Refuses to write two results into one file.
  ///
  /// Many volumes treat names that differ in case, or in how an accent is composed, as the same.
  ///
  /// - Parameter isSameName: whether a folder does that with two names.
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

  /// Refuses a store of runs without a name, or with the name of a file of a dataset.
  static func checkStore(_ path: String) throws {
    guard !path.isEmpty else {
      throw WorkflowFailure(.usage, "--store: empty; give the file in which to keep runs")
    }
    try checkFolder(of: path)
    guard !isInputName(path) else {
      throw WorkflowFailure(
        .cannotCreate,
        "\(path): is a name for recordings, labels or YAML files; name the store *.sqlite")
    }
  }

  /// Refuses to write a baseline over anything but a baseline.
  static func checkBaseline(_ path: String) throws {
    try checkFolder(of: path)
    let isEmpty = try beginning(of: path).isEmpty
    guard try !exists(path) || isEmpty || isBaseline(path) else {
      throw WorkflowFailure(
        .cannotCreate, "\(path): not a baseline, so it is not replaced; choose another name")
    }
  }

  private static func isInputName(_ path: String) -> Bool {
    let place = place(of: path)
    return inputEndings.contains { path.hasSuffix($0) || place.hasSuffix($0) }
  }

  /// Whether a file begins as baselines do.
  ///
  /// - Throws: with the exit code `cannotCreate` for a file that cannot be read.
  static func isBaseline(_ path: String) throws -> Bool {
    let text = String(decoding: try beginning(of: path), as: UTF8.self)
    return text.contains("\"\(Baseline.format)\"")
  }

  /// Whether a file calls itself thresholds at either end, or is some; it may have been edited since.
  private static func isThresholds(_ path: String) throws -> Bool {
    let ends = try [beginning(of: path), ending(of: path)]
    if ends.contains(where: {
      String(decoding: $0, as: UTF8.self).contains("\"\(Thresholds.format)\"")
    }) {
      return true
    }
    // A page, which may be large, is none: JSON begins with a brace, behind a byte-order mark if any.
    let first = ends[0].first { !" \t\r\n".utf8.contains($0) }
    return try first == UInt8(ascii: "<") ? false : ThresholdsFile.isThere(path)
  }

  private static func begins(_ path: String, with mark: String) throws -> Bool {
    try beginning(of: path).starts(with: mark.utf8)
  }

  /// The first bytes of a file; none if it is not a file.
  private static func beginning(of path: String) throws -> [UInt8] { try piece(of: path) { _ in } }

  /// The last bytes of a file, the same as the first ones of a short file.
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

  /// What is said where nobody knows what a result would replace.
  static func unread(_ path: String) -> WorkflowFailure {
    WorkflowFailure(
      .cannotCreate,
      "\(path): cannot be read, so it is not replaced; check its permissions, or choose another name"
    )
  }

  /// The first bytes of an SQLite file (file format, section 1.3).
  private static let storeMark = "SQLite format 3\0"

  /// How much of a file is searched for its format.
  private static let markedBytes = 4096

  private static let inputEndings = [
    ".poses.jsonl", ".poses.jsonl.gz", ".labels.csv", ".onsets.csv", ".yaml", ".yml",
  ]
}

/// Whether what is in the place of a result may be data, from its first and its last bytes.
///
/// A result may take the place of an earlier one, and of prose. Dumps, tables and whatever is not
/// text may have taken somebody an afternoon.
enum PlacedData {
  /// What the data is, in words; nil for an earlier result, prose, and an empty file.
  static func kind(beginning: [UInt8], ending: [UInt8]) -> String? {
    guard let text = text(of: beginning) else { return "not text, as every result is" }
    let words = text.drop(while: \.isWhitespace)
    switch words.first {
    case "{", "[":
      return isResult(words, String(decoding: ending, as: UTF8.self))
        ? nil : "JSON that planklab did not write as a result"
    case nil, "<", "#", ":": return nil
    default: return isTable(words) ? "a table, which may be data" : nil
    }
  }

  /// The text of bytes, of which the last character may be incomplete; nil for other bytes.
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

  /// Whether JSON is a result: with its version at either end, a row of `runs export`, or the
  /// numbers of a gate for other services.
  private static func isResult(_ text: Substring, _ ending: String) -> Bool {
    let version = "\"schema_version\""
    return text.contains(version) || ending.contains(version) || text.hasPrefix("{\"cell\":")
      || (text.contains("\"extra\"") && text.contains("\"unit\""))
      || text.filter { !$0.isWhitespace } == "[]"
  }

  /// Whether a text looks like a table with more than one column, other than one of `runs export`.
  private static func isTable(_ text: Substring) -> Bool {
    let lines = text.split(maxSplits: 2, whereSeparator: \.isNewline)
    guard let first = lines.first, !first.hasPrefix("cell,stream,detector,") else { return false }
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
