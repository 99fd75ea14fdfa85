import CZlib

/// Bytes compressed with zlib.
package enum PackedBytes {
  /// How hard zlib tries, of 1...9: columns of a page take 3 % more bytes than at 9, in a tenth of
  /// the time.
  private static let level: Int32 = 4

  /// Compresses bytes to a zlib stream (RFC 1950), which browsers decompress as `deflate`.
  ///
  /// - Returns: the same bytes for the same input and version of zlib; nil if memory runs out.
  /// - Complexity: O(bytes).
  package static func deflated(_ bytes: [UInt8]) -> [UInt8]? {
    var size = compressBound(UInt(bytes.count))
    var packed = [UInt8](repeating: 0, count: Int(size))
    let code = compress2(&packed, &size, bytes, UInt(bytes.count), level)
    guard code == Z_OK else { return nil }
    packed.removeLast(packed.count - Int(size))
    return packed
  }
}
