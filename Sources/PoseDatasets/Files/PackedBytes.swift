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

/// Gzip (RFC 1952), whatever a file is called: servers and buckets pack files without renaming
/// them.
extension PackedBytes {
  static let unpackedLimit = 1 << 31

  package static func isGzip(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.starts(with: [0x1F, 0x8B, 0x08])
  }

  /// The contents, of several members one after another as `cat` joins them; bytes that are not
  /// packed come back as they are.
  package static func unpacked(_ bytes: [UInt8], file: String) throws -> [UInt8] {
    guard isGzip(bytes) else { return bytes }
    do throws(ByteSourceError) {
      return try inflated(bytes)
    } catch {
      throw DatasetError.invalidText(file: file, line: nil, problem: error.problem)
    }
  }

  private static func inflated(_ packed: [UInt8]) throws(ByteSourceError) -> [UInt8] {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    guard let count = UInt32(exactly: packed.count) else {
      throw .archive(.damagedArchive(reason: "more than 4 GB"))
    }
    guard inflateInit2_(&stream, MAX_WBITS + 16, ZLIB_VERSION, size) == Z_OK else {
      throw .archive(.damagedArchive(reason: "zlib does not start"))
    }
    defer { inflateEnd(&stream) }
    var contents: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    var code = Z_OK
    packed.withUnsafeBufferPointer { input in
      stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      stream.avail_in = count
      while code == Z_OK, contents.count <= unpackedLimit {
        let made = chunk.withUnsafeMutableBufferPointer { output in
          stream.next_out = output.baseAddress
          stream.avail_out = UInt32(output.count)
          code = inflate(&stream, Z_NO_FLUSH)
          return output.count - Int(stream.avail_out)
        }
        contents.append(contentsOf: chunk[..<made])
        // Zeros may follow the last member, as tapes had them.
        if code == Z_STREAM_END, isGzip(input[(packed.count - Int(stream.avail_in))...]) {
          code = inflateReset(&stream)
        }
      }
    }
    switch code {
    case Z_STREAM_END: return contents
    case Z_OK: throw .archive(.damagedArchive(reason: "it holds more than \(unpackedLimit) bytes"))
    case Z_BUF_ERROR: throw .archive(.truncatedArchive)
    default: throw .archive(.damagedArchive(reason: "error \(code)"))
    }
  }
}
