internal import PoseModel

extension ScriptedSession {
  /// Postures one after the other, each held for some seconds, of somebody of a stature in meters.
  package init(
    _ postures: KeyValuePairs<ScriptedPosture, Double>, stature: Double = 1.75, rate: Double = 10,
    dropouts: [ScriptedDropout] = [], jitter: ScriptedJitter? = nil
  ) {
    self.init(
      ScriptedBody(stature: Meters(stature)), rate: Hertz(rate), dropouts: dropouts, jitter: jitter,
      phases: postures.map { ScriptedPhase($0.key, seconds: $0.value) })
  }
}
