/// Which way is up in the axes in which a recording's joints are evaluated.
public enum UpDirection: Hashable, Sendable {
  /// Known for the whole recording: a unit vector. A frame's own vector still overrides it.
  case known(Vector3)
  /// Not derivable from the header; every frame with a pose must bring its own.
  case perFrameOnly

  /// The lengths of an up vector that readers and writers accept; they normalize it.
  public static let acceptedNorms = 0.99...1.01

  /// Why a header without an up direction cannot be used as it is, and what to add.
  public static let remedy =
    "the up direction is ambiguous: give `up`, or both `camera_position` and `buffer`; "
    + "a sign has no default"
}

extension RecordingHeader {
  /// The up direction that the header implies (the contract's table).
  ///
  /// In order: the header's `up`; (0,1,0) for `world`; (0,1,0) in portrait, the default
  /// orientation; else what camera side and buffer say. A landscape recording needs both. An
  /// upside-down one needs the buffer, because a fixed buffer turns the sign.
  public var upDirection: UpDirection {
    if let up { return .known(up) }
    if frame == .world || skeleton.dimension == 2 { return .known(.unitY) }
    switch orientation ?? .portrait {
    case .portrait:
      return .known(.unitY)
    case .portraitUpsideDown:
      guard let buffer else { return .perFrameOnly }
      return .known(buffer == .upright ? .unitY : -.unitY)
    case .landscapeLeft:
      return landscapeUp(backCamera: .unitX)
    case .landscapeRight:
      return landscapeUp(backCamera: -.unitX)
    }
  }

  private func landscapeUp(backCamera: Vector3) -> UpDirection {
    guard let buffer, let cameraPosition else { return .perFrameOnly }
    if buffer == .upright { return .known(.unitY) }
    return .known(cameraPosition == .back ? backCamera : -backCamera)
  }
}
