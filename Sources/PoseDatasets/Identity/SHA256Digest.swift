import CLibcrypto

/// A SHA-256 hash.
package struct SHA256Digest: Hashable, Sendable, CustomStringConvertible {
  /// The 32 bytes.
  package let bytes: [UInt8]

  /// The hash as 64 lowercase hexadecimal digits.
  package var description: String {
    String(
      decoding: bytes.flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] },
      as: UTF8.self)
  }

  /// The hash of bytes in memory.
  package init(of bytes: [UInt8]) throws(DatasetError) {
    let stream = try SHA256Stream()
    try stream.add(bytes)
    self = try stream.finish()
  }

  fileprivate init(bytes: [UInt8]) { self.bytes = bytes }

  private static let digits = Array("0123456789abcdef".utf8)
}

/// A SHA-256 hash in the making.
final class SHA256Stream {
  private let context: OpaquePointer

  /// Begins a hash.
  init() throws(DatasetError) {
    guard let context = EVP_MD_CTX_new() else { throw .hashingFailed }
    self.context = context
    guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else { throw .hashingFailed }
  }

  deinit { EVP_MD_CTX_free(context) }

  /// Adds bytes.
  func add(_ bytes: [UInt8]) throws(DatasetError) {
    let added = bytes.withUnsafeBytes { EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    guard added == 1 else { throw .hashingFailed }
  }

  /// Adds the contents of a file, chunk by chunk.
  func add(fileAt path: String) throws(DatasetError) {
    let source = try FileBytes(path: path)
    var added: Int32 = 1
    try source.forEachChunk(file: path) { chunk in
      if added == 1 { added = EVP_DigestUpdate(context, chunk.baseAddress, chunk.count) }
    }
    guard added == 1 else { throw .hashingFailed }
  }

  /// Ends the hash; nothing can be added afterwards.
  func finish() throws(DatasetError) -> SHA256Digest {
    var bytes = [UInt8](repeating: 0, count: 32)
    guard EVP_DigestFinal_ex(context, &bytes, nil) == 1 else { throw .hashingFailed }
    return SHA256Digest(bytes: bytes)
  }
}
