/// The joints of one frame, for callers that have no recording, such as an app.
///
/// Reuse one pose for all frames: setting joints in place allocates nothing.
public struct Pose: Hashable, Sendable {
  /// Three numbers per joint in the order of `Joint.allCases`; NaN for a missing joint.
  public private(set) var positions: [Float]
  /// One confidence per joint in the order of `Joint.allCases`; NaN where it is unknown.
  public private(set) var confidences: [Float]

  /// Makes a pose without joints.
  public init() {
    positions = Array(repeating: .nan, count: JointLayout.full.stride)
    confidences = Array(repeating: .nan, count: Joint.count)
  }

  /// Sets a joint to a point in an image, in the unit of the joint's skeleton.
  ///
  /// A confidence of 0 makes the joint missing.
  public mutating func setPoint(of joint: Joint, x: Double, y: Double, confidence: Float) {
    self[joint] = confidence > 0 ? Vector3(x, y, 0) : nil
    confidences[joint.index] = confidence
  }

  /// The position of a joint, rounded to `Float`; nil if the joint is missing.
  ///
  /// It is in meters, or in the skeleton's unit for image points.
  public subscript(joint: Joint) -> Vector3? {
    get {
      let start = joint.index * 3
      let position = Vector3(
        Double(positions[start]), Double(positions[start + 1]), Double(positions[start + 2]))
      return position.isFinite ? position : nil
    }
    set {
      let start = joint.index * 3
      let position = newValue ?? Vector3(.nan, .nan, .nan)
      positions[start] = Float(position.x)
      positions[start + 1] = Float(position.y)
      positions[start + 2] = Float(position.z)
    }
  }

  /// Copies a frame of a recording; joints that the recording lacks become missing.
  public mutating func load(_ recording: Recording, frame: Int) {
    for joint in Joint.allCases {
      self[joint] = recording.position(of: joint, at: frame)
      confidences[joint.index] = recording.confidence(of: joint, at: frame) ?? .nan
    }
  }
}

#if !hasFeature(Embedded)
  extension Pose: Codable {
    private enum CodingKeys: String, CodingKey { case positions, confidences }

    /// Decodes positions and confidences by joint names; joints without an entry are missing.
    ///
    /// - Throws: `DecodingError` for an unknown joint, or for a position that is not three finite
    ///   numbers.
    public init(from decoder: any Decoder) throws {
      self.init()
      let container = try decoder.container(keyedBy: CodingKeys.self)
      for (name, numbers) in try container.decode([String: [Float]].self, forKey: .positions) {
        guard let joint = Joint(name: name), numbers.count == 3, numbers.allSatisfy({ $0.isFinite })
        else {
          throw DecodingError.dataCorruptedError(
            forKey: .positions, in: container,
            debugDescription: "`\(name)` is not a joint with three finite numbers")
        }
        for (axis, number) in numbers.enumerated() { positions[joint.index * 3 + axis] = number }
      }
      let given = try container.decodeIfPresent([String: Float].self, forKey: .confidences) ?? [:]
      for (name, confidence) in given {
        guard let joint = Joint(name: name) else {
          throw DecodingError.dataCorruptedError(
            forKey: .confidences, in: container, debugDescription: "`\(name)` is not a joint")
        }
        confidences[joint.index] = confidence
      }
    }

    /// Encodes the joints that are present by name, and confidences if there are any.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      var numbers: [String: [Float]] = [:]
      var known: [String: Float] = [:]
      for joint in Joint.allCases {
        if self[joint] != nil {
          numbers[joint.name] = Array(positions[joint.index * 3..<joint.index * 3 + 3])
        }
        if !confidences[joint.index].isNaN { known[joint.name] = confidences[joint.index] }
      }
      try container.encode(numbers, forKey: .positions)
      if !known.isEmpty { try container.encode(known, forKey: .confidences) }
    }
  }
#endif

/// The optional data of a frame besides its time and pose.
public struct FrameExtras: Hashable, Sendable {
  /// The unit up vector, in the camera's axes for `pelvis` recordings.
  public var up: Vector3?
  /// The transform from the pelvis frame to the camera.
  public var camera: CameraMatrix?
  /// The person's height as estimated in this frame.
  public var bodyHeight: Meters?
  /// Where the body height comes from.
  public var heightEstimation: HeightEstimation?
  /// The answer that the device itself gave.
  public var answer: DeviceAnswer?

  /// Makes the extras of a frame; by default, they are empty.
  public init(
    up: Vector3? = nil, camera: CameraMatrix? = nil, bodyHeight: Meters? = nil,
    heightEstimation: HeightEstimation? = nil, answer: DeviceAnswer? = nil
  ) {
    self.up = up
    self.camera = camera
    self.bodyHeight = bodyHeight
    self.heightEstimation = heightEstimation
    self.answer = answer
  }
}

