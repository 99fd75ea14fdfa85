import PlankDetection
import PoseModel

/// A coach that learns from one hold how the camera sees a person.
nonisolated struct CalibratedCoach {
  private var detector: PlankDetector
  private var hold: CalibrationHold?

  /// Starts with what was kept of an earlier session; nil for a new person.
  init(calibration: Calibration? = nil) throws {
    detector = try PlankDetector(.coach, calibration: calibration)
  }

  /// What to keep for this person; it is `Codable`.
  var calibration: Calibration? { detector.calibration }

  /// Starts a hold of two seconds, once the person or a coach has confirmed a straight body.
  mutating func startHold() throws { hold = try CalibrationHold(of: detector.definition) }

  /// Takes in a frame; the result is what to say.
  mutating func see(_ frame: PoseFrame) throws -> String {
    let answer = try detector.update(frame)
    guard hold != nil else { return answer.form == .aligned ? "Good." : "\(answer.form.name)." }
    let found: Calibration?
    do {
      found = try hold?.update(answer, of: detector, at: frame.time)
    } catch {
      return "Once more: \(error)."
    }
    guard let found else { return "Hold still for \(hold?.remaining ?? Seconds(0))." }
    hold = nil
    try detector.calibrate(found)
    return "Calibrated."
  }
}
