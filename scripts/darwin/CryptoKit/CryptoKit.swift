// The part of CryptoKit that PlankLab uses, from Apple's documentation. `SHA256Digest` is public there, too.

public struct SHA256: Sendable {
  public init() {}
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
  public func finalize() -> SHA256Digest { SHA256Digest() }
}

public struct SHA256Digest: Sequence, Hashable, Sendable {
  public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
}
