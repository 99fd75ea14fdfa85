import CZlib

package enum PackedBytes {
  package enum Content: Sendable {
    /// Columns of measured numbers or of their steps: noise in which nothing but runs of one byte
    /// repeats. Looking for more takes up to twice as long, for 3 % more to 1 % fewer bytes.
    case numbers
    case code

    fileprivate var strategy: Int32 { self == .numbers ? Z_RLE : Z_DEFAULT_STRATEGY }
  }

  /// How hard zlib tries, of 1...9: code takes 3 % more bytes than at 9, in a tenth of the time.
  private static let level: Int32 = 4

  /// A zlib stream (RFC 1950), which browsers decompress as `deflate`; the same for the same input
  /// and version of zlib.
  ///
  /// Nil if memory runs out and for 4 GiB.
  package static func deflated(_ bytes: [UInt8], _ content: Content) -> [UInt8]? {
    var stream = z_stream()
    let (windowBits, memoryLevel): (Int32, Int32) = (15, 8)
    guard
      deflateInit2_(
        &stream, level, Z_DEFLATED, windowBits, memoryLevel, content.strategy, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
    defer { deflateEnd(&stream) }
    let bound = UInt32(exactly: deflateBound(&stream, UInt(bytes.count)))
    guard let size = UInt32(exactly: bytes.count), let bound else { return nil }
    var isDone = false
    let packed = bytes.withUnsafeBufferPointer { input in
      [UInt8](unsafeUninitializedCapacity: Int(bound)) { output, count in
        stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
        stream.avail_in = size
        stream.next_out = output.baseAddress
        stream.avail_out = bound
        isDone = deflate(&stream, Z_FINISH) == Z_STREAM_END
        count = Int(bound - stream.avail_out)
      }
    }
    return isDone ? packed : nil
  }
}
