internal import PoseModel

struct FrameMeasurer: Sendable {
  private let plan: MeasuringPlan
  private var joints: JointSmoother
  private var windows: [ExpressionWindow]
  private var smoother: MeasurementSmoother

  init(_ measurements: MeasurementSet, reading: AxisReading, smoothing: SmoothingStrategy) {
    plan = MeasuringPlan(measurements, reading)
    joints = JointSmoother(smoothing)
    windows = plan.windows.map { ExpressionWindow($0) }
    smoother = MeasurementSmoother(smoothing, measurements.members)
  }

  var measurements: MeasurementSet { plan.measurements }

  /// Writes one number per measurement to `values`, as `MeasuredValue.stored`.
  ///
  /// Image points give no values to a detector of 3D positions, and 3D positions give none to a
  /// detector of image points.
  mutating func measure(
    _ reader: JointReader, axes: FrameAxes, bodyHeight: Double?, at time: Double,
    into values: UnsafeMutablePointer<Float>
  ) {
    clear(values)
    FrameGroup<Double>.withGroup { frame in
      take(reader, axes: axes, bodyHeight: bodyHeight, at: time, to: 0, of: &frame)
      measure(&frame, into: values)
    }
  }

  mutating func take<Number>(
    _ reader: JointReader, axes: FrameAxes, bodyHeight: Double?, at time: Double,
    to place: Int, of group: inout FrameGroup<Number>
  ) {
    let reading = plan.reading
    guard reading.isImage == (axes.image != nil) else { return }
    guard !joints.isEmpty else {
      return group.set(place, reader, axes, reading, bodyHeight: bodyHeight, time: time)
    }
    joints.smooth(reader, at: time) { smoothed in
      group.set(place, smoothed, axes, reading, bodyHeight: bodyHeight, time: time)
    }
  }

  mutating func measure<Number>(
    _ group: inout FrameGroup<Number>, into rows: UnsafeMutablePointer<Float>
  ) {
    plan.measure(group, &windows, into: rows)
    if !smoother.isEmpty {
      let (count, times) = (measurements.members.count, group.times)
      for place in 0..<Number.scalarCount where group.contains(place) {
        smoother.smooth(rows + place * count, at: times[place])
      }
    }
    group.removeAll()
  }

  func clear(_ values: UnsafeMutablePointer<Float>) {
    for index in measurements.members.indices { values[index] = .nan }
  }
}

private struct MeasuringPlan: Sendable {
  private enum Step {
    case formula(Formula)
    case program(Range<Int>)
    case nothing
  }

  let measurements: MeasurementSet
  let reading: AxisReading
  private let needs: [MeasurementNeeds]
  private var steps: [Step] = []
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

  var windows: [ExpressionWindow.Settings] { program.windows }

  func measure<Number>(
    _ group: FrameGroup<Number>, _ memory: inout [ExpressionWindow],
    into rows: UnsafeMutablePointer<Float>
  ) {
    if reading.isImage { group.completeImages() }
    let body = BodyGeometry(group)
    ExpressionStack<Number>.withStack { stack in
      for index in steps.indices {
        switch steps[index] {
        case .formula(let formula): write(body.value(of: formula), of: index, group, rows)
        case .program(let own):
          write(program.value(own, of: body, &stack, &memory), of: index, group, rows)
        case .nothing: break
        }
      }
    }
  }

  private func write<Number>(
    _ numbers: Number, of index: Int, _ group: FrameGroup<Number>,
    _ rows: UnsafeMutablePointer<Float>
  ) {
    var isComplete: Number.Mask?
    for place in 0..<Number.scalarCount where group.contains(place) {
      var value = Float(numbers[place])
      if !value.isFinite {
        let mask = isComplete ?? needs[index].areMet(by: group) .& group.up.isFinite
        isComplete = mask
        value = (mask[place] ? MeasuredValue.inapplicable : .missing).stored
      }
      rows[place * steps.count + index] = value
    }
  }
}

struct JointReader {
  private static var nowhere: Vector3 { Vector3(.nan, .nan, .nan) }

  private enum Source {
    case recorded(UnsafePointer<Float>)
    case smoothed(UnsafeRawPointer, stride: Int)
  }

  private var source: Source
  private let offsets: UnsafePointer<Int>
  private let dimension: Int
  private let confidences: UnsafePointer<Float>?
  private let rotation: Rotation3?
  private let image: ImageScale?

  /// `offsets` are `JointLayout.offsets`; confidences are NaN if `confidences` is nil.
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

  mutating func replace(by smoothed: UnsafePointer<Double>) {
    source = .smoothed(smoothed, stride: 3 * MemoryLayout<Double>.stride)
  }

  func replacing(by smoothed: UnsafePointer<Lanes>) -> JointReader {
    var reader = self
    reader.source = .smoothed(smoothed, stride: MemoryLayout<Lanes>.stride)
    return reader
  }

  func write(to blocks: UnsafeMutablePointer<Lanes>) {
    for index in 0..<Joint.count {
      let isAbsent = offsets[index] < 0
      blocks[index] = isAbsent ? Lanes(repeating: .nan) : Lanes(position(at: index))
    }
  }

  @inline(__always) func position(at index: Int) -> Vector3 {
    let position: Vector3
    switch source {
    case .recorded(let positions):
      let offset = offsets[index]
      guard offset >= 0 else { return Self.nowhere }
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
    return position.isFinite ? position : Self.nowhere
  }

  /// 0 for a missing joint; NaN if the estimator gave no confidence.
  func confidence(of joint: Joint) -> Double {
    let offset = offsets[joint.index]
    guard let confidences, offset >= 0 else { return .nan }
    return Double(confidences[offset / dimension])
  }
}

/// One frame or several side by side, with joints in the axes of evaluation.
///
/// A missing or non-finite joint reads as NaN, which propagates through every formula. For image
/// points, the midpoint of the shoulders replaces `centerShoulder`, and the midpoint of the hips
/// replaces a missing root.
struct FrameGroup<Number: FrameNumber> {
  /// The places that hold a frame, one bit each; the contents of other places do not matter.
  private var taken: UInt32 = 0
  private let numbers: UnsafeMutablePointer<Number>

