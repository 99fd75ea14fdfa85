#if canImport(FoundationEssentials)
  public import FoundationEssentials
  public import PoseModel
#elseif canImport(Foundation)
  public import Foundation
  public import PoseModel
#endif

// Apps expect a library to take files by URL, and errors to read the same in alerts as in a
// terminal. In this module, only this file uses Foundation, which Embedded Swift lacks.
#if canImport(FoundationEssentials) || canImport(Foundation)
  extension PoseRecordingError: LocalizedError {
    /// What is wrong and what to do, as shown by `localizedDescription`.
    public var errorDescription: String? { description }
  }

  extension RecordingProblem: LocalizedError {
    /// What is wrong and what to do, as shown by `localizedDescription`.
    public var errorDescription: String? { "\(message); \(remedy)" }
  }

  extension PoseRecordingWriter {
    /// Creates a file at a file URL and writes its header line.
    ///
    /// Parameters and errors are those of `init(path:header:decimals:overwriting:)`.
    public convenience init(
      url: URL, header: RecordingHeader, decimals: Int? = nil, overwriting: Bool = false
    ) throws(PoseRecordingError) {
      try self.init(
        path: url.filePath, header: header, decimals: decimals, overwriting: overwriting)
    }

    /// Writes a whole recording to a file URL.
    ///
    /// Parameters and errors are those of `write(_:to:decimals:overwriting:)` for a path.
    public static func write(
      _ recording: Recording, to url: URL, decimals: Int? = nil, overwriting: Bool = false
    ) throws(PoseRecordingError) {
      try write(recording, to: url.filePath, decimals: decimals, overwriting: overwriting)
    }
  }

  extension PoseRecordingReader {
    /// Reads a `.poses.jsonl` file from a file URL.
    ///
    /// Errors are those of `recording(at:)` for a path.
    public static func recording(at url: URL) throws(PoseRecordingError) -> Recording {
      try recording(at: url.filePath)
    }
  }

  extension URL {
    fileprivate var filePath: String {
      withUnsafeFileSystemRepresentation { $0.map { String(cString: $0) } } ?? path
    }
  }
#endif
