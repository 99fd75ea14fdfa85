import PoseModel
import Statistics

extension Capture {
  /// The height that the recording claims: 1.8 m for everyone, or the subject's with an error.
  static func recordedHeight(_ script: SessionScript) -> Meters {
    guard script.output.height == .measured else { return Meters(1.8) }
    let stream = RandomStream(seed: script.seed, purpose: "noise.height")
    let error = stream.gaussian(standardDeviation: script.noise.capture.measuredHeight)
    let height = script.subject.height.value * (1 + error)
    return Meters((height * 1e4).rounded() / 1e4)
  }

  /// The recording's header; a measured up vector only where the script asks for one.
  static func header(
    _ script: SessionScript, view: CameraView, height: Meters
  ) -> RecordingHeader {
    let skeleton: Skeleton
    switch script.output.kind {
    case .camera, .pelvis: skeleton = .vision3d
    case .vision2d: skeleton = .vision2d
    case .coco17: skeleton = .coco17
    }
    var frame = FrameOfReference.image
    if script.output.kind == .camera { frame = .camera }
    if script.output.kind == .pelvis { frame = .pelvis }
    var header = RecordingHeader(skeleton: skeleton, joints: skeleton.joints, frame: frame)
    header.orientation = script.camera.orientation
    header.cameraPosition = script.camera.position
    header.buffer = script.camera.buffer
    header.isMirrored = script.camera.isMirrored
    header.subject = script.subject.name
    header.nominalRate = script.clock.rate
    header.imageWidth = view.imageWidth
    header.imageHeight = view.imageHeight
    guard skeleton == .vision3d else { return header }
    header.bodyHeight = height
    header.heightEstimation = script.output.height
    if script.camera.recordsGravity { header.up = FrameEncoder.rounded(view.up, to: 1e6) }
    return header
  }
}
