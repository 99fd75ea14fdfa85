#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that grows by whole pieces: a piece that cannot be written leaves no trace.
final class OutputFile {
  /// The path as it was given.
  let path: String
  private var descriptor: Int32
  private var size = 0

  /// Creates a file.
  ///
  /// - Parameter overwriting: whether a file that is there already is emptied, not refused.
  init(path: String, overwriting: Bool) throws(PoseRecordingError) {
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | (overwriting ? O_TRUNC : O_EXCL)
    self.path = path
    let (opened, code) = Self.retrying { Int(open(path, flags, 0o644)) }
    descriptor = Int32(opened)
    guard descriptor >= 0 else {
      if code == EEXIST, !overwriting { throw .fileExists(path: path) }
      throw .cannotCreate(path: path, reason: Self.message(of: code))
    }
  }

  deinit {
    if descriptor >= 0 { systemClose(descriptor) }
  }

  /// Adds bytes at the end, with a single call to the operating system where it takes them all.
  func append(_ bytes: [UInt8]) throws(PoseRecordingError) {
    guard descriptor >= 0 else { throw .closed(path: path) }
    let failure = bytes.withUnsafeBytes { buffer -> Int32? in
      var rest = buffer[...]
      while !rest.isEmpty {
        let chunk = UnsafeRawBufferPointer(rebasing: rest)
        let (written, code) = Self.retrying { write(descriptor, chunk.baseAddress, chunk.count) }
        if written <= 0 { return code }
        rest = rest.dropFirst(written)
      }
      return nil
    }
    if let failure {
      // Half a line would make the file unreadable.
      if ftruncate(descriptor, off_t(size)) == 0 { lseek(descriptor, off_t(size), SEEK_SET) }
      throw .writeFailed(path: path, reason: Self.message(of: failure))
    }
    size += bytes.count
  }

  /// Closes the file; a second call does nothing.
  func close() throws(PoseRecordingError) {
    guard descriptor >= 0 else { return }
    let result = systemClose(descriptor)
    let code = errno
    descriptor = -1
    guard result == 0 || code == EINTR else {
      throw .writeFailed(path: path, reason: Self.message(of: code))
    }
  }

  private static func retrying(_ call: () -> Int) -> (value: Int, code: Int32) {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return (result, errno) }
    }
  }

  private static func message(of code: Int32) -> String {
    guard let text = strerror(code) else { return "error \(code)" }
    return String(cString: text)
  }
}

/// Closes a descriptor; the class's own `close` hides the system's name.
@discardableResult
private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
