internal import FoundationEssentials
internal import Specifications

/// What no result replaces.
extension OutputFile {
  /// Refuses a place at which a result would replace a recording, labels, a YAML file, a store of
  /// runs or a baseline.
  ///
  /// - Throws: `WorkflowFailure` (`cannotCreate`) naming the path and what is there.
  package static func checkReport(_ path: String) throws(WorkflowFailure) {
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
  package static func check(_ output: String, differsFrom input: String) throws(WorkflowFailure) {
    guard place(of: output) == place(of: input) else { return }
    throw WorkflowFailure(
      .cannotCreate, "\(output): is what the result is made from; choose another name")
  }

  /// Refuses to write two results into one file.
  package static func checkDistinct(_ paths: [String]) throws(WorkflowFailure) {
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
