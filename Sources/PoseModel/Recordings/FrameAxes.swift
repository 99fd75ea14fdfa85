/// The axes in which a frame is evaluated, and the conversion of the frame's joints to them.
public struct FrameAxes: Hashable, Sendable {
  /// The rotation from recorded positions to the axes of evaluation; nil means no rotation.
  public var rotation: Rotation3?
  /// The scale of image points; nil for positions in meters.
  public var image: ImageScale?
  /// The unit up vector.
  public var up: Vector3
  /// The axis that the published rules take as vertical when they decide whether a body is lying.
  ///
  /// It is the camera's x in both landscape orientations, and otherwise the camera's y.
  public var publishedVertical: Vector3

  /// Makes the axes of a frame of 3D positions.
  public init(
    up: Vector3, orientation: DeviceOrientation = .portrait, frame: FrameOfReference = .camera,
    rotation: Rotation3? = nil
  ) {
    self.rotation = rotation
    self.up = up
    publishedVertical = orientation.isLandscape && frame != .world ? .unitX : .unitY
  }

  /// Makes the axes for positions relative to the pelvis, such as Vision's.
  ///
  /// - Parameters:
  ///   - up: the unit up vector in the camera's axes.
  ///   - cameraOriginMatrix: the observation's own matrix, of which only the rotation is used.
  public init(up: Vector3, cameraOriginMatrix: CameraMatrix) {
    self.init(up: up, frame: .pelvis, rotation: cameraOriginMatrix.rotation)
  }

  /// Makes the axes for a frame of image points.
  ///
  /// - Parameters:
  ///   - image: the scale of its points.
  ///   - up: the up direction in axes with x right and y up in the image; only the part in the
  ///     image plane is used.
  /// - Returns: nil if that part is shorter than 0.001, as for a camera that looks straight down.
  public init?(image: ImageScale, up: Vector3 = .unitY) {
    let flat = Vector3(up.x, up.y, 0)
    guard flat.norm >= 0.001 else { return nil }
    self.image = image
    self.up = flat / flat.norm
    publishedVertical = .unitY
  }
}

/// Reads a header's axes once and then gives the axes of each frame.
public struct AxesReader: Sendable {
  private let commonUp: Vector3?
  private let publishedVertical: Vector3
  private let isPelvis: Bool
  private let isOfImages: Bool
  private let image: ImageScale?

  /// Reads a header.
  public init(_ header: RecordingHeader) {
    if case .known(let up) = header.upDirection { commonUp = up } else { commonUp = nil }
    let template = FrameAxes(
      up: .unitY, orientation: header.orientation ?? .portrait, frame: header.frame)
    publishedVertical = template.publishedVertical
    isPelvis = header.frame == .pelvis
    isOfImages = header.skeleton.dimension == 2
    image = header.imageScale
  }

  /// Returns the axes of a frame in a recording with this header.
  ///
  /// - Returns: nil if the frame is missing, if no up vector is known for it, or if its points are
  ///   in an image of unknown size.
  public func axes(at frame: Int, of recording: Recording) -> FrameAxes? {
    guard recording.hasPose(at: frame), let up = recording.ownUp(at: frame) ?? commonUp else {
      return nil
    }
    if isOfImages { return image.flatMap { FrameAxes(image: $0, up: up) } }
    let rotation = isPelvis ? recording.camera(at: frame)?.rotation : nil
    guard !isPelvis || rotation != nil else { return nil }
    return FrameAxes(up: up, publishedVertical: publishedVertical, rotation: rotation)
  }
}

extension FrameAxes {
  init(up: Vector3, publishedVertical: Vector3, rotation: Rotation3?) {
    self.up = up
    self.publishedVertical = publishedVertical
    self.rotation = rotation
  }
}

extension Recording {
  /// Returns the axes of a frame; for many frames, `AxesReader` is faster.
  ///
  /// - Returns: nil if the frame is missing, if no up vector is known for it, or if its points are
  ///   in an image of unknown size.
  public func axes(at frame: Int) -> FrameAxes? { AxesReader(header).axes(at: frame, of: self) }

  /// Returns a joint's position in the axes of evaluation.
  ///
  /// Pelvis positions are turned by their camera matrix, and image points are scaled to image
  /// heights.
  ///
  /// - Returns: nil if the joint or the frame is missing, or if the image's size is unknown.
  public func evaluatedPosition(of joint: Joint, at frame: Int) -> Vector3? {
    guard !isMissing(at: frame), let position = position(of: joint, at: frame) else { return nil }
    if layout.dimension == 2 { return header.imageScale.map { $0(position) } }
    guard header.frame == .pelvis, let camera = camera(at: frame) else { return position }
    return camera.rotation(position)
  }
}

