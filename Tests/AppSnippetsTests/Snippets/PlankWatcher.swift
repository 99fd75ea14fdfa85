import PlankDetection
import PoseModel

/// Says which plank a camera sees, on the queue or in the actor that delivers the frames.
nonisolated struct PlankWatcher {
  private let request = VNDetectHumanBodyPose3DRequest()
  private var detector: PlankDetector
  private var hold: CalibrationHold?

  /// `calibration` is the person's stored one, if any.
  init(calibration: Calibration? = nil) throws {
    detector = try PlankDetector(
      .coach,
      debounce: DebounceStrategy(
        text: "dwell:enter=0.1s,switch=0.1s,exit=0.2s@plank"
          + "+bands:coach_sag_angle=4deg,coach_pike_angle=4deg"),
      calibration: calibration)
  }

  /// The person's calibration, to be stored.
  var calibration: Calibration? { detector.calibration }

  /// Why the last hold was refused; the next frame begins another.
  private(set) var refusal: String?

  /// Learns from two seconds of a plank that a person confirmed to be straight.
  mutating func calibrate() throws { hold = try CalibrationHold(of: detector.definition) }

  /// One answer per frame: `plank`, `form` and the `grade` of the body angle.
  mutating func answer(
    to buffer: CVPixelBuffer, up: Vector3, at seconds: Double
  ) throws -> DetectorAnswer {
    try VNImageRequestHandler(cvPixelBuffer: buffer).perform([request])
    let frame = PoseFrame(request.results?.first, up: up, time: Seconds(seconds))
    let answer = try detector.update(frame)
    do {
      if let found = try hold?.update(answer, of: detector, at: frame.time) {
        (hold, refusal) = (nil, nil)
        try detector.calibrate(found)
      }
    } catch { refusal = "\(error)" }
    return answer
  }
}
