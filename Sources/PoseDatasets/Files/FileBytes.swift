/// The bytes of a file as they are.
final class FileBytes: ByteSource {
  private let descriptor: Int32
  let expectedByteCount: Int?

  /// Opens a file.
  init(path: String) throws(DatasetError) {
    let (descriptor, size) = try FileDescriptor.open(path)
    self.descriptor = descriptor
    expectedByteCount = size
  }

  deinit { FileDescriptor.close(descriptor) }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int {
    let count = FileDescriptor.read(descriptor, into: buffer)
    guard count >= 0 else { throw .system(code: FileDescriptor.lastCode) }
    return count
  }

  /// The whole contents of a small file.
  static func contents(of path: String) throws(DatasetError) -> [UInt8] {
    let source = try FileBytes(path: path)
    var result: [UInt8] = []
    try source.forEachChunk(file: path) { result.append(contentsOf: $0) }
    return result
  }
}

extension ByteSource {
  /// Calls a body with one chunk after the other; a chunk lives as long as the call.
  func forEachChunk(
    file: String, of size: Int = 1 << 18, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(DatasetError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      do throws(ByteSourceError) {
        let count = try read(into: buffer)
        if count == 0 { return }
        body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      } catch {
        throw .invalidText(file: file, line: nil, problem: error.problem)
      }
    }
  }
}
