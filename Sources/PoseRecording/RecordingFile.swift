public import PoseModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

// The only reading of files in this module. What reads lines needs no operating system, so that it
// can be compiled for devices without one.
extension PoseRecordingReader {
  /// Reads a `.poses.jsonl` file.
  ///
  /// Compressed files (`.gz`) are refused: unpack them first.
  ///
  /// - Throws: `PoseRecordingError.cannotRead`, `.compressed`, or `.invalidRecording` with the line
  ///   of the first mistake.
  /// - Complexity: O(bytes), all of which are in memory at once.
  public static func recording(at path: String) throws(PoseRecordingError) -> Recording {
    let bytes = try bytes(ofFileAt: path)
    guard !bytes.starts(with: [0x1F, 0x8B]) else { throw .compressed(path: path) }
    return try recording(from: bytes, name: path)
  }

  private static func bytes(ofFileAt path: String) throws(PoseRecordingError) -> [UInt8] {
    // Non-blocking: a pipe that nobody writes to would block the caller forever.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw .cannotRead(path: path, reason: systemReason) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .cannotRead(path: path, reason: "it is not a regular file")
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var count = 0
    while count < bytes.count {
      let new = bytes.withUnsafeMutableBytes {
        read(file, $0.baseAddress?.advanced(by: count), $0.count - count)
      }
      if new < 0, errno == EINTR { continue }
      guard new >= 0 else { throw .cannotRead(path: path, reason: systemReason) }
      if new == 0 { break }
      count += new
    }
    return Array(bytes[..<count])
  }

  private static var systemReason: String {
    strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
  }
}