/// Which way is up in the axes in which a recording's joints are evaluated.
public enum UpDirection: Hashable, Sendable {
  /// The unit up vector of the recording; a frame's own vector takes precedence.
  case known(Vector3)
  /// The header does not say; each frame with a pose needs its own up vector.
  case perFrameOnly

  /// The lengths of up vectors that readers and writers accept and then normalize.
  public static let acceptedNorms = 0.99...1.01

  /// The remedy for a header whose up direction is ambiguous.
  public static let remedy =
    "the up direction is ambiguous: give `up`, or both `camera_position` and `buffer`; "
    + "a sign has no default"
}

extension RecordingHeader {
  /// The up direction that the header implies, according to the table in `docs/contract.md`.
  ///
  /// The first rule that applies is used: the header's `up`; (0, 1, 0) for `world`; (0, 1, 0) in
  /// portrait, the default orientation; otherwise, what the camera position and the buffer imply. A
  /// landscape recording needs both. An upside-down recording needs the buffer, because a fixed
  /// buffer reverses the sign. A direction from the orientation turns with `bufferRotation`; a
  /// buffer with a given rotation is fixed unless the header calls it upright. The same table holds
  /// for image points, in axes with x right and y up in the image.
  public var upDirection: UpDirection {
    if let up { return .known(up) }
    if frame == .world { return .known(.unitY) }
    let buffer = self.buffer ?? bufferRotation.map { _ in .fixed }
    let rotation = buffer == .upright ? .upright : bufferRotation ?? .upright
    switch orientation ?? .portrait {
    case .portrait: return .known(rotation(.unitY))
    case .portraitUpsideDown:
      guard let buffer else { return .perFrameOnly }
      return .known(buffer == .upright ? .unitY : rotation(-.unitY))
    case .landscapeLeft, .landscapeRight:
      guard let buffer, let cameraPosition else { return .perFrameOnly }
      if buffer == .upright { return .known(.unitY) }
      let isPositive = (orientation == .landscapeLeft) == (cameraPosition == .back)
      return .known(rotation(isPositive ? .unitX : -.unitX))
    }
  }
}

/// Explains a recording's axes and their consequences in sentences for users.
public struct AxesExplanation: Hashable, Sendable {
  /// The meaning of the numbers in a position.
  public let axes: String
  /// The consequence of the axes for a detector.
  public let consequence: String
  /// The source of the up direction.
  public let up: String
  /// Doubts about the recording, with remedies; often empty.
  public let doubts: [String]

  /// All sentences, in order.
  public var sentences: [String] { [axes, consequence, up] + doubts }

  /// Explains a loaded recording, which is already unmirrored.
  ///
  /// - Complexity: O(frames).
  public init(_ recording: Recording) {
    let header = recording.header
    axes = Self.axes(of: header)
    consequence = Self.consequence(of: recording)
    up = Self.up(of: recording)
    doubts = Self.doubts(about: recording)
  }

  private static func axes(of header: RecordingHeader) -> String {
    switch header.frame {
    case .camera where header.skeleton.dimension == 3:
      "Camera axes: x right, y up in the image, z toward the camera, the root joint as origin."
    case .pelvis: "Pelvis axes: fixed to the person, x toward the left hip, y along the spine."
    case .world: "World axes: y is up."
    case .camera, .image:
      header.skeleton == .coco17
        ? "Image coordinates: pixels from the upper left corner."
        : "Image coordinates: shares of width and height from the lower left corner."
    }
  }

  private static func consequence(of recording: Recording) -> String {
    switch recording.header.frame {
    case .camera where recording.header.skeleton.dimension == 3:
      return "Up is not part of these axes: it depends on how the device was held, and a wrong "
        + "orientation makes lying look like standing."
    case .pelvis:
      let poses = (0..<recording.frameCount).filter { recording.hasPose(at: $0) }
      let turned = poses.count { !recording.isMissing(at: $0) }
      return "In these axes every straight body looks upright, so every pose is turned by its "
        + "camera matrix before it is judged: \(turned) of \(poses.count) poses have one"
        + (turned < poses.count ? "; the others count as missing." : ".")
    case .world: return "Nothing needs to be turned, however the camera was held."
    case .camera, .image:
      return "An image has no depth: lengths and angles change with the direction of view."
    }
  }

