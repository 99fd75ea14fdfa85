import PlankDetection
import PoseModel

/// Runs detectors over recordings both ways.
enum Replay {
  /// The batch detector's answers.
  static func batch(
    _ recording: Recording, _ definition: DetectorDefinition, _ parameters: ParameterValues? = nil,
    startsMid: Bool = false
  ) throws -> DetectionColumns {
    let detector = try BatchDetector(definition, parameters: parameters)
    return detector.detect(
      detector.measure(recording), times: recording.times, startsMid: startsMid)
  }

  /// The streaming detector's answers, one frame after the other.
  static func stream(
    _ recording: Recording, _ definition: DetectorDefinition, _ parameters: ParameterValues? = nil,
    startsMid: Bool = false
  ) throws -> [DetectorAnswer] {
    var detector = try PlankDetector(
      definition, parameters: parameters, startsMid: startsMid)
    return (0..<recording.frameCount).map { detector.update(frame($0, of: recording)) }
  }

  /// A frame as an app would hand it over.
  static func frame(_ index: Int, of recording: Recording) -> PoseFrame {
    var pose: Pose?
    let axes = recording.axes(at: index)
    if axes != nil {
      var loaded = Pose()
      loaded.load(recording, frame: index)
      pose = loaded
    }
    return PoseFrame(
      time: Seconds(recording.times[index]), pose: pose, axes: axes ?? FrameAxes(up: .unitY),
      bodyHeight: recording.bodyHeight(at: index))
  }

  /// Every measurement of a recording.
  static func measure(
    _ recording: Recording, _ reading: AxisReading = .gravity
  ) -> MeasurementColumns {
    MeasurementColumns(recording, .all, reading: reading)
  }
}
