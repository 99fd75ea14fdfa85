package import PoseModel

extension ScriptedSession {
  /// The session as a camera records it: camera axes, the root at the origin.
  ///
  /// A mirrored recording is what a detector sees in the flipped image: x is turned around and
  /// left and right names are swapped. Load it as readers do, with `unmirror()`.
  package func recording(
    _ camera: ScriptedCamera, joints order: [Joint] = Skeleton.vision3d.joints
  ) -> Recording {
    var recording = Recording(header: header(camera, .camera, order))
    for frame in frames {
      let seen = view(frame, camera)
      recording.append(time: frame.time, pose: numbers(seen, named(frame, camera), order))
    }
    return recording
  }

  /// The session as Vision most probably writes it: pelvis axes, and the matrix of every frame.
  ///
  /// The axes are x from the root to the left hip, y toward the spine and at right angles to x,
  /// z = x cross y, in the body that the detector saw: the mirrored one where the image was.
  ///
  /// - Parameter matrixDecimals: to how many decimals matrices are rounded after the positions
  ///   were turned, as a file that saves room would have them; nil rounds nothing.
  package func pelvisRecording(
    _ camera: ScriptedCamera, joints order: [Joint] = Skeleton.vision3d.joints,
    matrixDecimals: Int? = nil
  ) -> Recording {
    var recording = Recording(header: header(camera, .pelvis, order))
    for frame in frames {
      let seen = view(frame, camera)
      guard !frame.isMissing, let axes = pelvisAxes(seen) else {
        recording.append(time: frame.time, pose: nil)
        continue
      }
      let own = seen.mapValues { position in
        Vector3(
          axes.columns.0.dot(position), axes.columns.1.dot(position),
          axes.columns.2.dot(position))
      }
      // Vision's matrix brings the hip to where it is before the camera: two meters away.
      let matrix = CameraMatrix(
        rotation: matrixDecimals.map { axes.rounded(decimals: $0) } ?? axes,
        translation: Vector3(0, 0, -2))
      recording.append(
        time: frame.time, pose: numbers(own, named(frame, camera), order),
        extras: FrameExtras(camera: matrix))
    }
    return recording
  }

  /// The session in world axes: y up, the floor at 0.
  package func worldRecording(joints order: [Joint] = Skeleton.vision3d.joints) -> Recording {
    var header = RecordingHeader(skeleton: .vision3d, joints: order, frame: .world)
    complete(&header)
    var recording = Recording(header: header)
    for frame in frames {
      recording.append(time: frame.time, pose: numbers(frame.joints, frame, order))
    }
    return recording
  }

  private func header(
    _ camera: ScriptedCamera, _ frame: FrameOfReference, _ order: [Joint]
  ) -> RecordingHeader {
    var header = RecordingHeader(skeleton: .vision3d, joints: order, frame: frame)
    header.orientation = camera.orientation
    header.cameraPosition = camera.position
    header.buffer = camera.buffer
    header.isMirrored = camera.isMirrored
    complete(&header)
    return header
  }

  private func complete(_ header: inout RecordingHeader) {
    header.subject = subject
    header.bodyHeight = body.stature
    header.heightEstimation = .measured
    header.nominalRate = rate
  }

  /// The detector's output for a frame, in camera axes.
  private func view(_ frame: ScriptedFrame, _ camera: ScriptedCamera) -> [Joint: Vector3] {
    let rotation = camera.rotation
    let root = frame.joints[.root] ?? Vector3(0, 0, 0)
    let seen = frame.joints.mapValues { rotation($0 - root) }
    guard camera.isMirrored else { return seen }
    return Dictionary(
      uniqueKeysWithValues: seen.map { ($0.mirrored, Vector3(-$1.x, $1.y, $1.z)) })
  }

  private func pelvisAxes(_ joints: [Joint: Vector3]) -> Rotation3? {
    guard let root = joints[.root], let hip = joints[.leftHip], let spine = joints[.spine] else {
      return nil
    }
    let x = (hip - root) / (hip - root).norm
    let trunk = spine - root
    let upward = trunk - x * trunk.dot(x)
    let y = upward / upward.norm
    return Rotation3(x, y, x.cross(y))
  }

  /// The frame with its missing joints, named as the detector names them.
  ///
  /// They are the person's own; in the flipped image the other side's name is missing.
  private func named(_ frame: ScriptedFrame, _ camera: ScriptedCamera) -> ScriptedFrame {
    guard camera.isMirrored else { return frame }
    var named = frame
    named.missingJoints = Set(frame.missingJoints.map(\.mirrored))
    return named
  }

  /// A frame's positions in storage order, NaN if a joint is missing; nil without a pose.
  private func numbers(
    _ joints: [Joint: Vector3], _ frame: ScriptedFrame, _ order: [Joint]
  ) -> [Float]? {
    guard !frame.isMissing else { return nil }
    return order.flatMap { joint -> [Float] in
      guard let position = joints[joint], !frame.missingJoints.contains(joint) else {
        return [.nan, .nan, .nan]
      }
      return [Float(position.x), Float(position.y), Float(position.z)]
    }
  }
}

extension Rotation3 {
  /// The matrix with its entries rounded to a number of decimals.
  fileprivate func rounded(decimals: Int) -> Rotation3 {
    let unit = (0..<decimals).reduce(1.0) { power, _ in power * 10 }
    func rounded(_ v: Vector3) -> Vector3 {
      Vector3(
        (v.x * unit).rounded() / unit, (v.y * unit).rounded() / unit,
        (v.z * unit).rounded() / unit)
    }
    return Rotation3(rounded(columns.0), rounded(columns.1), rounded(columns.2))
  }
}
