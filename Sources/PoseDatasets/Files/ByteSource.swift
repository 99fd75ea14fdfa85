/// Where bytes come from, piece by piece.
protocol ByteSource: AnyObject {
  /// Roughly how many bytes will come, where that is known beforehand.
  var expectedByteCount: Int? { get }

  /// Fills a part of the buffer.
  ///
  /// - Returns: how many bytes were read; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int
}

/// Reading broke off.
enum ByteSourceError: Error {
  /// The operating system gave up.
  case system(code: Int32)
  /// A text problem of a compressed file.
  case archive(TextProblem)

  /// The problem as it is told.
  var problem: TextProblem {
    switch self {
    case .system(let code): .readingFailed(reason: FileDescriptor.message(of: code))
    case .archive(let problem): problem
    }
  }
}

/// Bytes that are in memory already.
final class MemoryBytes: ByteSource {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var expectedByteCount: Int? { bytes.count }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ByteSourceError) -> Int {
    let count = min(buffer.count, bytes.count - position)
    buffer.copyBytes(from: bytes[position..<(position + count)])
    position += count
    return count
  }
}
