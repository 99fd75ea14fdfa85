internal import FoundationEssentials

/// Writes whole files, so that a reader never sees half of one.
package enum OutputFile {
  /// Writes a text beside its place and moves it there.
  ///
  /// - Throws: `WorkflowFailure` (`cannotCreate`) naming the path.
  package static func write(_ text: String, to path: String) throws(WorkflowFailure) {
    try write(Array(text.utf8), to: path)
  }

  /// Writes a result for people or programs; never over what nobody can make again.
  ///
  /// - Throws: `WorkflowFailure` (`cannotCreate`) naming the path, also where `checkReport` refuses
  ///   it: a slip of the hand must not cost a recording.
  package static func writeReport(_ text: String, to path: String) throws(WorkflowFailure) {
    try checkReport(path)
    try write(text, to: path)
  }

  /// Writes bytes beside their place and moves them there.
  ///
  /// A link stays and the file behind it is replaced. What is no file, such as `/dev/null`, a
  /// pipe or a terminal, is written to: moving a file there would destroy it.
  ///
  /// - Throws: `WorkflowFailure` (`cannotCreate`) naming the path.
  package static func write(_ bytes: [UInt8], to path: String) throws(WorkflowFailure) {
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
