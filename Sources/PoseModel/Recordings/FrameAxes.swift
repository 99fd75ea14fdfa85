/// The directions in which a frame is judged, and the rotation of its joints.
public struct FrameAxes: Hashable, Sendable {
  /// The rotation from recorded positions to the axes of evaluation; nil changes nothing.
  public var rotation: Rotation3?
  /// The unit up vector.
  public var up: Vector3
  /// The axis that the published rules take for vertical when they ask whether a body is lying: the
  /// camera's x in both landscape orientations, otherwise its y.
  public var publishedVertical: Vector3

  /// Makes the axes of a frame.
  public init(
    up: Vector3, orientation: DeviceOrientation = .portrait, frame: FrameOfReference = .camera,
    rotation: Rotation3? = nil
  ) {
    self.rotation = rotation
    self.up = up
    publishedVertical = orientation.isLandscape && frame != .world ? .unitX : .unitY
  }
}

/// What a header says about the axes of all frames, worked out once.
public struct AxesReader: Sendable {
  private let commonUp: Vector3?
  private let publishedVertical: Vector3
  private let isPelvis: Bool

  /// Reads a header.
  public init(_ header: RecordingHeader) {
    if case .known(let up) = header.upDirection { commonUp = up } else { commonUp = nil }
    let template = FrameAxes(
      up: .unitY, orientation: header.orientation ?? .portrait, frame: header.frame)
    publishedVertical = template.publishedVertical
    isPelvis = header.frame == .pelvis
  }

  /// The axes of a frame of a recording with the header.
  ///
  /// - Returns: nil if the frame is missing or no up vector is known for it.
  public func axes(at frame: Int, of recording: Recording) -> FrameAxes? {
    guard recording.hasPose(at: frame), let up = recording.ownUp(at: frame) ?? commonUp else {
      return nil
    }
    guard isPelvis else {
      return FrameAxes(up: up, publishedVertical: publishedVertical, rotation: nil)
    }
    guard let camera = recording.camera(at: frame) else { return nil }
    return FrameAxes(up: up, publishedVertical: publishedVertical, rotation: camera.rotation)
  }
}

extension FrameAxes {
  /// Combines axes.
  init(up: Vector3, publishedVertical: Vector3, rotation: Rotation3?) {
    self.up = up
    self.publishedVertical = publishedVertical
    self.rotation = rotation
  }
}

extension Recording {
  /// The axes of a frame; `AxesReader` is faster for many.
  ///
  /// - Returns: nil if the frame is missing or no up vector is known for it.
  public func axes(at frame: Int) -> FrameAxes? {
    AxesReader(header).axes(at: frame, of: self)
  }

  /// A joint's position in the axes of evaluation: pelvis positions are turned by their matrix.
  ///
  /// - Returns: nil if the joint or the frame is missing.
  public func evaluatedPosition(of joint: Joint, at frame: Int) -> Vector3? {
    guard !isMissing(at: frame), let position = position(of: joint, at: frame) else { return nil }
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
  /// upright.
  public var upDirection: UpDirection {
    if let up { return .known(up) }
    if frame == .world || skeleton.dimension == 2 { return .known(.unitY) }
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
