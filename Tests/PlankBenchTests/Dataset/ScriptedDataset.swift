import PoseDatasets
import PoseModel
import TestSupport

enum ScriptedDataset {
  struct Sequence: Sendable {
    let entry: SequenceEntry
    /// The recording as it is written, mirrored where its header says so.
    let recording: Recording
    let labels: LabelTrack

    init(
      _ name: String, _ session: ScriptedSession, _ recording: Recording, split: String,
      startsMid: Bool = false, suffix: String = ".poses.jsonl", tags: [String: String]
    ) {
      entry = SequenceEntry(
        posesPath: "\(name)\(suffix)", labelsPath: "\(name).labels.csv",
        subject: session.subject, split: split, startsMid: startsMid, tags: tags)
      self.recording = recording
      labels = session.labels
    }
  }

  static let sequences = [floor, sides, fast, pelvis, clip, upsideDown]

  static let manifest = DatasetManifest(
    name: "scripted",
    description: "Hand-scripted geometry with all six classes and both faults; no real person",
    license: "MIT", sequences: sequences.map(\.entry))

  /// Prone planks with a deep sag, a small one and a pike, from all-fours; phone at the side.
  private static var floor: Sequence {
    let session = ScriptedSession(
      ScriptedBody(stature: Meters(1.62)), rate: Hertz(30),
      dropouts: [
        ScriptedDropout(from: 6, to: 6.3), ScriptedDropout(from: 12.5, to: 13.3),
        ScriptedDropout(from: 9, to: 9.4, of: [.rightElbow, .rightWrist]),
      ],
      jitter: ScriptedJitter(seed: 101, deviation: Meters(0.005)), subject: "s01",
      phases: [
        ScriptedPhase(.standing, seconds: 1),
        ScriptedPhase(.allFours, seconds: 1.5, entry: way(1.2)),
        ScriptedPhase(.high, seconds: 2.5, entry: way(0.8)),
        ScriptedPhase(.forearm, seconds: 2, entry: way(1)),
        ScriptedPhase(.forearm, seconds: 1.6, hipCentimeters: -8, entry: way(0.6)),
        ScriptedPhase(.forearm, seconds: 1.6, hipCentimeters: -4, entry: way(0.4)),
        ScriptedPhase(.forearm, seconds: 1.4, hipCentimeters: 9, entry: way(0.6)),
        ScriptedPhase(.standing, seconds: 0.6, entry: way(1.2)),
      ])
    return Sequence(
      "s01-floor", session,
      session.recording(ScriptedCamera(.back, .portrait, .fixed, azimuth: Degrees(15))),
      split: "tune", tags: ["view": "side", "noise_mm": "5"])
  }

  private static var sides: Sequence {
    let session = ScriptedSession(
      ScriptedBody(stature: Meters(1.78)), rate: Hertz(15),
      dropouts: [
        ScriptedDropout(from: 4, to: 4.4, of: [.leftWrist]),
        ScriptedDropout(from: 9, to: 9.8, of: [.leftAnkle, .rightAnkle]),
        ScriptedDropout(from: 15, to: 15.4),
      ],
      jitter: ScriptedJitter(seed: 102, deviation: Meters(0.008)), subject: "s02",
      phases: [
        ScriptedPhase(.high, seconds: 2),
        ScriptedPhase(.sideLeft, seconds: 3, entry: way(1.2)),
        ScriptedPhase(.sideLeft, seconds: 2, hipCentimeters: -9, entry: way(0.8)),
        ScriptedPhase(.high, seconds: 2, hipCentimeters: 7, entry: way(1.2)),
        ScriptedPhase(.sideRight, seconds: 3, entry: way(1.2)),
        ScriptedPhase(.sideRight, seconds: 2, hipCentimeters: 8, entry: way(0.8)),
        ScriptedPhase(.allFours, seconds: 1.6, entry: way(1.4)),
      ])
    let camera = ScriptedCamera(
      .front, .landscapeLeft, .fixed, isMirrored: true, azimuth: Degrees(150))
    return Sequence(
      "s02-sides", session, session.recording(camera), split: "tune",
      tags: ["view": "oblique", "noise_mm": "8"])
  }

