internal import PoseModel

/// Measures frames: the one path that the streaming and the batch detector share.
struct FrameMeasurer: Sendable {
  /// What is measured.
  let measurements: [Measurement]
  /// Which direction counts as vertical.
  let reading: AxisReading
  private let needs: [MeasurementNeeds]

  /// Makes a measurer.
  init(measurements: [Measurement], reading: AxisReading) {
    self.measurements = measurements
    self.reading = reading
    needs = measurements.map(\.needs)
  }

  /// Writes one frame's measurements, as `MeasuredValue` stores them, at their raw values.
  ///
  /// - Parameter values: `Measurement.count` numbers; others than `measurements` are left alone.
  func measure(
    _ joints: JointReader, axes: FrameAxes, bodyHeight: Double?,
    into values: UnsafeMutablePointer<Float>
  ) {
    let body = BodyGeometry(joints: joints, axes: axes, reading: reading, bodyHeight: bodyHeight)
    for (index, measurement) in measurements.enumerated() {
      let value = Float(body.value(of: measurement))
      values[Int(measurement.rawValue)] =
        value.isFinite ? value : absence(needs[index], joints, axes, bodyHeight).stored
    }
  }

  /// Smooths a frame's joints, measures them, and smooths the measurements that have a value.
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

  /// Writes every measurement as missing: those of a frame that has no pose.
  func clear(_ values: UnsafeMutablePointer<Float>) {
    for measurement in measurements { values[Int(measurement.rawValue)] = .nan }
  }

  /// Why a measurement of a frame has no value.
  private func absence(
    _ needs: MeasurementNeeds, _ joints: JointReader, _ axes: FrameAxes, _ bodyHeight: Double?
  ) -> MeasuredValue {
    let isComplete = needs.areMet(by: joints, bodyHeight: bodyHeight ?? .nan)
    return isComplete && axes.up.isFinite ? .inapplicable : .missing
  }
}

/// One frame's joints as vectors in the axes of evaluation.
///
/// A missing or non-finite joint reads as NaN, which runs through every formula and comes out as
/// a measurement without a value.
struct JointReader {
  private enum Source {
    case recorded(UnsafePointer<Float>, offsets: UnsafePointer<Int>, rotation: Rotation3?)
    case smoothed(UnsafePointer<Double>)
  }

  private let source: Source

  /// Reads from one frame of three numbers a joint; `offsets` is `JointLayout.offsets`.
  init(
    positions: UnsafePointer<Float>, offsets: UnsafePointer<Int>, rotation: Rotation3?
  ) {
    source = .recorded(positions, offsets: offsets, rotation: rotation)
  }

  /// Reads from three numbers a joint in the order of `Joint.allCases`, turned already.
  init(smoothed positions: UnsafePointer<Double>) { source = .smoothed(positions) }

  /// A joint's position in meters, NaN where it is missing.
  subscript(joint: Joint) -> Vector3 {
    let missing = Vector3(.nan, .nan, .nan)
    switch source {
    case .recorded(let positions, let offsets, let rotation):
      let offset = offsets[joint.index]
      guard offset >= 0 else { return missing }
      let start = positions + offset
      let position = Vector3(Double(start[0]), Double(start[1]), Double(start[2]))
      guard position.isFinite else { return missing }
      return rotation?(position) ?? position
    case .smoothed(let positions):
      let start = positions + 3 * joint.index
      let position = Vector3(start[0], start[1], start[2])
      return position.isFinite ? position : missing
    }
  }

  /// The lowest height of a present joint along a direction; NaN where there is no joint.
  func lowest(along up: Vector3) -> Double {
    var lowest = Double.nan
    for joint in Joint.allCases {
      let height = self[joint].dot(up)
      if !(lowest <= height), height.isFinite { lowest = height }
    }
    return lowest
  }
}
