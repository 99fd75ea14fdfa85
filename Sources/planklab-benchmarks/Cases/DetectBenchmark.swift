import PlankDetection
import PoseModel

/// Measuring and classifying a recording, by the batch and by the streaming detector.
struct DetectBenchmark {
  /// The recording.
  let recording: Recording
  /// The detector.
  let detector: BatchDetector

  /// Measures every frame; the checksum is over what the rules mention.
  func measure() -> UInt64 {
    let columns = detector.measure(recording)
    var sum = Checksum()
    for measurement in columns.measurements.members {
      for value in columns[measurement] { sum.add(value) }
    }
    return sum.value
  }

  /// Classifies every frame from its measurements.
  func classify(_ columns: MeasurementColumns) -> UInt64 {
    checksum(detector.detect(columns, times: recording.times, startsMid: false))
  }

  /// Measures and classifies every frame, one at a time, as an app does.
  func stream() throws -> UInt64 {
    var detector = try PlankDetector(detector.definition, parameters: detector.parameters)
    var pose = Pose()
    var sum = Checksum()
    let axesReader = AxesReader(recording.header)
    for frame in 0..<recording.frameCount {
      guard let axes = axesReader.axes(at: frame, of: recording) else { continue }
      pose.load(recording, frame: frame)
      let answer = detector.update(
        PoseFrame(
          time: Seconds(recording.times[frame]), pose: pose, axes: axes,
          bodyHeight: recording.bodyHeight(at: frame)))
      sum.add(UInt64(answer.plank.rawValue) << 8 | UInt64(answer.form.rawValue))
    }
    return sum.value
  }

  /// The checksum of answers, equal for both detectors.
  private func checksum(_ answers: DetectionColumns) -> UInt64 {
    var sum = Checksum()
    for frame in answers.plank.answers.indices {
      sum.add(UInt64(answers.plank.answers[frame]) << 8 | UInt64(answers.form.answers[frame]))
    }
    return sum.value
  }
}
