import Foundation
import PoseDatasets
import PoseModel
import PoseRecording
import TestSupport
import Testing

/// The committed dataset equals its script.
///
/// To write it again, run these tests with `PLANKLAB_RECORD=1`; they then fail and say so.
@Suite("Scripted dataset, committed") struct ScriptedDatasetGoldenTests {
  @Test("The plain files are what the script writes, byte for byte")
  func plainFiles() throws {
    for file in try ScriptedDatasetFiles.plainFiles() {
      if ScriptedDatasetFiles.isRecording {
        try ScriptedDatasetFiles.write(file.bytes, to: file.path)
        Issue.record("wrote \(file.path); run again without PLANKLAB_RECORD")
      } else {
        let isSame = try ScriptedDatasetFiles.committed(file.path) == file.bytes
        #expect(isSame, "\(file.path) is not what the script writes")
      }
    }
  }

  // Compressors differ between machines, so the unpacked contents count.
  @Test("The compressed recording unpacks to what the script writes, bit for bit")
  func compressedFile() throws {
    let sequence = try #require(
      ScriptedDataset.sequences.first { $0.entry.posesPath.hasSuffix(".gz") })
    let bytes = try ScriptedDatasetFiles.poses(sequence)
    let path = sequence.entry.posesPath
    guard !ScriptedDatasetFiles.isRecording else {
      try ScriptedDatasetFiles.writeCompressed(bytes, to: path)
      Issue.record("wrote \(path); run again without PLANKLAB_RECORD")
      return
    }
    let committed = try RecordingReader.read(path: ScriptedDatasetFiles.location(path)).recording
    let expected = try RecordingReader.read(bytes: bytes, name: "script").recording
    #expect(committed.differences(from: expected) == [])
  }
}

/// The files of `datasets/scripted`: those that the script writes and those that are committed.
enum ScriptedDatasetFiles {
  static let folder = Repository.file("datasets/scripted")

  /// Whether the files are to be written instead of checked.
  static let isRecording = ProcessInfo.processInfo.environment["PLANKLAB_RECORD"] != nil

  /// The bytes of a recording: positions to a tenth of a millimeter; not yet compressed.
  static func poses(_ sequence: ScriptedDataset.Sequence) throws -> [UInt8] {
    try PoseRecordingText.bytes(of: sequence.recording, decimals: 4)
  }

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

  static func location(_ path: String) -> String { folder.appendingPathComponent(path).path }

  static func committed(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appendingPathComponent(path)))
  }

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

@Suite("Scripted dataset") struct ScriptedDatasetTests {
  private let sequences: [DatasetSequence]

  init() throws {
    let reader = try DatasetReader(path: ScriptedDatasetFiles.folder.path)
    sequences = try reader.sequences().map { try reader.load($0) }
  }

  @Test("There is nothing to lint")
  func lint() throws {
    let checks = try DatasetChecks(datasetAt: ScriptedDatasetFiles.folder.path)
    #expect(checks.findings(try checks.sequences.map(checks.check)).isEmpty)
  }
}
