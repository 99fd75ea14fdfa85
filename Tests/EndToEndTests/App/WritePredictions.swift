import Foundation
import PlankDetection
import PoseModel
import PoseRecording
import Testing

// Copy this file to the app's tests. The test target depends on the libraries `PoseModel`,
// `PoseRecording` and, for the detector below, `PlankDetection`. Another detector goes in at the
// two places marked HERE.

/// Runs the app's detector over a dataset and writes its answers, which `planklab gate` scores.
@Suite("WritePredictions")
struct WritePredictions {
  /// The folder to write to; without one, the test is skipped.
  private static let answers = ProcessInfo.processInfo.environment["PLANKLAB_ANSWERS"]
  private static let sessions = ProcessInfo.processInfo.environment["PLANKLAB_SESSIONS"]

  @Test(
    "The detector answers every frame of the dataset",
    .enabled(if: answers != nil, "set PLANKLAB_ANSWERS"))
  func dataset() throws {
    let (sessions, answers) = (try #require(Self.sessions), try #require(Self.answers))
    let names = try FileManager.default.subpathsOfDirectory(atPath: sessions)
      .filter { $0.hasSuffix(".poses.jsonl") }
    try #require(!names.isEmpty, "no recording in \(sessions)")
    for name in names {
      let file = URL(fileURLWithPath: answers).appendingPathComponent(
        String(name.dropLast(".poses.jsonl".count)) + ".csv")
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try table(sessions + "/" + name).write(to: file, atomically: true, encoding: .utf8)
    }
  }

  /// The answers of the app's detector in a recording.
  func table(_ recording: String) throws -> String {
    var detector = try PlankDetector(.gravity)  // HERE: a new detector for every recording
    return try table(recording) { frame in
      // HERE: what the app does with a frame; classes are those of docs/contract.md
      let answer = try detector.update(frame)
      return (answer.plank.name, answer.form.name)
    }
  }

  /// The answers in a recording, one row per frame; without an answer, return empty strings.
  ///
  /// The frames are those that `planklab evaluate` gives its detectors: each with its up direction,
  /// its turn into the camera's axes (`position(of:)` applies it) and its body height. Mirrored
  /// recordings have been flipped back.
  func table(
    _ recording: String, answer: (PoseFrame) throws -> (plank: String, form: String)
  ) throws -> String {
    var rows = ["t,plank,form"]
    for frame in try PoseRecordingReader.recording(at: recording).poseFrames {
      let (plank, form) = try answer(frame)
      rows.append("\(frame.time.value),\(plank),\(form)")
    }
    return rows.joined(separator: "\n") + "\n"
  }
}
