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
  /// Image points have no value for a detector of 3D positions, nor the other way round.
  ///
  /// - Parameter values: one number per measurement, in the form of `MeasuredValue.stored`.
  mutating func measure(
    _ reader: JointReader, axes: FrameAxes, bodyHeight: Double?, at time: Double,
    into values: UnsafeMutablePointer<Float>
  ) {
    guard plan.isOfImages == (axes.image != nil) else { return clear(values) }
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
    /// Some instructions of the program.
    case program(Range<Int>)
    /// A measurement that these axes do not have.
    case nothing
  }

  /// The measurements.
  let measurements: MeasurementSet
  private let reading: AxisReading
  private let needs: [MeasurementNeeds]
  private var steps: [Step] = []
  /// The instructions of all expressions, one after the other.
  private var program = ExpressionProgram()

  init(_ measurements: MeasurementSet, _ reading: AxisReading) {
    self.measurements = measurements
    self.reading = reading
    needs = measurements.members.map { $0.needs }
    for measurement in measurements.members {
      guard measurement.suits(reading) else {
        steps.append(.nothing)
        continue
      }
      switch measurement.source {
      case .formula(let formula): steps.append(.formula(formula))
      case .program(let own): steps.append(.program(program.append(own)))
      }
    }
  }

  /// The windows of all expressions.
  var windows: [ExpressionWindow.Settings] { program.windows }

  /// Whether image points are measured, not 3D positions.
  var isOfImages: Bool { reading.isImage }

  /// Writes one frame's measurements in the form of `MeasuredValue.stored`.
  func measure(
    _ frame: JointReader, _ axes: FrameAxes, _ bodyHeight: Double?, at time: Double,
    _ memory: inout [ExpressionWindow], into values: UnsafeMutablePointer<Float>
  ) {
    BodyJoints.withJoints(of: frame) { joints in
      let body = BodyGeometry(joints: joints, axes: axes, reading: reading, bodyHeight: bodyHeight)
      ExpressionStack.withStack { stack in
        for index in steps.indices {
          let number: Double
          switch steps[index] {
          case .formula(let formula): number = body.value(of: formula)
          case .program(let own): number = program.value(own, of: body, &stack, &memory, at: time)
          case .nothing:
            values[index] = .nan
            continue
          }
          let value = Float(number)
          values[index] = value.isFinite ? value : absence(needs[index], body).stored
        }
      }
    }
  }

  /// Why a measurement with some needs has no value.
  private func absence(_ needs: MeasurementNeeds, _ body: BodyGeometry) -> MeasuredValue {
    let isComplete = needs.areMet(by: body.joints, bodyHeight: body.bodyHeight)
    return isComplete && body.up.isFinite ? .inapplicable : .missing
  }
}

/// One frame's numbers, and how they come into the axes of evaluation.
struct JointReader {
  private enum Source {
    case recorded(UnsafePointer<Float>)
    /// Three `Double` of every joint, so many bytes from one joint to the next.
    case smoothed(UnsafeRawPointer, stride: Int)
  }

  /// Whether the joints are points of an image.
  var isOfImage: Bool { image != nil }
  private var source: Source
  private let offsets: UnsafePointer<Int>
  private let dimension: Int
  private let confidences: UnsafePointer<Float>?
  private let rotation: Rotation3?
  private let image: ImageScale?

  /// Reads a recorded frame.
  ///
  /// - Parameters:
  ///   - positions: the frame's numbers.
  ///   - offsets: `JointLayout.offsets` of these numbers.
  ///   - dimension: how many numbers a joint has, 2 or 3.
  ///   - confidences: one number per joint in the same order, NaN for none; nil if there are none.
  ///   - axes: the frame's axes.
  init(
    positions: UnsafePointer<Float>, offsets: UnsafePointer<Int>, dimension: Int,
    confidences: UnsafePointer<Float>?, axes: FrameAxes
  ) {
    source = .recorded(positions)
    self.offsets = offsets
    self.dimension = dimension
    self.confidences = confidences
    rotation = axes.rotation
    image = axes.image
  }

  /// The same frame with other positions: three numbers per joint in the order of `Joint.allCases`,
  /// in the axes of evaluation.
  func replacing(by smoothed: UnsafePointer<Double>) -> JointReader {
    var reader = self
    reader.source = .smoothed(smoothed, stride: 3 * MemoryLayout<Double>.stride)
    return reader
  }

  /// The same frame with other positions in the form in which `write` puts them.
  func replacing(by smoothed: UnsafePointer<Lanes>) -> JointReader {
    var reader = self
    reader.source = .smoothed(smoothed, stride: MemoryLayout<Lanes>.stride)
    return reader
  }

