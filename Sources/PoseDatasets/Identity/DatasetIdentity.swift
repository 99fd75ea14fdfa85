/// What a dataset's bytes are, as hashes: poses, labels and manifest apart, and all together.
///
/// A leaf is SHA-256(0x00, path, 0x00, bytes), with the path as the manifest gives it (parts by
/// `/`). A root is SHA-256(0x01, all leaves), the leaves sorted by the bytes of their paths; a
/// file that is named twice counts once. The hash of all is SHA-256(0x02, the roots of poses,
/// labels and manifest). The manifest's root has one leaf, by its file name.
package struct DatasetIdentity: Hashable, Sendable {
  /// The root over all recordings.
  package let poses: SHA256Digest
  /// The root over all label files.
  package let labels: SHA256Digest
  /// The root over the manifest.
  package let manifest: SHA256Digest
  /// The hash of the three roots.
  package let hash: SHA256Digest

  /// Hashes the files of a dataset.
  ///
  /// - Complexity: O(bytes); memory does not grow with the files.
  package init(of dataset: DatasetReader) throws(DatasetError) {
    let entries = dataset.manifest.sequences
    poses = try Self.root(of: entries.map(\.posesPath), folder: dataset.folder)
    labels = try Self.root(of: entries.compactMap(\.labelsPath), folder: dataset.folder)
    manifest = try Self.root(
      of: [DatasetPath.split(dataset.manifestPath).name], folder: dataset.folder)
    hash = try Self.combined(poses: poses, labels: labels, manifest: manifest)
  }

  /// The root over files of a folder.
  ///
  /// - Parameters:
  ///   - paths: from the folder, in any order; repeats count once.
  ///   - folder: empty for the current one.
  package static func root(
    of paths: [String], folder: String
  ) throws(DatasetError) -> SHA256Digest {
    let root = try SHA256Stream()
    try root.add([0x01])
    let sorted = Set(paths).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    for path in sorted {
      let leaf = try SHA256Stream()
      try leaf.add([0x00] + Array(path.utf8) + [0x00])
      try leaf.add(fileAt: DatasetPath.join(folder, path))
      try root.add(leaf.finish().bytes)
    }
    return try root.finish()
  }

  private static func combined(
    poses: SHA256Digest, labels: SHA256Digest, manifest: SHA256Digest
  ) throws(DatasetError) -> SHA256Digest {
    try SHA256Digest(of: [0x02] + poses.bytes + labels.bytes + manifest.bytes)
  }
}
