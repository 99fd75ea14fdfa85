import PlankDetection
import PoseModel

/// A detector with the three stages: smoothing, debounce, and a session with a running timer.
nonisolated struct SteadyCoach {
  private var detector: PlankDetector
  private var session = SessionLog(reservedFrames: 30 * 600)

  init() throws {
    detector = try PlankDetector(
      .coach,
      debounce: DebounceStrategy(
        text: "dwell:enter=0.1s,switch=0.1s,exit=0.2s@plank"
          + "+bands:coach_sag_angle=4deg,coach_pike_angle=4deg"))
  }

  /// What the screen shows after a frame.
  mutating func see(_ frame: PoseFrame) throws -> String {
    let answer = try detector.update(frame)
    try session.append(SessionFrame(time: frame.time, answer: answer))
    let seconds = Int(session.activeTime(at: frame.time).value)
    let score = session.score(at: frame.time).timeWeighted.map { Int($0.rounded()) }
    return "\(answer.plank.name), \(answer.form.name): \(seconds) s"
      + (score.map { ", \($0) points" } ?? "")
  }

  /// The session's result; it is `Codable`.
  func result(finishedAt time: Seconds) -> SessionSummary { session.summary(finishedAt: time) }
}