  // Three numbers per joint come first, by `Joint.index`; the other numbers start at these offsets.
  private static var upStart: Int { 3 * Joint.count }
  private static var heightAxisStart: Int { upStart + 3 }
  private static var verticalStart: Int { heightAxisStart + 3 }
  private static var bodyHeightStart: Int { verticalStart + 3 }
  private static var timeStart: Int { bodyHeightStart + 1 }
  private static var confidenceStart: Int { timeStart + 1 }
  private static var end: Int { confidenceStart + Joint.count }

  @inline(__always) static func withGroup(_ body: (inout FrameGroup) -> Void) {
    withUnsafeTemporaryAllocation(of: Number.self, capacity: end) { numbers in
      numbers.initialize(repeating: .nan)
      guard let first = numbers.baseAddress else { return }
      var group = FrameGroup(numbers: first)
      body(&group)
    }
  }

  private init(numbers: UnsafeMutablePointer<Number>) { self.numbers = numbers }

  func contains(_ place: Int) -> Bool { taken & 1 << UInt32(place) != 0 }

  mutating func removeAll() { taken = 0 }

  /// `bodyHeight` is in meters; nil means Vision's reference height for 3D positions and NaN for
  /// image points.
  mutating func set(
    _ place: Int, _ frame: JointReader, _ axes: FrameAxes, _ reading: AxisReading,
    bodyHeight: Double?, time: Double
  ) {
    for index in 0..<Joint.count { write(frame.position(at: index), to: 3 * index, place) }
    write(axes.up, to: Self.upStart, place)
    write(reading.height(axes), to: Self.heightAxisStart, place)
    write(reading.vertical(axes), to: Self.verticalStart, place)
    let height = bodyHeight ?? (axes.image == nil ? HeightEstimation.referenceHeight.value : .nan)
    write(height.isFinite && height > 0 ? height : .nan, to: Self.bodyHeightStart, place)
    write(time, to: Self.timeStart, place)
    taken |= 1 << UInt32(place)
    guard reading.isImage else { return }
    for joint in Joint.allCases {
      write(frame.confidence(of: joint), to: Self.confidenceStart + joint.index, place)
    }
  }

  func completeImages() {
    complete(.centerShoulder, by: .shoulders)
    complete(.root, by: .hips)
  }

  private func complete(_ joint: Joint, by pair: JointPair) {
    let (own, middle) = (self[joint], self[pair])
    let completed = own.replacing(with: middle, where: .!own.isFinite .& middle.isFinite)
    numbers[3 * joint.index] = completed.x
    numbers[3 * joint.index + 1] = completed.y
    numbers[3 * joint.index + 2] = completed.z
  }

  private func write(_ vector: Vector3, to start: Int, _ place: Int) {
    write(vector.x, to: start, place)
    write(vector.y, to: start + 1, place)
    write(vector.z, to: start + 2, place)
  }

  /// `Number` is laid out as consecutive `Double`s.
  @inline(__always) private func write(_ value: Double, to index: Int, _ place: Int) {
    UnsafeMutableRawPointer(numbers + index).storeBytes(
      of: value, toByteOffset: place * MemoryLayout<Double>.stride, as: Double.self)
  }

  private func vector(_ start: Int) -> FrameVector<Number> {
    FrameVector(numbers[start], numbers[start + 1], numbers[start + 2])
  }
}

extension FrameGroup {
  var up: FrameVector<Number> { vector(Self.upStart) }

  var heightAxis: FrameVector<Number> { vector(Self.heightAxisStart) }

  var vertical: FrameVector<Number> { vector(Self.verticalStart) }

  var bodyHeight: Number { numbers[Self.bodyHeightStart] }

  var times: Number { numbers[Self.timeStart] }

  /// In meters or image heights; NaN where the joint is missing.
  subscript(joint: Joint) -> FrameVector<Number> { vector(3 * joint.index) }

  /// The midpoint; if one joint is missing, the position of the other one.
  subscript(pair: JointPair) -> FrameVector<Number> {
    let (left, right) = (self[pair.joints.left], self[pair.joints.right])
    return left.midpoint(right).replacing(with: left, where: .!right.isFinite).replacing(
      with: right, where: .!left.isFinite)
  }

  func contain(_ joints: UInt32) -> Number.Mask {
    var result = Number.Mask(repeating: true)
    var rest = joints
    while rest != 0 {
      // All numbers of a missing joint are NaN.
      result = (result .& numbers[3 * rest.trailingZeroBitCount].isFinite)
      rest &= rest - 1
    }
    return result
  }

  func confidence(of joint: Joint) -> Number { numbers[Self.confidenceStart + joint.index] }

  /// The larger confidence of a pair; NaN if neither joint has one.
  func confidence(of pair: JointPair) -> Number {
    let left = confidence(of: pair.joints.left)
    let right = confidence(of: pair.joints.right)
    return left.maximum(right).replacing(with: left, where: right.isNaN).replacing(
      with: right, where: left.isNaN)
  }

  func lowest(along up: FrameVector<Number>) -> Number {
    var lowest = Number.nan
    for index in 0..<Joint.count {
      let height = vector(3 * index).dot(up)
      lowest = lowest.replacing(with: height, where: .!(lowest .<= height) .& height.isFinite)
    }
    return lowest
  }
}
