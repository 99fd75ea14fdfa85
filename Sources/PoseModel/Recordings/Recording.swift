/// A recorded sequence of poses in contiguous storage.
///
/// Each field is one column with an entry per frame. Positions are stored frame by frame, in the
/// header's joint order, `layout.dimension` numbers per joint. A missing joint is NaN in storage
/// and nil in the interface, never (0, 0, 0). A frame of 17 joints in 3D takes 213 bytes; fields
/// that no frame has take no space.
public struct Recording: Sendable {
  /// The metadata of the whole recording.
  public private(set) var header: RecordingHeader
  /// The place of each joint in `positions`.
  public private(set) var layout: JointLayout
  /// The frames' timestamps in seconds, strictly increasing.
  public private(set) var times: [Double] = []
  /// All positions: `frameCount * layout.stride` numbers, in meters for 3D skeletons; NaN for
  /// missing joints.
  public private(set) var positions: [Float] = []
  /// Joint confidences, `layout.joints.count` per frame; empty if no frame has any.
  public private(set) var confidences: [Float] = []

  private var found: [Bool] = []
  private var ups = SparseColumn<Vector3>()
  private var cameras = SparseColumn<CameraMatrix>()
  private var heights = SparseColumn<Double>()
  private var heightEstimations = SparseColumn<HeightEstimation>()
  private var answers = SparseColumn<DeviceAnswer>()

  /// Makes an empty recording.
  public init(header: RecordingHeader) {
    self.header = header
    layout = JointLayout(joints: header.joints, dimension: header.skeleton.dimension)
  }

  /// The number of frames with or without a pose.
  public var frameCount: Int { times.count }

  /// Reserves room for a number of frames.
  public mutating func reserveCapacity(_ frames: Int) {
    times.reserveCapacity(frames)
    found.reserveCapacity(frames)
    positions.reserveCapacity(frames * layout.stride)
  }

  /// Adds a frame.
  ///
  /// A joint with a confidence of 0 is missing, whatever its position.
  ///
  /// - Precondition: `time` is later than the last frame's time, a pose has `layout.stride`
  ///   numbers, and confidences, if given, number one per joint. Readers of files report violations
  ///   as errors; elsewhere, a violation traps.
  public mutating func append(
    time: Double, pose: UnsafeBufferPointer<Float>?, extras: FrameExtras = FrameExtras(),
    confidences newConfidences: UnsafeBufferPointer<Float>? = nil
  ) {
    precondition(times.last.map { $0 < time } ?? true, "frame times must increase")
    let frame = times.count
    times.append(time)
    found.append(pose != nil)
    if let pose {
      precondition(pose.count == layout.stride, "a pose has as many numbers as the layout")
      positions.append(contentsOf: pose)
    } else {
      positions.append(contentsOf: repeatElement(.nan, count: layout.stride))
    }
    appendConfidences(newConfidences, frame: frame)
    ups.append(extras.up, frame: frame)
    cameras.append(extras.camera, frame: frame)
    heights.append(extras.bodyHeight?.value, frame: frame)
    heightEstimations.append(extras.heightEstimation, frame: frame)
    answers.append(extras.answer, frame: frame)
  }

  /// Adds a frame whose positions are in an array; see the other `append`.
  public mutating func append(time: Seconds, pose: [Float]?, extras: FrameExtras = FrameExtras()) {
    guard let pose else { return append(time: time.value, pose: nil, extras: extras) }
    pose.withUnsafeBufferPointer { append(time: time.value, pose: $0, extras: extras) }
  }

  /// Whether the device found a pose in a frame.
  public func hasPose(at frame: Int) -> Bool { found[frame] }

  /// Whether a frame cannot be evaluated because it has no pose, or a pelvis pose but no matrix.
  public func isMissing(at frame: Int) -> Bool {
    !found[frame] || (header.frame == .pelvis && cameras[frame] == nil)
  }

  /// Returns the optional data of a frame besides its time and pose.
  public func extras(at frame: Int) -> FrameExtras {
    FrameExtras(
      up: ups[frame], camera: cameras[frame], bodyHeight: heights[frame].map(Meters.init),
      heightEstimation: heightEstimations[frame], answer: answers[frame])
  }

  /// The transform from pelvis to camera in a frame, if it has one.
  public func camera(at frame: Int) -> CameraMatrix? { cameras[frame] }

  /// The device's answer in a frame, if it gave one.
  public func answer(at frame: Int) -> DeviceAnswer? { answers[frame] }

  /// Whether any frame has an answer from the device.
  public var hasAnswers: Bool { !answers.isEmpty }

  /// Whether any frame carries a camera matrix.
  public var hasCameras: Bool { !cameras.isEmpty }

