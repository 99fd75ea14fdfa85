internal import Evaluation
internal import PoseDatasets

/// Turns the hashes of a dataset's files into the identity that reports carry.
enum DatasetIdentities {
  /// The identity of a dataset; hashes cover all of it, whatever the split.
  static func identity(
    of reader: DatasetReader, split: String?
  ) throws(DatasetError) -> Evaluation.DatasetIdentity {
    let hashes = try PoseDatasets.DatasetIdentity(of: reader)
    return Evaluation.DatasetIdentity(
      name: reader.manifest.name ?? reader.folderName, hash: "\(hashes.hash)",
      posesHash: "\(hashes.poses)", labelsHash: "\(hashes.labels)",
      manifestHash: "\(hashes.manifest)", split: split)
  }
}

extension DatasetReader {
  /// The last part of the folder's path, for datasets without a name.
  fileprivate var folderName: String {
    folder.split(separator: "/").last.map(String.init) ?? "dataset"
  }
}
