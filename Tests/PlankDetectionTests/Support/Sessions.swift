import PoseModel
import TestSupport

/// Scripted sessions that several suites share.
enum Sessions {
  /// Every posture, both faults, lost poses and lost joints, with a little noise.
  static func full(
    stature: Double = 1.75, rate: Double = 15, deviation: Double = 0.002, seed: UInt64 = 1
  ) -> ScriptedSession {
    ScriptedSession(
      ScriptedBody(stature: Meters(stature)), rate: Hertz(rate),
      dropouts: [
        ScriptedDropout(from: 2.2, to: 2.5), ScriptedDropout(from: 6, to: 7.2),
        ScriptedDropout(from: 8.5, to: 8.9, of: [.leftWrist]),
        ScriptedDropout(from: 14.3, to: 15.1, of: [.root, .rightAnkle]),
      ],
      jitter: ScriptedJitter(seed: seed, deviation: Meters(deviation)),
      phases: [
        ScriptedPhase(.standing, seconds: 1),
        ScriptedPhase(.high, seconds: 2),
        ScriptedPhase(.forearm, seconds: 2),
        ScriptedPhase(.forearm, seconds: 1.2, hipCentimeters: -8),
        ScriptedPhase(
          .sideLeft, seconds: 1.2, entry: ScriptedTransition(Seconds(0.8), .linear)),
        // Not from side to side at once: on straight ways the hips would meet in the middle.
        ScriptedPhase(.high, seconds: 0.8),
        ScriptedPhase(.sideRight, seconds: 1.2),
        ScriptedPhase(.sideRight, seconds: 1, hipCentimeters: -9),
        ScriptedPhase(.reverse, seconds: 1.4, hipCentimeters: 8),
        ScriptedPhase(.allFours, seconds: 1, entry: ScriptedTransition(Seconds(0))),
      ])
  }
}