  /// Returns the height that a frame gives, or else the header's; nil if neither is given.
  public func bodyHeight(at frame: Int) -> Meters? {
    heights[frame].map(Meters.init) ?? header.bodyHeight
  }

  /// The frame's own up vector, if it has one.
  public func ownUp(at frame: Int) -> Vector3? { ups[frame] }

  /// Returns a joint's position as recorded; positions in pelvis axes are not turned.
  ///
  /// - Returns: nil if the joint is missing. 2D joints have z = 0.
  public func position(of joint: Joint, at frame: Int) -> Vector3? {
    let offset = layout.offsets[joint.index]
    guard offset >= 0 else { return nil }
    let start = frame * layout.stride + offset
    let z = layout.dimension == 3 ? Double(positions[start + 2]) : 0
    let position = Vector3(Double(positions[start]), Double(positions[start + 1]), z)
    return position.isFinite ? position : nil
  }

  /// A joint's confidence, or nil if the joint has none.
  public func confidence(of joint: Joint, at frame: Int) -> Float? {
    let offset = layout.offsets[joint.index]
    guard offset >= 0, !confidences.isEmpty else { return nil }
    let confidence = confidences[frame * layout.joints.count + offset / layout.dimension]
    return confidence.isNaN ? nil : confidence
  }

  mutating func replaceFlipped(
    header: RecordingHeader, positions: [Float], camera: (CameraMatrix) -> CameraMatrix
  ) {
    self.header = header
    self.positions = positions
    layout = JointLayout(joints: header.joints, dimension: layout.dimension)
    cameras = cameras.map(camera)
  }

  private mutating func appendConfidences(_ new: UnsafeBufferPointer<Float>?, frame: Int) {
    let count = layout.joints.count
    if new == nil, confidences.isEmpty { return }
    if confidences.isEmpty { confidences = Array(repeating: .nan, count: frame * count) }
    if let new {
      precondition(new.count == count, "a frame has one confidence per joint")
      confidences.append(contentsOf: new)
      for slot in 0..<count where new[slot] <= 0 {
        let start = frame * layout.stride + slot * layout.dimension
        for index in start..<start + layout.dimension { positions[index] = .nan }
      }
    } else {
      confidences.append(contentsOf: repeatElement(.nan, count: count))
    }
  }
}

extension Recording {
  /// The median interval between consecutive frames; nil for fewer than two frames.
  ///
  /// For an even number of intervals, it is the mean of the two middle ones.
  public var medianFrameInterval: Seconds? {
    zip(times.dropFirst(), times).map { $0 - $1 }.sorted().middle.map { Seconds($0) }
  }

  /// The time that one frame represents when frames are weighted.
  ///
  /// It is the median frame interval; for fewer than two frames, it is the interval of the nominal
  /// rate, or else 1/30 s.
  public var frameWeight: Seconds {
    if let medianFrameInterval { return medianFrameInterval }
    guard let rate = header.nominalRate, rate.hasInterval else {
      return Seconds(1.0 / 30)
    }
    return Seconds(1 / rate.value)
  }
}

/// The place of each joint's numbers within a frame's positions.
public struct JointLayout: Hashable, Sendable {
  /// The joints in storage order.
  public let joints: [Joint]
  /// How many numbers a joint has: 3 or 2.
  public let dimension: Int
  /// The offset of each joint's first number within a frame, by `Joint.index`; -1 if absent.
  public let offsets: [Int]

  /// Makes the layout of joints stored one after another.
  public init(joints: [Joint], dimension: Int) {
    self.joints = joints
    self.dimension = dimension
    var offsets = Array(repeating: -1, count: Joint.count)
    for (slot, joint) in joints.enumerated() { offsets[joint.index] = slot * dimension }
    self.offsets = offsets
  }

  /// How many numbers a frame has.
  public var stride: Int { joints.count * dimension }

  /// The layout of `Pose`: all joints, with three numbers each.
  public static let full = JointLayout(joints: Joint.allCases, dimension: 3)
}

struct SparseColumn<Value: Sendable>: Sendable {
  private var values: [Value?] = []

  var isEmpty: Bool { values.isEmpty }

  mutating func append(_ value: Value?, frame: Int) {
    if value == nil, values.isEmpty { return }
    if values.isEmpty { values = Array(repeating: nil, count: frame) }
    values.append(value)
  }

  subscript(frame: Int) -> Value? { values.isEmpty ? nil : values[frame] }

  func map(_ transform: (Value) -> Value) -> SparseColumn {
    var result = self
    result.values = values.map { $0.map(transform) }
    return result
  }
}

