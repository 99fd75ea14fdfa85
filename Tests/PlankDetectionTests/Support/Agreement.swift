import PlankDetection
import PoseModel
import Testing

/// How far apart the results for what should be the same body may be.
enum Agreement {
  /// The largest allowed difference: 1e-5 m and its like for ratios, 1e-3 degrees.
  static func tolerance(_ unit: MeasurementUnit) -> Float { unit == .degrees ? 1e-3 : 1e-5 }

  /// Expects two sets of columns to agree within tolerance, undefined values included.
  ///
  /// The roll of a trunk that points straight up has no meaning: its sine and cosine are both
  /// near zero and rounding decides. It is compared only where the body is not upright.
  ///
  /// - Parameter factor: the factor on lengths of the second body.
  static func expect(
    _ first: MeasurementColumns, _ second: MeasurementColumns, factor: Float = 1,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for measurement in Measurement.builtIn {
      let scale = measurement.unit == .meters ? factor : 1
      let apart = (0..<first.frameCount).first { frame in
        if measurement == .trunkRoll, isUpright(first, frame) { return false }
        let left = first.value(of: measurement, at: frame)
        let right = second.value(of: measurement, at: frame).map { $0 / scale }
        return !agree(left, right, tolerance(measurement.unit))
      }
      #expect(apart == nil, "\(measurement) at this frame", sourceLocation: sourceLocation)
    }
  }

  /// Expects raw labels to differ only beside a threshold, and answers nowhere before that.
  static func expectLabels(
    _ definition: DetectorDefinition, _ first: DetectionColumns, _ second: DetectionColumns,
    _ columns: MeasurementColumns, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for stream in AnswerStream.allCases {
      let raw = zip(first[stream].raw, second[stream].raw)
      let moved = raw.enumerated().filter { $0.element.0 != $0.element.1 }.map(\.offset)
      for frame in moved {
        #expect(
          try isBesideThreshold(definition, stream, columns, frame),
          "\(stream) at frame \(frame)", sourceLocation: sourceLocation)
      }
      let same = moved.first ?? first[stream].raw.count
      #expect(
        first[stream].answers.prefix(same) == second[stream].answers.prefix(same),
        sourceLocation: sourceLocation)
    }
  }

  /// Whether two values are both undefined or near each other; angles may wrap around.
  private static func agree(_ left: Float?, _ right: Float?, _ limit: Float) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    let difference = abs(left - right)
    return difference <= limit || abs(difference - 360) <= limit
  }

  private static func isUpright(_ columns: MeasurementColumns, _ frame: Int) -> Bool {
    (columns.value(of: .verticalRatio, at: frame) ?? 0) > 0.9
  }

  private static func isBesideThreshold(
    _ definition: DetectorDefinition, _ stream: AnswerStream, _ columns: MeasurementColumns,
    _ frame: Int
  ) throws -> Bool {
    let traces = try definition.list(stream).trace(
      definition.defaults, columns, at: frame)
    return traces.flatMap(\.steps).contains { step in
      abs(step.margin ?? .infinity) <= tolerance(step.predicate.measurement.unit)
    }
  }
}
