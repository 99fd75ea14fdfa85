internal import PoseModel

/// Measures frames: the one path that the streaming and the batch detector share.
struct FrameMeasurer: Sendable {
  /// What is measured.
  let measurements: [Measurement]
  /// Which direction counts as vertical.
  let reading: AxisReading

  /// Writes one frame's measurements, NaN where undefined, at their raw values.
  ///
  /// - Parameter values: `Measurement.count` numbers; others than `measurements` are left alone.
  func measure(
    _ joints: JointReader, axes: FrameAxes, bodyHeight: Double?,
    into values: UnsafeMutablePointer<Float>
  ) {
    let body = BodyGeometry(joints: joints, axes: axes, reading: reading, bodyHeight: bodyHeight)
    for measurement in measurements {
      let value = Float(body.value(of: measurement))
      values[Int(measurement.rawValue)] = value.isFinite ? value : .nan
    }
  }

  /// Smooths a frame's joints, measures them, and smooths the measurements.
  func measure(
    _ joints: JointReader, axes: FrameAxes, bodyHeight: Double?, at time: Double,
    _ jointSmoother: inout JointSmoother, _ measurementSmoother: inout MeasurementSmoother,
    into values: UnsafeMutablePointer<Float>
  ) {
    if jointSmoother.isEmpty {
      measure(joints, axes: axes, bodyHeight: bodyHeight, into: values)
    } else {
      jointSmoother.smooth(joints, at: time) { smoothed in
        measure(smoothed, axes: axes, bodyHeight: bodyHeight, into: values)
      }
    }
    if !measurementSmoother.isEmpty { measurementSmoother.smooth(values, at: time) }
  }

  /// Writes NaN for every measurement of a frame that has no pose.
  func clear(_ values: UnsafeMutablePointer<Float>) {
    for measurement in measurements { values[Int(measurement.rawValue)] = .nan }
  }
}
