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
    return try recording.poseFrames.map { try detector.update($0) }
  }

  /// Every measurement of a recording.
  static func measure(
    _ recording: Recording, _ reading: AxisReading = .gravity
  ) -> MeasurementColumns {
    MeasurementColumns(recording, .all, reading: reading)
  }
}
