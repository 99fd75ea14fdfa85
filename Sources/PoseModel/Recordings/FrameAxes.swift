/// The directions in which a frame is judged, and the way from its joints to those axes.
public struct FrameAxes: Hashable, Sendable {
  /// The rotation from recorded positions to the axes of evaluation; nil changes nothing.
  public var rotation: Rotation3?
  /// The scale of image points; nil for positions in meters.
  public var image: ImageScale?
  /// The unit up vector.
  public var up: Vector3
  /// The axis that the published rules take for vertical when they ask whether a body is lying: the
  /// camera's x in both landscape orientations, otherwise its y.
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

  /// Makes the axes of positions relative to the pelvis, as Vision gives them.
  ///
  /// - Parameters:
  ///   - up: the unit up vector in the camera's axes.
  ///   - cameraOriginMatrix: the observation's own; only its rotation counts.
  public init(up: Vector3, cameraOriginMatrix: CameraMatrix) {
    self.init(up: up, frame: .pelvis, rotation: cameraOriginMatrix.rotation)
  }

  /// Makes the axes of a frame of image points.
  ///
  /// - Parameters:
  ///   - image: the scale of its points.
  ///   - up: the direction up in the image, x right and y up; only its part in the image counts.
  /// - Returns: nil if that part is shorter than a thousandth, as for a camera that looks down.
  public init?(image: ImageScale, up: Vector3 = .unitY) {
    let flat = Vector3(up.x, up.y, 0)
    guard flat.norm >= 0.001 else { return nil }
    self.image = image
    self.up = flat / flat.norm
    publishedVertical = .unitY
  }
}

/// What a header says about the axes of all frames, worked out once.
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

  /// The axes of a frame of a recording with the header.
  ///
  /// - Returns: nil if the frame is missing, no up vector is known for it, or its points are in an
  ///   image of unknown size.
  public func axes(at frame: Int, of recording: Recording) -> FrameAxes? {
    guard recording.hasPose(at: frame), let up = recording.ownUp(at: frame) ?? commonUp else {
      return nil
    }
    if isOfImages { return image.flatMap { FrameAxes(image: $0, up: up) } }
    guard isPelvis else {
      return FrameAxes(up: up, publishedVertical: publishedVertical, rotation: nil)
    }
    guard let camera = recording.camera(at: frame) else { return nil }
    return FrameAxes(up: up, publishedVertical: publishedVertical, rotation: camera.rotation)
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
  /// The axes of a frame; `AxesReader` is faster for many.
  ///
  /// - Returns: nil if the frame is missing, no up vector is known for it, or its points are in an
  ///   image of unknown size.
  public func axes(at frame: Int) -> FrameAxes? {
    AxesReader(header).axes(at: frame, of: self)
  }

  /// A joint's position in the axes of evaluation: pelvis positions are turned by their matrix,
  /// image points are scaled to image heights.
  ///
  /// - Returns: nil if the joint or the frame is missing, or the image's size is unknown.
  public func evaluatedPosition(of joint: Joint, at frame: Int) -> Vector3? {
    guard !isMissing(at: frame), let position = position(of: joint, at: frame) else { return nil }
    if layout.dimension == 2 { return header.imageScale.map { $0(position) } }
    guard header.frame == .pelvis, let camera = camera(at: frame) else { return position }
    return camera.rotation(position)
  }
}

/// Which way is up in the axes in which a recording's joints are evaluated.
public enum UpDirection: Hashable, Sendable {
  /// Known for the whole recording: a unit vector. A frame's own vector takes precedence.
  case known(Vector3)
  /// Not known from the header; every frame with a pose must have its own.
  case perFrameOnly

  /// The lengths of an up vector that readers and writers accept; they normalize it.
  public static let acceptedNorms = 0.99...1.01

  /// Why a header without an up direction cannot be used, and what to add.
  public static let remedy =
    "the up direction is ambiguous: give `up`, or both `camera_position` and `buffer`; "
    + "a sign has no default"
}

extension RecordingHeader {
  /// The up direction that the header implies (the contract's table).
  ///
  /// In this order: the header's `up`; (0,1,0) for `world`; (0,1,0) in portrait, the default
  /// orientation; otherwise what camera position and buffer imply. A landscape recording needs
  /// both. An upside-down one needs the buffer, because a fixed buffer reverses the sign. The last
  /// two turn with `bufferRotation`; a buffer whose rotation is given is fixed unless it is called
  /// upright. Points of an image have the same table, in axes with x right and y up in the image.
  public var upDirection: UpDirection {
    if let up { return .known(up) }
    if frame == .world { return .known(.unitY) }
    let buffer = self.buffer ?? bufferRotation.map { _ in .fixed }
    let rotation = buffer == .upright ? .upright : bufferRotation ?? .upright
    switch orientation ?? .portrait {
    case .portrait:
      return .known(rotation(.unitY))
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
