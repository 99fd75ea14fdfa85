internal import PoseModel

/// Measures frames; shared by the streaming and the batch detector.
///
/// It keeps the memory of smoothing and of the windows of expressions. Measurements are in the
/// order of `measurements`.
struct FrameMeasurer: Sendable {
  private let plan: MeasuringPlan
  private var joints: JointSmoother
  private var windows: [ExpressionWindow]
  private var smoother: MeasurementSmoother

  /// Makes a measurer at the start of a sequence.
  init(_ measurements: MeasurementSet, reading: AxisReading, smoothing: SmoothingStrategy) {
    plan = MeasuringPlan(measurements, reading)
    joints = JointSmoother(smoothing)
    windows = plan.windows.map { ExpressionWindow($0) }
    smoother = MeasurementSmoother(smoothing, measurements.members)
  }

  /// The measurements.
  var measurements: MeasurementSet { plan.measurements }

  /// Smooths a frame's joints, measures them, and smooths the measurements that have a value.
  ///
  /// - Parameter values: one number per measurement, in the form of `MeasuredValue.stored`.
  mutating func measure(
    _ reader: JointReader, axes: FrameAxes, bodyHeight: Double?, at time: Double,
    into values: UnsafeMutablePointer<Float>
  ) {
    Self.measure(
      plan, reader, axes, bodyHeight, time, joints: &joints, windows: &windows, into: values)
    if !smoother.isEmpty { smoother.smooth(values, at: time) }
  }

  /// Writes every measurement as missing, for a frame that has no pose.
  func clear(_ values: UnsafeMutablePointer<Float>) {
    for index in measurements.members.indices { values[index] = .nan }
  }

  /// Forgets the past.
  mutating func reset() {
    joints.reset()
    smoother.reset()
    for index in windows.indices { windows[index].reset() }
  }

  private static func measure(
    _ plan: MeasuringPlan, _ reader: JointReader, _ axes: FrameAxes, _ bodyHeight: Double?,
    _ time: Double, joints: inout JointSmoother, windows: inout [ExpressionWindow],
    into values: UnsafeMutablePointer<Float>
  ) {
    guard !joints.isEmpty else {
      return plan.measure(reader, axes, bodyHeight, at: time, &windows, into: values)
    }
    joints.smooth(reader, at: time) { smoothed in
      plan.measure(smoothed, axes, bodyHeight, at: time, &windows, into: values)
    }
  }
}

/// What to measure, worked out once.
private struct MeasuringPlan: Sendable {
  private enum Step {
    case formula(Formula)
    case program(ExpressionProgram, firstWindow: Int)
  }

  /// The measurements.
  let measurements: MeasurementSet
  /// The windows of all expressions.
  private(set) var windows: [ExpressionWindow.Settings] = []
  private let reading: AxisReading
  private var steps: [Step] = []

  init(_ measurements: MeasurementSet, _ reading: AxisReading) {
    self.measurements = measurements
    self.reading = reading
    for measurement in measurements.members {
      switch measurement.source {
      case .formula(let formula): steps.append(.formula(formula))
      case .program(let program):
        steps.append(.program(program, firstWindow: windows.count))
        windows += program.windows
      }
    }
  }

  /// Writes one frame's measurements in the form of `MeasuredValue.stored`.
  func measure(
    _ joints: JointReader, _ axes: FrameAxes, _ bodyHeight: Double?, at time: Double,
    _ memory: inout [ExpressionWindow], into values: UnsafeMutablePointer<Float>
  ) {
    let body = BodyGeometry(joints: joints, axes: axes, reading: reading, bodyHeight: bodyHeight)
    for index in steps.indices {
      let number: Double
      switch steps[index] {
      case .formula(let formula): number = body.value(of: formula)
      case .program(let program, let first):
        number = program.value(body, &memory, from: first, at: time)
      }
      let value = Float(number)
      values[index] = value.isFinite ? value : absence(index, body).stored
    }
  }

  /// Why a measurement of a frame has no value.
  private func absence(_ index: Int, _ body: BodyGeometry) -> MeasuredValue {
    let needs = measurements.members[index].needs
    let isComplete = needs.areMet(by: body.joints, bodyHeight: body.bodyHeight)
    return isComplete && body.up.isFinite ? .inapplicable : .missing
  }
}

/// One frame's joints as vectors in the axes of evaluation.
///
/// A missing or non-finite joint reads as NaN, which propagates through every formula and comes out
/// as a measurement without a value.
struct JointReader {
  private enum Source {
    case recorded(UnsafePointer<Float>, offsets: UnsafePointer<Int>, rotation: Rotation3?)
    case smoothed(UnsafePointer<Double>)
  }

  private let source: Source

  /// Reads a frame of three numbers per joint; `offsets` is `JointLayout.offsets`.
  init(
    positions: UnsafePointer<Float>, offsets: UnsafePointer<Int>, rotation: Rotation3?
  ) {
    source = .recorded(positions, offsets: offsets, rotation: rotation)
  }

  /// Reads three numbers per joint in the order of `Joint.allCases`, already turned.
  init(smoothed positions: UnsafePointer<Double>) { source = .smoothed(positions) }

  /// A joint's position in meters, NaN if it is missing.
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

  /// The lowest height of any present joint along a direction; NaN without joints.
  func lowest(along up: Vector3) -> Double {
    var lowest = Double.nan
    for joint in Joint.allCases {
      let height = self[joint].dot(up)
      if !(lowest <= height), height.isFinite { lowest = height }
    }
    return lowest
  }
}
