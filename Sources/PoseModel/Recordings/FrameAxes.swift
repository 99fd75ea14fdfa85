/// The directions in which a frame is judged, and how its joints are turned first.
public struct FrameAxes: Hashable, Sendable {
  /// The rotation that takes recorded positions to the axes of evaluation; nil changes nothing.
  public var rotation: Rotation3?
  /// The unit up vector.
  public var up: Vector3
  /// The axis that the published rules take for vertical when they ask whether a body lies:
  /// the camera's x in both landscape orientations, else its y.
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

extension Recording {
  /// The axes of a frame.
  ///
  /// - Returns: nil where the frame is missing or no up vector is known for it.
  public func axes(at frame: Int) -> FrameAxes? {
    guard !isMissing(at: frame) else { return nil }
    var up = ownUp(at: frame)
    if up == nil, case .known(let common) = header.upDirection { up = common }
    guard let up else { return nil }
    return FrameAxes(
      up: up, orientation: header.orientation ?? .portrait, frame: header.frame,
      rotation: header.frame == .pelvis ? camera(at: frame)?.rotation : nil)
  }

  /// A joint's position in the axes of evaluation: pelvis positions are turned by their matrix.
  ///
  /// - Returns: nil where the joint or the frame is missing.
  public func evaluatedPosition(of joint: Joint, at frame: Int) -> Vector3? {
    guard !isMissing(at: frame), let position = position(of: joint, at: frame) else { return nil }
    guard header.frame == .pelvis, let camera = camera(at: frame) else { return position }
    return camera.rotation(position)
  }
}
