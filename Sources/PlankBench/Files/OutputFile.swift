internal import FoundationEssentials

/// Reads small text files: detectors, predictions.
enum InputText {
  /// The text of a file.
  ///
  /// - Throws: `WorkflowFailure`: `noInput` for a missing file or a folder, `badData` for bytes
  ///   that are not UTF-8.
  static func read(_ path: String) throws(WorkflowFailure) -> String {
    var isFolder = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw WorkflowFailure(.noInput, "\(path): no such file; check the path")
    }
    guard !isFolder else {
      throw WorkflowFailure(.noInput, "\(path): is a folder; give the path of a file")
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw WorkflowFailure(.noInput, "\(path): cannot be read; check its permissions")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw WorkflowFailure(.badData, "\(path): is not UTF-8; save it as UTF-8")
    }
    return text
  }
}

/// Writes whole files, so that a reader never sees half of one.
enum OutputFile {
  /// Writes a text beside its place and moves it there.
  ///
  /// - Throws: `WorkflowFailure` (`cannotCreate`) naming the path.
  static func write(_ text: String, to path: String) throws(WorkflowFailure) {
    try write(Array(text.utf8), to: path)
  }

  /// Writes a result for people or programs; never over what nobody can make again.
  ///
  /// - Throws: `WorkflowFailure` (`cannotCreate`) naming the path, also where `checkReport` refuses
  ///   it: a slip of the hand must not cost a recording.
  static func writeReport(_ text: String, to path: String) throws(WorkflowFailure) {
    try checkReport(path)
    try write(text, to: path)
  }

  /// Writes bytes beside their place and moves them there.
  ///
  /// A link stays and the file behind it is replaced. What is no file, such as `/dev/null`, a
  /// pipe or a terminal, is written to: moving a file there would destroy it.
  ///
  /// - Throws: `WorkflowFailure` (`cannotCreate`) naming the path.
  static func write(_ bytes: [UInt8], to path: String) throws(WorkflowFailure) {
    guard !path.isEmpty else {
      throw WorkflowFailure(.cannotCreate, "the output has no name; name the file to write")
    }
    let manager = FileManager.default
    let place = URL(filePath: place(of: path))
    var isFolder = false
    if manager.fileExists(atPath: path, isDirectory: &isFolder), isFolder {
      throw WorkflowFailure(
        .cannotCreate, "\(path): is a folder; give the path of a file to write")
    }
    do {
      if manager.fileExists(atPath: path), !isRegular(place) {
        try Data(bytes).write(to: URL(filePath: path))
      } else {
        try Data(bytes).write(to: place, options: .atomic)
      }
    } catch {
      throw WorkflowFailure(
        .cannotCreate, "\(path): cannot be written; check that its folder exists and is writable")
    }
  }

  /// Where a path leads: behind links, also those to places where nothing is yet.
  static func place(of path: String) -> String {
    var place = path
    for _ in 0..<mostLinks {
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: place) else {
        break
      }
      let folder = place.lastIndex(of: "/").map { place[...$0] } ?? ""
      place = target.hasPrefix("/") ? target : folder + target
    }
    return URL(filePath: place).resolvingSymlinksInPath().path
  }

  /// As many links in a row as systems follow.
  private static let mostLinks = 40

  static func isRegular(_ place: URL) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: place.path)
    return attributes?[.type] as? FileAttributeType == .typeRegular
  }
}

/// What no result replaces.
extension OutputFile {
  /// Refuses a place at which a result would replace a recording, labels, a YAML file, a store of
  /// runs or a baseline.
  ///
  /// - Throws: `WorkflowFailure` (`cannotCreate`) naming the path and what is there.
  static func checkReport(_ path: String) throws(WorkflowFailure) {
    guard FileManager.default.fileExists(atPath: path) else { return }
    let kind: String
    if isInputName(path) {
      kind = "a recording, labels or a YAML file, which a result never replaces"
    } else if begins(path, with: storeMark) {
      kind = "a store of runs, which a result never replaces"
    } else if isBaseline(path) {
      kind = "a baseline, which only `planklab baseline update` writes"
    } else {
      return
    }
    throw WorkflowFailure(.cannotCreate, "\(path): is \(kind); choose another name")
  }

  /// Refuses a result in the place of what it is made from.
  static func check(_ output: String, differsFrom input: String) throws(WorkflowFailure) {
    guard place(of: output) == place(of: input) else { return }
    throw WorkflowFailure(
      .cannotCreate, "\(output): is what the result is made from; choose another name")
  }

  /// Refuses to write two results into one file.
  static func checkDistinct(_ paths: [String]) throws(WorkflowFailure) {
    var places: Set<String> = []
    for path in paths where !places.insert(place(of: path)).inserted {
      throw WorkflowFailure(
        .usage, "\(path): is named for two results; give each a file of its own")
    }
  }

  /// Refuses a store of runs without a name, or under the name of what a dataset is made of.
  static func checkStore(_ path: String) throws(WorkflowFailure) {
    guard !path.isEmpty else {
      throw WorkflowFailure(.usage, "--store: is empty; name the file to keep runs in")
    }
    guard !isInputName(path) else {
      throw WorkflowFailure(
        .cannotCreate,
        "\(path): is a name of recordings, labels or YAML files; name a store *.sqlite")
    }
  }

  /// Refuses to write a baseline over anything but a baseline.
  static func checkBaseline(_ path: String) throws(WorkflowFailure) {
    let isEmpty = (FileManager.default.contents(atPath: path) ?? Data()).isEmpty
    guard !FileManager.default.fileExists(atPath: path) || isEmpty || isBaseline(path) else {
      throw WorkflowFailure(
        .cannotCreate, "\(path): is no baseline and is not replaced; choose another name")
    }
  }

  private static func isInputName(_ path: String) -> Bool {
    let place = place(of: path)
    return inputEndings.contains { path.hasSuffix($0) || place.hasSuffix($0) }
  }

  private static func isBaseline(_ path: String) -> Bool {
    guard isRegular(URL(filePath: place(of: path))),
      let bytes = FileManager.default.contents(atPath: path)
    else { return false }
    let text = String(decoding: bytes.prefix(markedBytes), as: UTF8.self)
    return text.contains("\"\(BaselineSpecification.format)\"")
  }

  private static func begins(_ path: String, with mark: String) -> Bool {
    guard isRegular(URL(filePath: place(of: path))),
      let bytes = FileManager.default.contents(atPath: path)
    else { return false }
    return bytes.starts(with: Data(mark.utf8))
  }

  /// How a file of SQLite begins (its file format, section 1.3).
  private static let storeMark = "SQLite format 3\0"

  /// How much of a file is searched for its format.
  private static let markedBytes = 4096

  private static let inputEndings = [
    ".poses.jsonl", ".poses.jsonl.gz", ".labels.csv", ".yaml", ".yml",
  ]
}

/// Words of commands that are printed for people to copy.
enum ShellWord {
  /// A word as a shell reads it back: in single quotes where it holds more than plain characters.
  static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || "/._-+=:,@%".utf8.contains(byte)
    }
    if isPlain, !word.isEmpty { return word }
    return "'"
      + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }
}
