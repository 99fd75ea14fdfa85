import Foundation
import PoseDatasets
import PoseModel
import TestSupport

/// Public recordings beside the project, found through `PLANKLAB_RECORDINGS`.
///
/// The variable names a folder with `exercise-correction`, `kalatz` and `deepmimic`; without it
/// the tests that need them are skipped.
enum RealRecordings {
  /// The folder, if the variable is set.
  static let folder = ProcessInfo.processInfo.environment["PLANKLAB_RECORDINGS"]

  /// Whether there is a folder.
  static var isAvailable: Bool { folder != nil }

  /// A file of the folder.
  static func file(_ path: String) throws -> NamedText {
    let url = URL(fileURLWithPath: folder ?? "").appendingPathComponent(path)
    return try NamedText(name: path, bytes: Array(Data(contentsOf: url)))
  }

  /// A table of the exercise correction recordings.
  static func clips(_ path: String) throws -> [ImportedSequence] {
    let options = try MediaPipeOptions(
      labels: LabelMap(["C=forearm/aligned", "L=forearm/sag", "H=forearm/pike", "*=none"]),
      isMirrored: true)
    return try MediaPipeSource(options: options)
      .sequences(from: [file("exercise-correction/" + path)])
  }

  /// A motion of the DeepMimic recordings.
  static func motion(_ name: String, options: DeepMimicOptions) throws -> ImportedSequence? {
    let files = try ["skeleton", name].map { try file("deepmimic/humanoid3d_\($0).txt") }
    return try DeepMimicSource(options: options).sequences(from: files).first
  }

  /// How often the published rules answer what, frame by frame, with gravity's axes.
  static func publishedAnswers(_ recording: Recording) -> [String: Int] {
    var counts: [String: Int] = [:]
    for frame in 0..<recording.frameCount {
      let joints = recording.header.joints.compactMap { joint in
        recording.position(of: joint, at: frame).map { p in (joint.name, SIMD3(p.x, p.y, p.z)) }
      }
      let up = recording.axes(at: frame).map { SIMD3($0.up.x, $0.up.y, $0.up.z) }
      let pose = OraclePose(
        time: recording.times[frame], joints: Dictionary(uniqueKeysWithValues: joints), up: up,
        height: recording.bodyHeight(at: frame)?.value)
      let detector = OracleDetector.gravity
      let label = detector.label(detector.plank, OracleMeasurements(pose, axes: .gravity))
      counts[label ?? "undetermined", default: 0] += 1
    }
    return counts
  }
}
