#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An open file of the operating system.
///
/// Opening tells a missing file from a folder, so that callers can answer differently.
enum FileDescriptor {
  /// Opens a file for reading.
  ///
  /// - Returns: the descriptor, which the caller closes, and the file's size in bytes.
  static func open(_ path: String) throws(DatasetError) -> (descriptor: Int32, size: Int) {
    let descriptor = retrying { openForReading(path) }
    guard descriptor >= 0 else { throw openError(path: path, code: errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let code = errno
      close(descriptor)
      throw .unreadableFile(path: path, reason: message(of: code))
    }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      close(descriptor)
      throw .directoryForFile(path: path)
    }
    return (descriptor, Int(status.st_size))
  }

  /// Whether a path is a folder.
  static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Reads a part of a file; -1 where the operating system gave up.
  static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    retrying { systemRead(descriptor, buffer) }
  }

  /// Closes a file that was read, where nothing can be lost.
  static func close(_ descriptor: Int32) { _ = systemClose(descriptor) }

  /// The code of the last failure of this thread.
  static var lastCode: Int32 { errno }

  /// The operating system's words for a code.
  static func message(of code: Int32) -> String {
    guard let text = strerror(code) else { return "error \(code)" }
    return String(cString: text)
  }

  private static func openError(path: String, code: Int32) -> DatasetError {
    code == ENOENT || code == ENOTDIR
      ? .missingFile(path: path) : .unreadableFile(path: path, reason: message(of: code))
  }

  private static func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }
}

private func openForReading(_ path: String) -> Int32 { open(path, O_RDONLY | O_CLOEXEC) }

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, buffer.baseAddress, buffer.count)
}

private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
