internal import Platform
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

  private static func extras(_ random: inout SplitMix64, _ frame: FrameOfReference) -> FrameExtras {
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

/// Copies of 3D recordings with something changed that answers must not, or must, depend on.
extension Recording {
  /// The same poses stored in another joint order.
  package func reordered(_ joints: [Joint]) -> Recording {
    var header = header
    header.joints = joints
    return rebuilt(header) { frame in joints.flatMap { numbers(position(of: $0, at: frame)) } }
  }

  /// The same scene seen by a camera that is turned, its up vectors turned with it.
  ///
  /// - Precondition: the frames' axes are the camera's or the world's.
  package func rotated(by rotation: Rotation3) -> Recording {
    precondition(header.frame != .pelvis, "a pelvis frame does not turn with the camera")
    return rebuilt(header, turn: rotation) { frame in
      layout.joints.flatMap { numbers(position(of: $0, at: frame).map { rotation($0) }) }
    }
  }

  /// The same scene with every length multiplied by a factor, body heights included.
  package func scaled(by factor: Double) -> Recording {
    var header = header
    header.bodyHeight = header.bodyHeight.map { Meters($0.value * factor) }
    return rebuilt(header, heightFactor: factor) { frame in
      layout.joints.flatMap { numbers(position(of: $0, at: frame).map { $0 * factor }) }
    }
  }

  /// The first frames.
  package func prefix(_ count: Int) -> Recording {
    var result = Recording(header: header)
    for frame in 0..<count { result.append(copying: self, frame) }
    return result
  }

  /// The same recording with every frame's pose lost from a frame on.
  package func losingPoses(from start: Int) -> Recording {
    rebuilt(header) { frame in
      frame < start ? layout.joints.flatMap { numbers(position(of: $0, at: frame)) } : nil
    }
  }

  /// Adds a frame of another recording with the same header.
  package mutating func append(copying other: Recording, _ frame: Int) {
    let start = frame * other.layout.stride
    append(
      time: Seconds(other.times[frame]),
      pose: other.hasPose(at: frame)
        ? Array(other.positions[start..<start + other.layout.stride]) : nil,
      extras: other.extras(at: frame))
  }

  /// Builds frame after frame again; `turn` writes every frame's up vector into the frame.
  private func rebuilt(
    _ header: RecordingHeader, heightFactor: Double = 1, turn: Rotation3? = nil,
    _ pose: (Int) -> [Float]?
  ) -> Recording {
    var result = Recording(header: header)
    for frame in 0..<frameCount {
      var extras = extras(at: frame)
      extras.bodyHeight = extras.bodyHeight.map { Meters($0.value * heightFactor) }
      if let turn { extras.up = axes(at: frame).map { turn($0.up) } }
      result.append(
        time: Seconds(times[frame]), pose: hasPose(at: frame) ? pose(frame) : nil, extras: extras)
    }
    return result
  }

  private func numbers(_ position: Vector3?) -> [Float] {
    guard let position else { return [.nan, .nan, .nan] }
    return [Float(position.x), Float(position.y), Float(position.z)]
  }
}

extension SplitMix64 {
  /// A standard normal number (Box and Muller 1958, the cosine branch).
  package mutating func normal() -> Double {
    let radius = (-2 * log(1 - unit())).squareRoot()
    return radius * cos(2 * Double.pi * unit())
  }

  package mutating func normalVector(_ deviation: Double) -> Vector3 {
    let (x, y, z) = (normal(), normal(), normal())
    return Vector3(x, y, z) * deviation
  }

  /// A rotation, uniform over all: a random unit quaternion.
  package mutating func rotation() -> Rotation3 {
    let (w, x, y, z) = (normal(), normal(), normal(), normal())
    let s = 2 / (w * w + x * x + y * y + z * z)
    return Rotation3(
      Vector3(1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)),
      Vector3(s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)),
      Vector3(s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y)))
  }
}