/// The answer that a device gave while it recorded.
public struct DeviceAnswer: Hashable, Sendable {
  /// The plank class, or nil if the device gave none.
  public var plank: PlankClass?
  /// The form class, or nil if the device gave none.
  public var form: FormClass?

  /// Makes an answer.
  public init(plank: PlankClass?, form: FormClass?) {
    self.plank = plank
    self.form = form
  }
}

/// One frame that an app passes to the detector.
public struct PoseFrame: Hashable, Sendable {
  /// When the frame was taken.
  public var time: Seconds
  /// The joints, or nil if no pose was found.
  public var pose: Pose?
  /// The up direction, and the conversion of the pose before it is measured.
  public var axes: FrameAxes
  /// The person's height; if nil, a detector uses `HeightEstimation.referenceHeight`.
  public var bodyHeight: Meters?

  /// Makes a frame.
  public init(time: Seconds, pose: Pose?, axes: FrameAxes, bodyHeight: Meters? = nil) {
    self.time = time
    self.pose = pose
    self.axes = axes
    self.bodyHeight = bodyHeight
  }

  /// Returns a joint's position in the axes of evaluation.
  ///
  /// Pelvis positions are turned, and image points are scaled to image heights.
  ///
  /// - Returns: nil if the joint or the pose is missing.
  public func position(of joint: Joint) -> Vector3? {
    guard let position = pose?[joint] else { return nil }
    if let image = axes.image { return image(position) }
    return axes.rotation.map { $0(position) } ?? position
  }
}

/// The frames of a recording as an app would pass them to a detector.
///
/// Frames that cannot be evaluated have no pose: those recorded without a pose, in pelvis axes
/// without a camera matrix, without a known up direction, or in an image of unknown size.
public struct PoseFrames: RandomAccessCollection, Sendable {
  private let recording: Recording
  private let axes: AxesReader

  /// Makes a collection of the frames of a recording.
  public init(_ recording: Recording) {
    self.recording = recording
    axes = AxesReader(recording.header)
  }

  /// The first frame's position.
  public var startIndex: Int { 0 }
  /// The position after the last frame.
  public var endIndex: Int { recording.frameCount }

  /// Returns the frame at an index, from 0.
  ///
  /// - Complexity: O(joints); a frame with a pose allocates memory for its joints.
  public subscript(index: Int) -> PoseFrame {
    let axes = axes.axes(at: index, of: recording)
    var pose: Pose?
    if axes != nil {
      pose = Pose()
      pose?.load(recording, frame: index)
    }
    return PoseFrame(
      time: Seconds(recording.times[index]), pose: pose, axes: axes ?? FrameAxes(up: .unitY),
      bodyHeight: recording.bodyHeight(at: index))
  }
}

extension Recording {
  /// The frames as an app would pass them to a detector.
  public var poseFrames: PoseFrames { PoseFrames(self) }
}

extension Recording {
  /// Undoes the left-right flip of a mirrored recording; does nothing to other recordings.
  ///
  /// Each joint takes the name of its counterpart on the other side. Its x becomes -x in 3D, 1 - x
  /// in normalized 2D and width - x in pixels. The matrices M of a pelvis recording become F M F,
  /// where F flips x, so positions in camera axes are flipped and rotations remain rotations. Up
  /// vectors already belong to the unmirrored image. A second call does nothing.
  ///
  /// - Throws: `MirroringError` for pixel positions without an image width.
  public mutating func unmirror() throws(MirroringError) {
    guard header.isMirrored else { return }
    let origin = try flipOrigin()
    var flipped = positions
    for index in stride(from: 0, to: flipped.count, by: layout.dimension) {
      flipped[index] = Float(origin - Double(flipped[index]))
    }
    var newHeader = header
    newHeader.joints = header.joints.map { $0.mirrored }
    newHeader.isMirrored = false
    replaceFlipped(header: newHeader, positions: flipped) { $0.mirrored }
  }

  private func flipOrigin() throws(MirroringError) -> Double {
    switch header.skeleton {
    case .vision3d: return 0
    case .vision2d: return 1
    case .coco17:
      guard let width = header.imageWidth else { throw MirroringError() }
      return Double(width)
    }
  }
}

/// The error for pixel positions that cannot be unmirrored without the image's width.
public struct MirroringError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem and what to do about it.
  public var description: String {
    "a mirrored recording in pixels cannot be turned around: add `image_width_px` to the header"
  }
}
