import ArgumentParser
import Foundation
import PlankDetection
import PoseModel
import PoseRecording

@testable import Evaluation
@testable import PlankBench
@testable import PoseDatasets
@testable import PoseSynthesis
@testable import Tuning

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

  /// A bank that is let through can be replayed, in a posture that it knows and in others.
  static func errors(_ text: String) throws(Finding) {
    guard let bank = try? ErrorBankFile.bank(of: text, file: name) else { return }
    _ = bank.summary
    var script = SessionScript(
      holds: [.forearm, .sideLeftHand, .sphinx].map { Hold($0, for: Seconds(1)) })
    script.errors = bank
    guard let made = try? SessionSynthesizer(script).synthesized() else {
      throw Finding(description: "a valid bank is not replayed")
    }
    let isWhole = made.recording.positions.allSatisfy { $0.isFinite || $0.isNaN }
    try check(isWhole && made.recording.frameCount > 0, "a replay has infinite positions")
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

  /// Activities of two sequences are written again, row by row.
  static func activities(_ text: String) throws(Finding) {
    let entries = ["a.poses.jsonl", "more/b.poses.jsonl"].map { SequenceEntry(posesPath: $0) }
    guard let file = try? ActivitiesReader.read(text: text, name: name, of: entries) else { return }
    var rows = [ActivitiesReader.header]
    for (sequence, track) in file.tracks {
      rows += track.segments.map { "\(sequence),\($0.start.value),\($0.end.value),\($0.name)" }
      try check(file.lines[sequence]?.count == track.segments.count, "a segment has no line")
      _ = track.names
    }
    let again = try? ActivitiesReader.read(
      text: rows.joined(separator: "\n"), name: name, of: entries)
    try check(again?.tracks == file.tracks, "activities read back otherwise")
  }

  /// Labels and their onsets, with a record separator between them.
  static func onsets(_ text: String) throws(Finding) {
    let parts = text.split(separator: "\u{1E}", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2,
      let labels = try? LabelsReader.read(text: String(parts[0]), name: name).track,
      let track = try? OnsetsReader.read(text: String(parts[1]), name: name, of: labels)
    else { return }
    let again = try? OnsetsReader.read(
      text: OnsetsWriter.text(of: track.onsets), name: name, of: labels)
    try check(again == track, "onsets read back otherwise")
    _ = track.truth(at: body.times)
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

/// Values that apps store as JSON.
extension FuzzedReader {
  static func appValues(_ bytes: [UInt8]) throws(Finding) {
    let data = Data(bytes)
    try stored(Calibration.self, data)
    try stored(SmoothingStrategy.self, data)
    try stored(DebounceStrategy.self, data)
    try stored(ParameterValues.self, data)
    try stored(ParameterDefinition.self, data)
    try stored(SessionParameters.self, data)
    try stored(SessionState.self, data)
    try stored(SessionSummary.self, data)
    try stored(DetectorAnswer.self, data)
    try stored(Pose.self, data)
    if let calibration = try? JSONDecoder().decode(Calibration.self, from: data) {
      _ = try? BatchDetector(.coach).calibrated(by: calibration)
    }
    if let debounce = try? JSONDecoder().decode(DebounceStrategy.self, from: data) {
      run(.gravity, on: body, debounce: debounce)
    }
    if let smoothing = try? JSONDecoder().decode(SmoothingStrategy.self, from: data) {
      _ = try? BatchDetector(.gravity, smoothing: smoothing).measure(body)
    }
  }

  /// What is decoded is encoded to the same value.
  private static func stored<Value: Codable & Equatable>(
    _ type: Value.Type, _ data: Data
  ) throws(Finding) {
    guard let value = try? JSONDecoder().decode(type, from: data) else { return }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = try? encoder.encode(value)
    let again = text.flatMap { try? JSONDecoder().decode(type, from: $0) }
    // A pose that lacks joints equals no other; its text does.
    let isSame =
      again == value || (text != nil && again.flatMap { try? encoder.encode($0) } == text)
    try check(isSame, "\(type) reads back otherwise")
  }
}