/// The metadata of a whole recording, from the first line of its file.
public struct RecordingHeader: Hashable, Sendable {
  /// The skeleton whose joints the recording holds.
  public var skeleton: Skeleton
  /// The joints in the order of the positions; a subset of the skeleton's, without repeats.
  public var joints: [Joint]
  /// The axes of the positions.
  public var frame: FrameOfReference
  /// How the device was held, if known.
  public var orientation: DeviceOrientation?
  /// Which camera recorded, if known.
  public var cameraPosition: CameraPosition?
  /// The image that the pose detector was given, if known.
  public var buffer: ImageBuffer?
  /// The rotation of buffers that are fixed to the device; nil if they are upright in portrait.
  public var bufferRotation: BufferRotation?
  /// Whether the image was flipped left to right before detection.
  ///
  /// Readers undo a flip and then set this to false.
  public var isMirrored = false
  /// The unit up vector of the whole recording; in camera axes for `pelvis` recordings.
  public var up: Vector3?
  /// An identifier of the recorded person.
  public var subject: String?
  /// The person's height, if known.
  public var bodyHeight: Meters?
  /// Where the height comes from.
  public var heightEstimation: HeightEstimation?
  /// The rate requested from the camera; timestamps show the actual rate.
  public var nominalRate: Hertz?
  /// Width of the image in pixels.
  public var imageWidth: Int?
  /// Height of the image in pixels.
  public var imageHeight: Int?

  /// Makes a header with the required fields; the other fields are unknown.
  public init(skeleton: Skeleton, joints: [Joint], frame: FrameOfReference) {
    self.skeleton = skeleton
    self.joints = joints
    self.frame = frame
  }
}

/// How the device was held while it recorded.
public enum DeviceOrientation: String, CaseIterable, Hashable, Sendable {
  /// Home button or indicator at the bottom.
  case portrait
  /// Home button or indicator at the top.
  case portraitUpsideDown
  /// Home button on the right.
  case landscapeLeft
  /// Home button on the left.
  case landscapeRight

  /// Whether the device lay on its side.
  public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
}

/// Which of the device's cameras recorded.
public enum CameraPosition: String, CaseIterable, Hashable, Sendable {
  /// The camera on the display's side.
  case front
  /// The camera on the back of the device.
  case back
}

/// The image that the pose detector was given.
public enum ImageBuffer: String, CaseIterable, Hashable, Sendable {
  /// Fixed to the device: the detector did not know how the device was held.
  case fixed
  /// Turned upright: the detector was given the device's orientation.
  case upright
}

/// How far a camera's buffers are turned clockwise from buffers that are upright in portrait.
///
/// On a device, the rotation is `AVCaptureConnection.videoRotationAngle` minus the angle that makes
/// the image upright in portrait: 0 if the app has set that angle, and 270 on most iPhones if the
/// app has set none.
public struct BufferRotation: Hashable, Sendable {
  /// The turn in degrees, clockwise: 0, 90, 180 or 270.
  public let degrees: Int

  /// The rotation of upright buffers.
  public static let upright = BufferRotation(quarterTurns: 0)

  /// Makes a rotation from an angle; -90 is the same as 270.
  ///
  /// - Returns: nil unless the angle is a multiple of 90 degrees in -360...360.
  public init?(degrees: Double) {
    let turns = degrees / 90
    guard turns == turns.rounded(), turns.magnitude <= 4 else { return nil }
    self.init(quarterTurns: Int(turns))
  }

  /// Makes a rotation by any number of clockwise quarter turns.
  public init(quarterTurns: Int) { degrees = (quarterTurns % 4 + 4) % 4 * 90 }

  /// Returns the direction in the turned image that corresponds to one in the upright image.
  public func callAsFunction(_ vector: Vector3) -> Vector3 {
    switch degrees {
    case 90: Vector3(vector.y, -vector.x, vector.z)
    case 180: Vector3(-vector.x, -vector.y, vector.z)
    case 270: Vector3(-vector.y, vector.x, vector.z)
    default: vector
    }
  }
}

/// The axes in which a recording's positions are written.
public enum FrameOfReference: String, CaseIterable, Hashable, Sendable {
  /// x right, y up in the image, z toward the camera; the origin is the root joint.
  case camera
  /// World axes with y up.
  case world
  /// Fixed to the person's pelvis: x toward the left hip, y along the spine.
  case pelvis
  /// Two-dimensional image coordinates, for 2D skeletons.
  case image
}

/// Where the body height of a recording comes from.
public enum HeightEstimation: String, CaseIterable, Hashable, Sendable {
  /// The reference height of 1.8 m: the skeleton is a template, so heights mean nothing.
  case reference
  /// Measured with depth data.
  case measured

  /// The height that Vision gives if it has not measured the person.
  ///
  /// Detectors use it for 3D frames without a height.
  public static let referenceHeight = Meters(1.8)
}
