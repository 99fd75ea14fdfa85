/// The joints of one frame, for callers without a recording: an app that gets poses one by one.
///
/// Keep one and write into it; setting joints in place allocates nothing.
public struct Pose: Hashable, Sendable {
  /// Three numbers per joint in the order of `Joint.allCases`, NaN if missing.
  public private(set) var positions: [Float]
  /// One confidence per joint in the order of `Joint.allCases`, NaN if there is none.
  public private(set) var confidences: [Float]

  /// Makes a pose without joints.
  public init() {
    positions = Array(repeating: .nan, count: JointLayout.full.stride)
    confidences = Array(repeating: .nan, count: Joint.count)
  }

  /// Puts a joint where an image shows it, in the units of its skeleton; 0 as a confidence means
  /// that the joint is missing.
  public mutating func setPoint(of joint: Joint, x: Double, y: Double, confidence: Float) {
    self[joint] = confidence > 0 ? Vector3(x, y, 0) : nil
    confidences[joint.index] = confidence
  }

  /// A joint's position, rounded to `Float`, in meters or in an image's units; nil if it is missing.
  public subscript(joint: Joint) -> Vector3? {
    get {
      let start = joint.index * 3
      let position = Vector3(
        Double(positions[start]), Double(positions[start + 1]), Double(positions[start + 2]))
      return position.isFinite ? position : nil
    }
    set {
      let start = joint.index * 3
      let missing = Vector3(.nan, .nan, .nan)
      let position = newValue ?? missing
      positions[start] = Float(position.x)
      positions[start + 1] = Float(position.y)
      positions[start + 2] = Float(position.z)
    }
  }

  /// Copies a frame of a recording; joints that it lacks become missing.
  public mutating func load(_ recording: Recording, frame: Int) {
    for joint in Joint.allCases {
      self[joint] = recording.position(of: joint, at: frame)
      confidences[joint.index] = recording.confidence(of: joint, at: frame) ?? .nan
    }
  }
}

/// What a frame may have besides its time and pose.
public struct FrameExtras: Hashable, Sendable {
  /// The unit up vector; for `pelvis` recordings in the camera's axes.
  public var up: Vector3?
  /// The transform from the pelvis frame to the camera.
  public var camera: CameraMatrix?
  /// The person's height as estimated in this frame.
  public var bodyHeight: Meters?
  /// Where that height comes from.
  public var heightEstimation: HeightEstimation?
  /// The device's own answer.
  public var answer: DeviceAnswer?

  /// Makes the extras of a frame; by default it has none.
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

/// The device's own answer while it recorded.
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
