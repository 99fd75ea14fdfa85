import PoseModel

/// A recording of a root and two hips whose x grows from frame to frame.
func smallRecording(
  times: [Double] = [0, 0.5, 1], skeleton: Skeleton = .vision3d, frame: FrameOfReference = .camera
) -> Recording {
  let joints: [Joint] = skeleton == .coco17 ? [.leftHip, .rightHip] : [.root, .leftHip, .rightHip]
  var recording = Recording(
    header: RecordingHeader(skeleton: skeleton, joints: joints, frame: frame))
  for (index, time) in times.enumerated() {
    let count = joints.count * skeleton.dimension
    recording.append(time: Seconds(time), pose: (0..<count).map { Float($0 + 100 * index) })
  }
  return recording
}
