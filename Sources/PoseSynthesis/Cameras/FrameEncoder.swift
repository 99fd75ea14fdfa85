import PoseModel

/// Encodes frames as a file stores them: rounded, mirrored or not, in the header's axes.
///
/// Positions are rounded to 0.1 mm, normalized coordinates and matrix entries to 1e-6, pixels to
/// 0.01. The stored number is the `Float` nearest to the decimal number, as a reader gets it.
struct FrameEncoder {
  private let header: RecordingHeader
  private let isMirrored: Bool
  private let sources: [Joint]
  private let slotSources: [Int]
  private let sides: [BodySide?]

  init(header: RecordingHeader, isMirrored: Bool) {
    self.header = header
    self.isMirrored = isMirrored
    sources = isMirrored ? header.joints.map(\.mirrored) : header.joints
    let slots = Dictionary(uniqueKeysWithValues: header.joints.enumerated().map { ($1, $0) })
    slotSources = sources.map { slots[$0] ?? 0 }
    sides = header.joints.map { joint in
      if joint.name.hasPrefix("left") { return .left }
      return joint.name.hasPrefix("right") ? .right : nil
    }
  }

  func side(of slot: Int) -> BodySide? { sides[slot] }

  func append(
    _ joints: JointPositions, lost: [Bool], rootInCamera: Vector3, pelvisTurn: Rotation3,
    time: Double, to recording: inout Recording
  ) {
    var joints = joints
    let root = joints[.root]
    for index in joints.values.indices { joints.values[index] = joints.values[index] - root }
    var extras = FrameExtras()
    if header.frame == .pelvis {
      let frame = Self.pelvisFrame(joints)
      for index in joints.values.indices {
        joints.values[index] = frame.inverse(joints.values[index])
      }
      let halfWidth = (joints[.leftHip] - joints[.rightHip]).norm / 2
      joints[.leftHip] = Vector3(halfWidth, 0, 0)
      joints[.rightHip] = Vector3(-halfWidth, 0, 0)
      extras.camera = matrix(pelvisTurn * frame, translation: rootInCamera + root)
    }
    let sign: Double = isMirrored ? -1 : 1
    var numbers: [Float] = []
    numbers.reserveCapacity(3 * sources.count)
    for joint in sources {
      if lost[joint.index] {
        numbers += [.nan, .nan, .nan]
        continue
      }
      let p = joints[joint]
      numbers.append(Self.rounded(sign * p.x, to: 1e4))
      numbers.append(Self.rounded(p.y, to: 1e4))
      numbers.append(Self.rounded(p.z, to: 1e4))
    }
    recording.append(time: Seconds(time), pose: numbers, extras: extras)
  }

  /// Appends a 2D pose given in pixels from the lower left; nil if none was found.
  func append(
    _ pixels: [(u: Double, v: Double)?]?, confidences: [Float], time: Double,
    to recording: inout Recording
  ) {
    guard let pixels else { return recording.append(time: Seconds(time), pose: nil) }
    var numbers: [Float] = []
    for source in slotSources { numbers += coordinates(pixels[source]) }
    let scores = slotSources.map { confidences[$0] }
    numbers.withUnsafeBufferPointer { pose in
      scores.withUnsafeBufferPointer { confidence in
        recording.append(time: time, pose: pose, confidences: confidence)
      }
    }
  }

  private func coordinates(_ pixel: (u: Double, v: Double)?) -> [Float] {
    let (width, height) = (Double(header.imageWidth ?? 1), Double(header.imageHeight ?? 1))
    guard let pixel else { return [.nan, .nan] }
    let u = isMirrored ? width - pixel.u : pixel.u
    if header.skeleton == .coco17 {
      return [Self.rounded(u, to: 100), Self.rounded(height - pixel.v, to: 100)]
    }
    return [Self.rounded(u / width, to: 1e6), Self.rounded(pixel.v / height, to: 1e6)]
  }

  private func matrix(_ rotation: Rotation3, translation: Vector3) -> CameraMatrix {
    let (a, b, c) = rotation.columns
    let matrix = CameraMatrix(
      rotation: Rotation3(
        Self.rounded(a, to: 1e6), Self.rounded(b, to: 1e6), Self.rounded(c, to: 1e6)),
      translation: Self.rounded(translation, to: 1e4))
    return isMirrored ? matrix.mirrored : matrix
  }

  /// The pelvis frame of joints: x toward the left hip, y along the spine, z forward.
  static func pelvisFrame(_ joints: JointPositions) -> Rotation3 {
    let left = (joints[.leftHip] - joints[.rightHip]).unit(or: .unitX)
    let spine = joints[.spine] - joints[.root]
    let cranial = spine.perpendicular(to: left).unit()
    return Rotation3(left, cranial, left.cross(cranial))
  }

  static func rounded(_ value: Double, to steps: Double) -> Float {
    Float((value * steps).rounded() / steps + 0)
  }

  static func rounded(_ v: Vector3, to steps: Double) -> Vector3 {
    Vector3(
      (v.x * steps).rounded() / steps + 0, (v.y * steps).rounded() / steps + 0,
      (v.z * steps).rounded() / steps + 0)
  }
}

/// The joints of the 2D skeletons, from those of the 3D one.
///
/// Limbs, hips, shoulders and root are the same joints. The positions in the face are ours, as
/// fractions of stature: the nose 0.06 and the eyes 0.05 in front of the head's center, the eyes
/// 0.018 and the ears 0.043 to each side, and the neck 0.03 above the middle of the shoulders.
struct ImageSkeleton {
  let joints: [Joint]
  private let stature: Double

  init(_ skeleton: Skeleton, stature: Double) {
    joints = skeleton.joints
    self.stature = stature
  }

  func positions(_ body: JointPositions) -> [Vector3] {
    let up = (body[.topHead] - body[.centerHead]).unit()
    let across = body[.leftShoulder] - body[.rightShoulder]
    let left = across.perpendicular(to: up).unit(or: .unitX)
    let front = left.cross(up)
    let head = body[.centerHead]
    return joints.map { joint in
      switch joint {
      case .nose: head + front * (0.06 * stature)
      case .leftEye: head + (front * 0.05 + up * 0.012 + left * 0.018) * stature
      case .rightEye: head + (front * 0.05 + up * 0.012 - left * 0.018) * stature
      case .leftEar: head + left * (0.043 * stature)
      case .rightEar: head - left * (0.043 * stature)
      case .neck: body[.centerShoulder] + up * (0.03 * stature)
      default: body[joint]
      }
    }
  }
}
