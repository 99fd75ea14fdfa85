import Foundation
import PlankDetection
import PoseModel
import PoseRecording

@testable import PoseDatasets

// What was read is put to use.
extension FuzzedReader {
  /// A body of 17 joints that moves a little, for detectors and filters.
  static let body: Recording = {
    let skeleton = Skeleton.vision3d
    var recording = Recording(
      header: RecordingHeader(skeleton: skeleton, joints: skeleton.joints, frame: .camera))
    for frame in 0..<24 {
      let pose = (0..<51).map { Float(($0 * 37 + frame) % 100) / 50 - 1 }
      pose.withUnsafeBufferPointer { recording.append(time: Double(frame) / 30, pose: $0) }
    }
    return recording
  }()

  /// A streaming detector takes every frame.
  static func run(
    _ definition: DetectorDefinition, on recording: Recording,
    debounce: DebounceStrategy = .parameters
  ) {
    guard var detector = try? PlankDetector(definition, debounce: debounce) else { return }
    for frame in recording.poseFrames where (try? detector.update(frame)) == nil {
      preconditionFailure("the times of a recording increase")
    }
  }

  /// A recording that can be written reads back, and is then written as before; only the first
  /// writing rounds.
  static func writesBack(_ recording: Recording) throws(Finding) {
    guard let bytes = try? PoseRecordingText.bytes(of: recording) else { return }
    guard let again = try? RecordingReader.read(bytes: bytes, name: name).recording else {
      throw Finding(description: "a recording that was written cannot be read")
    }
    try check(again.positions.count == recording.positions.count, "a recording is lost in writing")
    let twice = try? PoseRecordingText.bytes(of: again)
    try check(twice == bytes, "a recording that was read is written otherwise")
  }

  static func isSame(_ one: Recording, _ other: Recording) -> Bool {
    one.header == other.header && one.times == other.times
      && one.positions.map(\.bitPattern) == other.positions.map(\.bitPattern)
      && one.confidences.map(\.bitPattern) == other.confidences.map(\.bitPattern)
      && (0..<one.frameCount).allSatisfy { one.extras(at: $0) == other.extras(at: $0) }
  }

  /// Calls a body with the path of a file in a folder of its own.
  static func withFile(_ name: String, _ bytes: [UInt8], _ body: (String) -> Void) {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("planklab-fuzz-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent(name)
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try? Data(bytes).write(to: file)
    body(file.path)
  }
}
