internal import PoseModel

/// One frame or several side by side, with joints in the axes of evaluation.
///
/// A missing or non-finite joint reads as NaN, which propagates through every formula. In image
/// points, the middle of the shoulders stands for `centerShoulder`, and that of the hips for a
/// missing root.
struct FrameGroup<Number: FrameNumber> {
  /// The places of the group that hold a frame, one bit each; what the others hold does not matter.
  private var taken: UInt32 = 0
  private let numbers: UnsafeMutablePointer<Number>

  // Where the numbers are: three of every joint by `Joint.index`, then these.
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

  /// `bodyHeight` is in meters; Vision's reference stands for nil, except in an image.
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

  /// Writes one frame's number; `Number` is laid out as consecutive `Double`s.
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

  /// In meters: Vision's reference where none is given, NaN in an image and for an invalid height.
  var bodyHeight: Number { numbers[Self.bodyHeightStart] }

  var times: Number { numbers[Self.timeStart] }

  /// A joint's positions in meters or image heights, NaN where it is missing.
  subscript(joint: Joint) -> FrameVector<Number> { vector(3 * joint.index) }

  /// The points midway between two joints or, where one is missing, the other one.
  subscript(pair: JointPair) -> FrameVector<Number> {
    let (left, right) = (self[pair.joints.left], self[pair.joints.right])
    return left.midpoint(right)
      .replacing(with: left, where: .!right.isFinite)
      .replacing(with: right, where: .!left.isFinite)
  }

  /// The frames that have all joints of a set, one bit each by `Joint.index`.
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

  /// How sure the estimator was of a joint of an image, 0 for a missing one; NaN if it did not say.
  func confidence(of joint: Joint) -> Number { numbers[Self.confidenceStart + joint.index] }

  /// The larger confidence of a pair; NaN if neither joint has one.
  func confidence(of pair: JointPair) -> Number {
    let left = confidence(of: pair.joints.left)
    let right = confidence(of: pair.joints.right)
    return left.maximum(right)
      .replacing(with: left, where: right.isNaN)
      .replacing(with: right, where: left.isNaN)
  }

  /// The lowest height of any present joint along a direction; NaN without joints.
  func lowest(along up: FrameVector<Number>) -> Number {
    var lowest = Number.nan
    for index in 0..<Joint.count {
      let height = vector(3 * index).dot(up)
      lowest = lowest.replacing(with: height, where: .!(lowest .<= height) .& height.isFinite)
    }
    return lowest
  }
}
