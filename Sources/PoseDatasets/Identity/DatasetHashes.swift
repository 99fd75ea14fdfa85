#if canImport(CryptoKit)
  import CryptoKit
#else
  import CLibcrypto
#endif

/// The hashes that identify a dataset's contents.
///
/// A leaf is SHA-256(0x00, path, 0x00, bytes), with the path as in the manifest, its parts
/// separated by `/`. A root is SHA-256(0x01, all leaves), with leaves sorted by the bytes of their
/// paths; a file that is listed twice counts once. The dataset's hash is SHA-256(0x02, the roots of
/// poses, labels and manifest). The manifest's root has one leaf, which uses the manifest's file
/// name as its path.
package struct DatasetHashes: Hashable, Sendable {
  package let poses: SHA256Digest
  package let labels: SHA256Digest
  package let manifest: SHA256Digest
  package let hash: SHA256Digest

  package init(
    of dataset: DatasetReader, progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws {
    let entries = dataset.manifest.sequences
    poses = try Self.root(of: entries.map(\.posesPath), folder: dataset.folder, progress: progress)
    var labeling = entries.compactMap(\.labelsPath)
    for entry in entries {
      if let onsetsPath = try dataset.onsetsPath(of: entry) { labeling.append(onsetsPath) }
    }
    if dataset.activities != nil { labeling.append(ActivitiesReader.fileName) }
    labels = try Self.root(of: labeling, folder: dataset.folder)
    manifest = try Self.root(
      of: [DatasetPath.split(dataset.manifestPath).name], folder: dataset.folder)
    hash = try SHA256Digest(of: [0x02] + poses.bytes + labels.bytes + manifest.bytes)
  }

  package static func root(
    of paths: [String], folder: String, progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws -> SHA256Digest {
    let root = try SHA256Stream()
    try root.add([0x01])
    let sorted = Set(paths).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    for (index, path) in sorted.enumerated() {
      progress(index, sorted.count)
      let leaf = try SHA256Stream()
      try leaf.add([0x00] + Array(path.utf8) + [0x00])
      try leaf.add(fileAt: DatasetPath.join(folder, path))
      try root.add(leaf.finish().bytes)
    }
    progress(sorted.count, sorted.count)
    return try root.finish()
  }
}

package struct SHA256Digest: Hashable, Sendable, CustomStringConvertible {
  package static let size = 32

  package let bytes: [UInt8]

  package var description: String {
    String(
      decoding: bytes.flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] },
      as: UTF8.self)
  }

  package init(of bytes: [UInt8]) throws {
    let stream = try SHA256Stream()
    try stream.add(bytes)
    self = try stream.finish()
  }

  package init(ofFileAt path: String) throws {
    let stream = try SHA256Stream()
    try stream.add(fileAt: path)
    self = try stream.finish()
  }

  fileprivate init(bytes: [UInt8]) { self.bytes = bytes }

  private static let digits = Array("0123456789abcdef".utf8)
}

final class SHA256Stream {
  #if canImport(CryptoKit)
    private var hash = SHA256()

    init() throws {}

    private func update(_ bytes: UnsafeRawBufferPointer) -> Bool {
      hash.update(bufferPointer: bytes)
      return true
    }

    func finish() throws -> SHA256Digest { SHA256Digest(bytes: Array(hash.finalize())) }
  #else
    private let context: OpaquePointer

    init() throws {
      guard let context = EVP_MD_CTX_new() else { throw DatasetError.hashingFailed }
      self.context = context
      guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
        throw DatasetError.hashingFailed
      }
    }

    deinit { EVP_MD_CTX_free(context) }

    private func update(_ bytes: UnsafeRawBufferPointer) -> Bool {
      EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
    }

    func finish() throws -> SHA256Digest {
      var bytes = [UInt8](repeating: 0, count: SHA256Digest.size)
      guard EVP_DigestFinal_ex(context, &bytes, nil) == 1 else { throw DatasetError.hashingFailed }
      return SHA256Digest(bytes: bytes)
    }
  #endif

  func add(_ bytes: [UInt8]) throws {
    guard bytes.withUnsafeBytes(update) else { throw DatasetError.hashingFailed }
  }

  func add(fileAt path: String) throws {
    let source = try FileBytes(path: path)
    var isAdded = true
    try source.forEachChunk(file: path) { isAdded = isAdded && update($0) }
    guard isAdded else { throw DatasetError.hashingFailed }
  }
}
