import PlankDetection
import PoseModel

/// A coach that learns from one hold how the camera sees a person.
nonisolated struct CalibratedCoach {
  private(set) var detector: PlankDetector

  /// Starts with what was stored after an earlier session; nil for a new person.
  init(calibration: Calibration? = nil) throws {
    detector = try PlankDetector(.coach, calibration: calibration)
  }

  /// Starts a hold of two seconds, once the person or a coach has confirmed a straight body.
  mutating func startHold() throws { try detector.startHold() }

  /// Takes in a frame; the result is what to say.
  mutating func see(_ frame: PoseFrame) throws -> String {
    let answer = try detector.update(frame)
    guard let hold = detector.hold else {
      return answer.form == .aligned ? "Good." : "\(answer.form.name)."
    }
    if hold.start == nil, let refusal = detector.refusal { return "Once more: \(refusal)." }
    return "Hold still for \(hold.remaining)."
  }
}
