package import PoseModel

/// Recordings of nonsense: valid in form, of bodies that cannot be.
package enum RandomRecording {
  /// A recording with random poses, gaps, lost joints, up vectors and heights.
  ///
  /// Poses stay the same for a while, so that runs of equal labels occur. Gaps lie around
  /// `holdSeconds`, often exactly on it.
  package static func make(seed: UInt64, frames: Int, holdSeconds: Double) -> Recording {
    var random = SplitMix64(seed: seed)
    let frame: FrameOfReference = random.pick([.camera, .world, .pelvis])
    var header = RecordingHeader(
      skeleton: .vision3d, joints: random.shuffled(Skeleton.vision3d.joints), frame: frame)
    header.orientation = random.pick(DeviceOrientation.allCases)
    header.cameraPosition = random.pick(CameraPosition.allCases)
    header.buffer = random.pick(ImageBuffer.allCases)
    header.bodyHeight = random.chance(0.7) ? Meters(random.uniform(1.4...2.1)) : nil
    var recording = Recording(header: header)
    var pose = randomPose(&random, header.joints.count)
    var microseconds = 0
    for _ in 0..<frames {
      if random.chance(0.3) { pose = randomPose(&random, header.joints.count) }
      recording.append(
        time: Seconds(Double(microseconds) / 1e6), pose: random.chance(0.1) ? nil : pose,
        extras: extras(&random, frame))
      microseconds += step(&random, hold: Int(holdSeconds * 1e6))
    }
    return recording
  }

  private static func step(_ random: inout SplitMix64, hold: Int) -> Int {
    guard random.chance(0.1) else { return 33_333 }
    return max(1, random.pick([hold, hold, hold - 1, hold + 1, hold / 2, 2 * hold]))
  }

  private static func extras(
    _ random: inout SplitMix64, _ frame: FrameOfReference
  ) -> FrameExtras {
    var extras = FrameExtras()
    if random.chance(0.2) { extras.up = random.rotation()(.unitY) }
    if random.chance(0.2) { extras.bodyHeight = Meters(random.uniform(1.4...2.1)) }
    if frame == .pelvis, random.chance(0.95) {
      extras.camera = CameraMatrix(rotation: random.rotation(), translation: Vector3(0, 0, -2))
    }
    return extras
  }

  private static func randomPose(_ random: inout SplitMix64, _ joints: Int) -> [Float] {
    let isFlat = random.chance(0.5)
    return (0..<joints).flatMap { _ -> [Float] in
      if random.chance(0.01) { return [.nan, .nan, .nan] }
      let height = random.uniform(-1...1) * (isFlat ? 0.1 : 1)
      return [Float(random.uniform(-1...1)), Float(height), Float(random.uniform(-1...1))]
    }
  }
}