  /// Writes the positions of all joints in the order of `Joint.allCases`, NaN if missing.
  func write(to blocks: UnsafeMutablePointer<Lanes>) {
    for index in 0..<Joint.count {
      let isAbsent = offsets[index] < 0
      blocks[index] = isAbsent ? Lanes(repeating: .nan) : Lanes(position(at: index))
    }
  }

  /// The position of the joint with an index, NaN if it is missing.
  @inline(__always) func position(at index: Int) -> Vector3 {
    let position: Vector3
    switch source {
    case .recorded(let positions):
      let offset = offsets[index]
      guard offset >= 0 else { return BodyGeometry.nowhere }
      let start = positions + offset
      let depth = dimension == 3 ? Double(start[2]) : 0
      let number = Vector3(Double(start[0]), Double(start[1]), depth)
      position = image.map { $0(number) } ?? rotation?(number) ?? number
    case .smoothed(let positions, let stride):
      let start = positions + stride * index
      let width = MemoryLayout<Double>.stride
      position = Vector3(
        start.load(as: Double.self), start.load(fromByteOffset: width, as: Double.self),
        start.load(fromByteOffset: 2 * width, as: Double.self))
    }
    return position.isFinite ? position : BodyGeometry.nowhere
  }

  /// How sure the estimator was of a joint, 0 for a missing one; NaN if it did not say.
  func confidence(of joint: Joint) -> Double {
    let offset = offsets[joint.index]
    guard let confidences, offset >= 0 else { return .nan }
    return Double(confidences[offset / dimension])
  }
}

/// One frame's joints as vectors in the axes of evaluation.
///
/// A missing or non-finite joint reads as NaN, which propagates through every formula and comes out
/// as a measurement without a value. In image points, the middle of the shoulders stands for
/// `centerShoulder`, and that of the hips for a missing root.
struct BodyJoints {
  private let frame: JointReader
  private let positions: UnsafePointer<Vector3>
  /// The joints that are there, one bit each by `Joint.index`.
  private var found: UInt32 = 0

  /// Calls a body with a frame's joints, which are read once.
  @inline(__always) static func withJoints(of frame: JointReader, _ body: (BodyJoints) -> Void) {
    withUnsafeTemporaryAllocation(of: Vector3.self, capacity: Joint.count) { positions in
      guard let first = positions.baseAddress else { return }
      body(BodyJoints(frame, first))
    }
  }

  private init(_ frame: JointReader, _ positions: UnsafeMutablePointer<Vector3>) {
    self.frame = frame
    self.positions = UnsafePointer(positions)
    for index in 0..<Joint.count {
      let position = frame.position(at: index)
      (positions + index).initialize(to: position)
      if position.isFinite { found |= 1 << UInt32(index) }
    }
    guard frame.isOfImage else { return }
    complete(.centerShoulder, by: .shoulders, positions)
    complete(.root, by: .hips, positions)
  }

  /// Puts a joint between a pair if it is missing.
  private mutating func complete(
    _ joint: Joint, by pair: JointPair, _ positions: UnsafeMutablePointer<Vector3>
  ) {
    let middle = self[pair]
    guard !self[joint].isFinite, middle.isFinite else { return }
    positions[joint.index] = middle
    found |= 1 << UInt32(joint.index)
  }

  /// A joint's position in meters or image heights, NaN if it is missing.
  subscript(joint: Joint) -> Vector3 { positions[joint.index] }

  /// The point midway between two joints or, if one is missing, the other one.
  subscript(pair: JointPair) -> Vector3 {
    let (left, right) = (self[pair.joints.left], self[pair.joints.right])
    if !left.isFinite { return right }
    return right.isFinite ? left.midpoint(right) : left
  }

  /// Whether all joints of a set are there, one bit each by `Joint.index`.
  func contains(_ joints: UInt32) -> Bool { joints & ~found == 0 }

  /// How sure the estimator was of a joint, 0 for a missing one; NaN if it did not say.
  func confidence(of joint: Joint) -> Double { frame.confidence(of: joint) }

  /// The larger confidence of a pair; NaN if neither joint has one.
  func confidence(of pair: JointPair) -> Double {
    let left = confidence(of: pair.joints.left)
    let right = confidence(of: pair.joints.right)
    if left.isNaN { return right }
    return right.isNaN ? left : max(left, right)
  }

  /// The lowest height of any present joint along a direction; NaN without joints.
  func lowest(along up: Vector3) -> Double {
    var lowest = Double.nan
    for index in 0..<Joint.count {
      let height = positions[index].dot(up)
      if !(lowest <= height), height.isFinite { lowest = height }
    }
    return lowest
  }
}
