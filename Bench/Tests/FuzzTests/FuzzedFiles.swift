import ArgumentParser
import Foundation
@_spi(Bench) import PlankDetection
@_spi(Bench) import PoseModel
import PoseRecording

@testable import Evaluation
@testable import ParameterTuning
@testable import PlankBench
@testable import PoseDatasets
@testable import RunStore

/// Files of a dataset.
extension FuzzedReader {
  /// The bench's reader and the apps' one agree, and what was read can be written and read again.
  static func recording(_ bytes: [UInt8]) throws(Finding) {
    let bench = try? RecordingReader.read(bytes: bytes, name: name).recording
    let app = try? PoseRecordingReader.recording(from: bytes, name: name)
    try check((bench == nil) == (app == nil), "one reader takes what the other refuses")
    guard let bench, let app else { return }
    try check(isSame(bench, app), "two readers read different recordings")
    run(DetectorDefinition.gravity, on: bench)
    try writesBack(bench)
  }

  /// Through a file, because only files are unpacked.
  static func packed(_ bytes: [UInt8]) {
    withFile("input.poses.jsonl.gz", bytes) { path in _ = try? RecordingReader.read(path: path) }
  }

  static func labels(_ bytes: [UInt8]) throws(Finding) {
    guard let track = try? LabelsReader.read(bytes: bytes, name: name).track else { return }
    let again = try? LabelsReader.read(text: LabelsWriter.text(of: track), name: name).track
    try check(again == track, "labels read back otherwise")
  }

  static func manifest(_ bytes: [UInt8]) throws(Finding) {
    guard let manifest = try? DatasetManifest(bytes: bytes, file: name) else { return }
    let text = DatasetManifestWriter.text(of: manifest)
    let again = try? DatasetManifest(bytes: Array(text.utf8), file: name)
    try check(again.map(withoutLines) == withoutLines(manifest), "a manifest reads back otherwise")
    guard var edit = try? ManifestEdit(text: String(decoding: bytes, as: UTF8.self), file: name)
    else { return }
    _ = try? edit.append([SequenceEntry(posesPath: "added.poses.jsonl")])
    _ = try? edit.setMissing(.subject, [manifest.sequences[0].name: "anna: \"#"])
  }

  private static func withoutLines(_ manifest: DatasetManifest) -> DatasetManifest {
    var manifest = manifest
    manifest.unknownKeys = []
    for index in manifest.sequences.indices { manifest.sequences[index].line = 0 }
    return manifest
  }

  static func predictions(_ bytes: [UInt8]) {
    withFile("input.csv", bytes) { path in
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
      _ = try? PredictionsFolder(path: folder).answers("input", times: body.times)
    }
  }
}
