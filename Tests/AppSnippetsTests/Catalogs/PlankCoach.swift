import PlankDetection
import PoseModel

/// What a screen says during a live session.
nonisolated struct PlankCoach {
  private var detector: PlankDetector
  private var session = SessionTracker()

  init() throws {
    detector = try PlankDetector(
      .coach,
      debounce: DebounceStrategy(
        text: "dwell:enter=0.1s,switch=0.1s,exit=0.2s@plank"
          + "+bands:coach_sag_angle=4deg,coach_pike_angle=4deg"))
  }

  /// Takes in what Vision found: joints relative to the pelvis, and the camera's matrix.
  mutating func see(
    _ pose: Pose?, camera: CameraMatrix?, up: Vector3, at time: Seconds
  ) throws -> String {
    let axes = FrameAxes(up: up, frame: .pelvis, rotation: camera?.rotation)
    let frame = PoseFrame(time: time, pose: camera == nil ? nil : pose, axes: axes)
    let answer = try detector.update(frame)
    return switch try session.update(SessionFrame(time: time, answer: answer)) {
    case .idle: "Get into a plank."
    case .active: answer.form == .aligned ? "Hold it." : "Your hips: \(answer.form.name)."
    case .paused(let pause): "Paused until \(pause.deadline)."
    case .ended: "You held a plank for \(session.completedActive)."
    }
  }
}
