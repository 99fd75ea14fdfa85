import PlankDetection
import PoseModel

/// Says which plank a camera sees, on the queue or in the actor that delivers the frames.
nonisolated struct PlankWatcher {
  private let request = VNDetectHumanBodyPose3DRequest()
  private var detector: PlankDetector

  init() throws {
    detector = try PlankDetector(
      .coach,
      smoothing: SmoothingStrategy(text: "ema:cutoff=1.06Hz@joints"),
      debounce: DebounceStrategy(
        text: "dwell:enter=0.3s,switch=0.3s,exit=0.3s@plank"
          + "+bands:coach_sag_angle=2deg,coach_pike_angle=2deg"))
  }

  /// One answer per frame: `plank`, `form` and the `grade` of the body angle.
  mutating func answer(
    to buffer: CVPixelBuffer, up: Vector3, at seconds: Double
  ) throws -> DetectorAnswer {
    try VNImageRequestHandler(cvPixelBuffer: buffer).perform([request])
    let frame = PoseFrame(request.results?.first, up: up, time: Seconds(seconds))
    return try detector.update(frame)
  }
}
