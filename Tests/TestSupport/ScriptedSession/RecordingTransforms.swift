package import PoseModel

/// Copies of 3D recordings with something changed that answers must not, or must, depend on.
extension Recording {
  /// The same poses stored in another joint order.
  package func reordered(_ joints: [Joint]) -> Recording {
    var header = header
    header.joints = joints
    return rebuilt(header) { frame in
      joints.flatMap { numbers(position(of: $0, at: frame)) }
    }
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
