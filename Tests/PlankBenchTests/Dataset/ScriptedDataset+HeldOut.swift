import PoseModel
import TestSupport

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
