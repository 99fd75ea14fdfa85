internal import FoundationEssentials

/// Timestamps as bytes: a `Double` each, eight bytes, the lowest first.
enum TimeBlob {
  /// The bytes of some times.
  static func data(_ times: [Double]) -> Data {
    Data(times.flatMap { time in withUnsafeBytes(of: time.bitPattern.littleEndian, Array.init) })
  }

  /// The times of some bytes; nil where a part of a number is left over.
  static func times(_ data: Data) -> [Double]? {
    guard data.count % 8 == 0 else { return nil }
    return data.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: 8).map { offset in
        Double(
          bitPattern: UInt64(
            littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      }
    }
  }
}
