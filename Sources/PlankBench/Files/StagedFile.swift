internal import FoundationEssentials

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file that is written piece by piece beside its place and appears there whole, or not at all.
///
/// What is no file, such as a pipe, is written to at once.
final class StagedFile {
  /// Where the file is to appear.
  let destination: String
  private let place: String
  private let staging: String?
  private var file: UnsafeMutablePointer<FILE>?

  /// Starts a file.
  ///
  /// - Throws: `WorkflowFailure` (`cannotCreate`) for a folder, for what a dataset is made of, and
  ///   where nothing can be written.
  init(destination: String) throws(WorkflowFailure) {
    try OutputFile.checkReport(destination)
    let target = URL(filePath: OutputFile.place(of: destination))
    var isFolder = false
    let exists = FileManager.default.fileExists(atPath: destination, isDirectory: &isFolder)
    guard !isFolder, !destination.isEmpty else {
      throw WorkflowFailure(
        .cannotCreate, "\(destination): is a folder; give the path of a file to write")
    }
    self.destination = destination
    place = target.path
    staging = exists && !OutputFile.isRegular(target) ? nil : target.path + ".partial"
    file = fopen(staging ?? place, "wb")
    guard file != nil else { throw Self.failure(destination) }
  }

  deinit {
    guard let file else { return }
    fclose(file)
    if let staging { unlink(staging) }
  }

  /// Adds a piece.
  func write(_ text: String) throws(WorkflowFailure) {
    var text = text
    let isWritten = text.withUTF8 { bytes in
      file.map { fwrite(bytes.baseAddress, 1, bytes.count, $0) == bytes.count } ?? false
    }
    guard isWritten else { throw Self.failure(destination) }
  }

  /// Puts the file in its place; nothing can be added afterwards.
  func commit() throws(WorkflowFailure) {
    guard let open = file else { return }
    file = nil
    guard fclose(open) == 0, staging.map({ rename($0, place) == 0 }) ?? true else {
      if let staging { unlink(staging) }
      throw Self.failure(destination)
    }
  }

  private static func failure(_ path: String) -> WorkflowFailure {
    WorkflowFailure(
      .cannotCreate,
      "\(path): cannot be written; check that its folder exists, is writable and has room")
  }
}
