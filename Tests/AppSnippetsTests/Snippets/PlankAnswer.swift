import PlankDetection
import PoseModel

/// A detector for one person, whose stored calibration it uses.
nonisolated func plankDetector(for calibration: Calibration? = nil) throws -> PlankDetector {
  let debounce = try DebounceStrategy(
    text: "dwell:enter=0.1s,switch=0.1s,exit=0.2s@plank"
      + "+bands:coach_sag_angle=4deg,coach_pike_angle=4deg")
  return try PlankDetector(.coach, debounce: debounce, calibration: calibration)
}

extension PlankDetector {
  /// The answer to a camera frame: `plank`, `form` and the `grade` of the body angle.
  nonisolated mutating func answer(
    to buffer: CVPixelBuffer, up: Vector3, at seconds: Double
  ) throws -> DetectorAnswer {
    let request = VNDetectHumanBodyPose3DRequest()
    try VNImageRequestHandler(cvPixelBuffer: buffer).perform([request])
    return try update(PoseFrame(request.results?.first, up: up, time: Seconds(seconds)))
  }
}
