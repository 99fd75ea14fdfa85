@_spi(Bench) import PoseModel

/// Whether anybody in a recording stands along its up direction, and which rotation of the camera's
/// buffers would make them stand.
///
/// A body stands along a direction if its shoulders are within 26 degrees of that direction from
/// its ankles. For a turned direction the arms must also hang along it: a person in a plank does
/// not count as standing in a turned image, since the arms of a plank are perpendicular to the
/// body.
struct StandingCheck {
  /// The cosine of 26 degrees.
  private static let alongCosine = 0.9
  /// How far the wrists of a standing body hang below the shoulders, as a fraction of the distance
  /// from ankles to shoulders.
  private static let armShare = 0.2
  /// How many poses a rotation must make stand, and which fraction of all.
  private static let fewestPoses = 10
  private static let smallestShare = 0.3

  /// How many poses could be judged.
  let poses: Int
  /// How many of them stand along up, turned clockwise by 0, 90, 180 and 270 degrees.
  let standing: [Int]

  /// Counts the poses of a recording.
  init(_ recording: Recording) {
    let axes = AxesReader(recording.header)
    var poses = 0
    var standing = [0, 0, 0, 0]
    for frame in 0..<recording.frameCount {
      guard let up = axes.axes(at: frame, of: recording)?.up,
        let body = Body(recording, frame: frame)
      else { continue }
      poses += 1
      for turns in 0..<4 {
        let direction = BufferRotation(quarterTurns: turns)(up)
        guard body.axis.dot(direction) >= Self.alongCosine * body.axis.norm else { continue }
        if turns == 0 || body.arm.dot(direction) >= Self.armShare * body.axis.norm {
          standing[turns] += 1
        }
      }
    }
    self.poses = poses
    self.standing = standing
  }

  /// Whether somebody stands along up as it is for more than a moment.
  var isUpright: Bool { standing[0] >= Self.fewestPoses }

  /// The rotation that makes people stand, if nobody stands along up as it is.
  var turn: (rotation: BufferRotation, poses: Int)? {
    guard standing[0] == 0, let most = standing.max(), let turns = standing.firstIndex(of: most),
      most >= Self.fewestPoses, Double(most) >= Self.smallestShare * Double(poses)
    else { return nil }
    return (BufferRotation(quarterTurns: turns), most)
  }

  /// From the ankles to the shoulders, and from the wrists to the shoulders.
  private struct Body {
    let axis: Vector3
    let arm: Vector3

    init?(_ recording: Recording, frame: Int) {
      func middle(_ left: Joint, _ right: Joint) -> Vector3? {
        guard let left = recording.evaluatedPosition(of: left, at: frame),
          let right = recording.evaluatedPosition(of: right, at: frame)
        else { return nil }
        return left.midpoint(right)
      }
      guard let shoulders = middle(.leftShoulder, .rightShoulder),
        let ankles = middle(.leftAnkle, .rightAnkle), let wrists = middle(.leftWrist, .rightWrist),
        (shoulders - ankles).norm > 0.01
      else { return nil }
      axis = shoulders - ankles
      arm = shoulders - wrists
    }
  }
}

/// How a recording says its camera was held: recordings with one statement have one up direction.
struct CameraStatement: Hashable {
  private let frame: FrameOfReference
  private let orientation: DeviceOrientation?
  private let camera: CameraPosition?
  private let buffer: ImageBuffer?
  private let rotation: BufferRotation?
  private let up: Vector3?

  /// Takes what a header says.
  ///
  /// - Returns: nil where frames have up directions of their own.
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
  /// The finding without the advice to turn the up direction; other findings stay as they are.
  ///
  /// Where people stand upright in other recordings of the same camera, they lie in this one.
  var withoutTurn: LintFinding {
    guard code == .nobodyStands else { return self }
    return .note(
      .nobodyStands, file: file,
      message: "nobody stands, but people do in other recordings whose camera is described alike",
      remedy: "if somebody only lies on the floor here, there is nothing to do")
  }
}
