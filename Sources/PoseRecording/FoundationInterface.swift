#if canImport(FoundationEssentials)
  public import FoundationEssentials
  public import PoseModel
#elseif canImport(Foundation)
  public import Foundation
  public import PoseModel
#endif

// What an app expects of a library on its platform: files by URL, and errors that read in alerts as
// they do in a terminal. Nothing else of the module uses Foundation, and Embedded Swift has none.
#if canImport(FoundationEssentials) || canImport(Foundation)
  extension PoseRecordingError: LocalizedError {
    /// What is wrong and what to do; `localizedDescription` shows it.
    public var errorDescription: String? { description }
  }

  extension RecordingProblem: LocalizedError {
    /// What is wrong and what to do; `localizedDescription` shows it.
    public var errorDescription: String? { "\(message); \(remedy)" }
  }

  extension PoseRecordingWriter {
    /// Creates a file and writes its header line; see `init(path:header:decimals:overwriting:)`.
    public convenience init(
      url: URL, header: RecordingHeader, decimals: Int? = nil, overwriting: Bool = false
    ) throws(PoseRecordingError) {
      try self.init(
        path: url.filePath, header: header, decimals: decimals, overwriting: overwriting)
    }

    /// Writes a whole recording to a file URL; see `init(path:header:decimals:overwriting:)`.
    public static func write(
      _ recording: Recording, to url: URL, decimals: Int? = nil, overwriting: Bool = false
    ) throws(PoseRecordingError) {
      try write(recording, to: url.filePath, decimals: decimals, overwriting: overwriting)
    }
  }

  extension PoseRecordingReader {
    /// Reads a `.poses.jsonl` file; see `recording(at:)` of a path.
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
