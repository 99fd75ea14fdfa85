import PlankDetection
import PoseModel

/// Says which plank a camera sees, on the queue or in the actor that delivers the frames.
nonisolated struct PlankWatcher {
  private let request = VNDetectHumanBodyPose3DRequest()
  private var detector: PlankDetector

  init() throws {
    detector = try PlankDetector(
      .coach,
      debounce: DebounceStrategy(
        text: "dwell:enter=0.1s,switch=0.1s,exit=0.2s@plank"
          + "+bands:coach_sag_angle=4deg,coach_pike_angle=4deg"))
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
