import CZlib

/// The unpacked bytes of a gzip file.
final class GzipBytes: ByteSource {
  private let file: gzFile

  /// Opens a file.
  init(path: String) throws(DatasetError) {
    let (descriptor, _) = try FileDescriptor.open(path)
    guard let file = gzdopen(descriptor, "rb") else {
      FileDescriptor.close(descriptor)
      throw .unreadableFile(path: path, reason: "no memory to unpack it")
    }
    self.file = file
    gzbuffer(file, 1 << 18)
  }

  deinit { gzclose_r(file) }

  /// The size says nothing about the unpacked bytes.
  var expectedByteCount: Int? { nil }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int {
    let wanted = min(buffer.count, 1 << 30)
    let count = Int(gzread(file, buffer.baseAddress, UInt32(wanted)))
    if count < wanted { try checkEnd() }
    // zlib hands the bytes of other files through as they are.
    if count > 0, gzdirect(file) == 1 { throw .archive(.notAnArchive) }
    return count
  }

  private func checkEnd() throws(ByteSourceError) {
    var code: Int32 = 0
    let text = gzerror(file, &code)
    switch code {
    case Z_OK, Z_STREAM_END: return
    case Z_BUF_ERROR: throw .archive(.truncatedArchive)
    case Z_ERRNO: throw .system(code: FileDescriptor.lastCode)
    default:
      let reason = text.map { String(cString: $0) } ?? "error \(code)"
      throw .archive(.damagedArchive(reason: reason))
    }
  }
}