  /// Reverse and high planks at 60 Hz; a sag so deep that the published rules change the class.
  private static var fast: Sequence {
    let session = ScriptedSession(
      ScriptedBody(stature: Meters(1.93)), rate: Hertz(60),
      dropouts: [ScriptedDropout(from: 3, to: 3.1), ScriptedDropout(from: 7.2, to: 7.9)],
      jitter: ScriptedJitter(seed: 103, deviation: Meters(0.004)), subject: "s03",
      phases: [
        ScriptedPhase(.reverse, seconds: 2.2),
        ScriptedPhase(.reverse, seconds: 1.6, hipCentimeters: -8, entry: way(0.5)),
        ScriptedPhase(.standing, seconds: 0.8, entry: way(1)),
        ScriptedPhase(.high, seconds: 2, entry: way(1)),
        ScriptedPhase(.high, seconds: 1.4, hipCentimeters: -11, entry: way(0.6)),
        ScriptedPhase(.forearm, seconds: 1.6, entry: way(0.8)),
      ])
    let camera = ScriptedCamera(.back, .landscapeRight, .upright, azimuth: Degrees(-20))
    return Sequence(
      "s03-fast", session, session.recording(camera), split: "tune", suffix: ".poses.jsonl.gz",
      tags: ["view": "side", "noise_mm": "4"])
  }

  /// How the body moves into a phase, in seconds.
  static func way(_ seconds: Double) -> ScriptedTransition {
    ScriptedTransition(Seconds(seconds))
  }
}

extension ScriptedDataset {
  /// All classes at 8 Hz in pelvis axes, as Vision most probably writes them.
  static var pelvis: Sequence {
    let session = ScriptedSession(
      ScriptedBody(stature: Meters(1.5)), rate: Hertz(8),
      dropouts: [
        ScriptedDropout(from: 8, to: 8.25), ScriptedDropout(from: 14.5, to: 15.5),
        ScriptedDropout(from: 22, to: 23, of: [.centerShoulder]),
      ],
      jitter: ScriptedJitter(seed: 104, deviation: Meters(0.006)), subject: "s04",
      phases: [
        ScriptedPhase(.standing, seconds: 2),
        ScriptedPhase(.allFours, seconds: 3, entry: way(1.5)),
        ScriptedPhase(.forearm, seconds: 4, entry: way(1)),
        ScriptedPhase(.sideLeft, seconds: 4, entry: way(1.5)),
        ScriptedPhase(.high, seconds: 3, entry: way(1.5)),
        ScriptedPhase(.sideRight, seconds: 3.5, entry: way(1.5)),
        ScriptedPhase(.reverse, seconds: 3.5, entry: way(1.5)),
        ScriptedPhase(.reverse, seconds: 2.5, hipCentimeters: -7, entry: way(1)),
        ScriptedPhase(.standing, seconds: 1.5, entry: way(1.5)),
      ])
    let camera = ScriptedCamera(.front, .portrait, .upright, azimuth: Degrees(60))
    return Sequence(
      "s04-pelvis", session, session.pelvisRecording(camera, matrixDecimals: 6), split: "test",
      tags: ["view": "oblique", "noise_mm": "6"])
  }

  /// A clip that was cut out of a hold, in world axes and with its own joint order.
  static var clip: Sequence {
    let session = ScriptedSession(
      ScriptedBody(stature: Meters(1.7)), rate: Hertz(30),
      dropouts: [ScriptedDropout(from: 4.2, to: 4.6)],
      jitter: ScriptedJitter(seed: 105, deviation: Meters(0.005)), subject: "s05",
      phases: [
        ScriptedPhase(.forearm, seconds: 3),
        ScriptedPhase(.forearm, seconds: 2, hipCentimeters: -7, entry: way(0.8)),
        ScriptedPhase(.high, seconds: 2, hipCentimeters: 8, entry: way(1)),
      ])
    return Sequence(
      "s05-clip", session,
      session.worldRecording(joints: Skeleton.vision3d.joints.reversed()), split: "test",
      startsMid: true, tags: ["view": "world", "noise_mm": "5"])
  }

  /// The first person again, with the phone upside down before the head.
  static var upsideDown: Sequence {
    let session = ScriptedSession(
      ScriptedBody(stature: Meters(1.62)), rate: Hertz(15),
      dropouts: [ScriptedDropout(from: 5, to: 5.2), ScriptedDropout(from: 7, to: 7.8)],
      jitter: ScriptedJitter(seed: 106, deviation: Meters(0.007)), subject: "s01",
      phases: [
        ScriptedPhase(.standing, seconds: 1),
        ScriptedPhase(.high, seconds: 3, entry: way(1.4)),
        ScriptedPhase(.sideLeft, seconds: 3, entry: way(1.4)),
        ScriptedPhase(.allFours, seconds: 1.4, entry: way(1.2)),
      ])
    let camera = ScriptedCamera(
      .front, .portraitUpsideDown, .fixed, azimuth: Degrees(100))
    return Sequence(
      "s01-upside-down", session, session.recording(camera), split: "tune",
      tags: ["view": "front", "noise_mm": "7"])
  }
}
