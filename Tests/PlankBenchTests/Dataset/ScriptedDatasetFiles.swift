import Foundation
import PoseDatasets
import PoseModel
import PoseRecording
import TestSupport

/// The files of `datasets/scripted`: those that the script writes and those that are committed.
enum ScriptedDatasetFiles {
  /// The committed folder.
  static let folder = Repository.file("datasets/scripted")

  /// Whether the files are to be written instead of checked.
  static let isRecording = ProcessInfo.processInfo.environment["PLANKLAB_RECORD"] != nil

  /// The bytes of a recording: positions to a tenth of a millimeter; not yet compressed.
  static func poses(_ sequence: ScriptedDataset.Sequence) throws -> [UInt8] {
    try PoseRecordingText.bytes(of: sequence.recording, decimals: 4)
  }

  /// The bytes of the plain files, by their path in the folder.
  static func plainFiles() throws -> [(path: String, bytes: [UInt8])] {
    var files = [
      (
        path: DatasetManifest.fileName,
        bytes: Array(DatasetManifestWriter.text(of: ScriptedDataset.manifest).utf8)
      )
    ]
    for sequence in ScriptedDataset.sequences {
      if !sequence.entry.posesPath.hasSuffix(".gz") {
        files.append((path: sequence.entry.posesPath, bytes: try poses(sequence)))
      }
      if let path = sequence.entry.labelsPath {
        files.append((path: path, bytes: Array(LabelsWriter.text(of: sequence.labels).utf8)))
        let onsets = OnsetsWriter.text(of: sequence.labels.onsets)
        files.append(
          (path: OnsetsReader.path(besideLabelsAt: path), bytes: Array(onsets.utf8)))
      }
    }
    return files
  }

  /// Where a file of the dataset is, as it can be opened.
  static func location(_ path: String) -> String { folder.appendingPathComponent(path).path }

  /// A committed file.
  static func committed(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appendingPathComponent(path)))
  }

  /// Writes a file of the dataset.
  static func write(_ bytes: [UInt8], to path: String) throws {
    let url = folder.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  /// Writes a file with the gzip of this machine, without name and time in its header.
  static func writeCompressed(_ bytes: [UInt8], to path: String) throws {
    let plain = String(path.dropLast(".gz".count))
    try write(bytes, to: plain)
    let gzip = Process()
    gzip.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    gzip.arguments = ["gzip", "-9", "-n", "-f", location(plain)]
    try gzip.run()
    gzip.waitUntilExit()
    guard gzip.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
  }
}
