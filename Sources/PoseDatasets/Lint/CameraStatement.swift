import PoseModel

struct CameraStatement: Hashable {
  private let frame: FrameOfReference
  private let orientation: DeviceOrientation?
  private let camera: CameraPosition?
  private let buffer: ImageBuffer?
  private let rotation: BufferRotation?
  private let up: Vector3?

  init?(_ recording: Recording) {
    guard !(0..<recording.frameCount).contains(where: { recording.ownUp(at: $0) != nil }) else {
      return nil
    }
    let header = recording.header
    frame = header.frame
    orientation = header.orientation
    camera = header.cameraPosition
    buffer = header.buffer
    rotation = header.bufferRotation
    up = header.up
  }
}

extension LintFinding {
  /// Without the advice to turn the up direction: where people stand upright in other recordings of
  /// the same camera, they lie in this one.
  var withoutTurn: LintFinding {
    guard code == .nobodyStands else { return self }
    return .note(
      .nobodyStands, file: file,
      message: "nobody stands, but people do in other recordings whose camera is described alike",
      remedy: "if somebody only lies on the floor here, there is nothing to do")
  }
}