  private static func up(of recording: Recording) -> String {
    let header = recording.header
    let own = (0..<recording.frameCount).count { recording.ownUp(at: $0) != nil }
    let common = commonUp(of: header)
    guard own > 0 else { return "\(common.prefix(1).uppercased())\(common.dropFirst())." }
    return own == recording.frameCount
      ? "Up is recorded with every frame."
      : "Up is recorded with \(own) of \(recording.frameCount) frames; elsewhere: \(common)."
  }

  private static func commonUp(of header: RecordingHeader) -> String {
    guard case .known(let up) = header.upDirection else {
      return "up is not known, because \(UpDirection.remedy)"
    }
    // Adding 0 turns -0 into 0.
    let text = "up is (\(up.x + 0), \(up.y + 0), \(up.z + 0))"
    if header.up != nil { return "\(text), as the header says" }
    if header.frame == .world { return "\(text), by definition" }
    guard let orientation = header.orientation else {
      return "\(text), because portrait is assumed where no orientation is given"
    }
    let buffer = header.buffer.map { ", a buffer that is \($0.rawValue)" } ?? ""
    let camera = header.cameraPosition.map { ", the \($0.rawValue) camera" } ?? ""
    return "\(text), derived from \(orientation.rawValue) orientation\(camera)\(buffer)"
  }

  private static func doubts(about recording: Recording) -> [String] {
    var doubts: [String] = []
    let header = recording.header
    if header.frame == .camera, recording.looksFixedToPelvis {
      doubts.append(
        "The header says camera, but the hips never leave the x axis, as in pelvis axes: record "
          + "`cameraOriginMatrix` and say pelvis.")
    }
    let heights = (0..<recording.frameCount).map { recording.extras(at: $0).heightEstimation }
    if header.heightEstimation == .reference || heights.contains(.reference) {
      doubts.append(
        "Heights are the reference of 1.8 m, not measured: what scales with body height cannot "
          + "be tested here.")
    }
    if header.skeleton.dimension == 2, header.imageScale == nil {
      doubts.append(
        "The size of the image is not known, so its points have no angles: add `image_width_px` "
          + "and `image_height_px` to the header.")
    }
    return doubts
  }
}

extension Recording {
  /// The deviation, in meters, below which joints still look fixed to the pelvis.
  public static let pelvisTolerance = Meters(1e-3)
  /// The smallest fraction of such poses in a recording that looks fixed to the pelvis.
  public static let pelvisShare = 0.95

  /// Whether the positions look fixed to the pelvis, regardless of the header.
  ///
  /// They do if, in at least 95 % of the poses, the left hip is on the x axis and the spine has no
  /// depth, within 1 mm each. A moving body does not do that in camera axes.
  public var looksFixedToPelvis: Bool {
    let (fixed, poses) = posesFixedToPelvis
    return fixed > 0 && Double(fixed) >= Self.pelvisShare * Double(poses)
  }

  /// The number of poses that look fixed to the pelvis, and the number of all poses.
  ///
  /// No pose of a 2D skeleton looks fixed.
  ///
  /// - Complexity: O(frames).
  public var posesFixedToPelvis: (fixed: Int, poses: Int) {
    let posed = (0..<frameCount).filter { hasPose(at: $0) }
    guard header.skeleton == .vision3d else { return (fixed: 0, poses: posed.count) }
    let fixed = posed.count { frame in
      Self.looksFixedToPelvis(
        leftHip: position(of: .leftHip, at: frame), spine: position(of: .spine, at: frame))
    }
    return (fixed: fixed, poses: posed.count)
  }

  static func looksFixedToPelvis(leftHip: Vector3?, spine: Vector3?) -> Bool {
    guard let leftHip, let spine else { return false }
    return max(leftHip.y.magnitude, leftHip.z.magnitude, spine.z.magnitude) < pelvisTolerance.value
  }
}

extension Pose {
  /// Whether the joints look fixed to the pelvis, as Vision's positions are.
  ///
  /// The left hip is on the x axis and the spine has no depth, within 1 mm each.
  public var looksFixedToPelvis: Bool {
    Recording.looksFixedToPelvis(leftHip: self[.leftHip], spine: self[.spine])
  }
}
