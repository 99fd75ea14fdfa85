import PoseModel
import Testing

@testable import PoseSynthesis

/// Scripts from which tests start, and their measurements of recordings.
enum Session {
  /// A textbook body that holds one posture without motion, noise or spread, up recorded.
  static func still(
    _ posture: Posture, seconds: Double = 1, height: Meters = Meters(1.75)
  ) -> SessionScript {
    var hold = Hold(posture, for: Seconds(seconds))
    hold.placement.angleSpread = Degrees(0)
    hold.placement.elbowFlexion = Degrees(0)
    hold.form.kneeFlexion = Degrees(0)
    var script = SessionScript(holds: [hold])
    script.noise = NoisePreset.clean.parameters
    script.motion = .still
    script.subject.height = height
    script.subject.proportionSpread = 0
    script.subject.asymmetry = 0
    script.output.skeleton = .anatomical
    script.output.height = .measured
    script.camera.recordsGravity = true
    return script
  }

  static func made(_ script: SessionScript) throws -> SynthesizedSequence {
    try SessionSynthesizer(script).synthesized()
  }

  /// The joints of every frame; where noise loses poses, of the frames that have one.
  static func frames(_ script: SessionScript, losesPoses: Bool = false) throws -> [WorldFrame] {
    let recording = try made(script).recording
    let frames = (0..<recording.frameCount).map { WorldFrame(recording, script, frame: $0) }
    #expect(losesPoses || frames.allSatisfy { $0 != nil })
    return frames.compactMap { $0 }
  }
}

extension Recording {
  /// The position of a joint that must be there.
  func place(_ joint: Joint, _ frame: Int) throws -> Vector3 {
    try #require(position(of: joint, at: frame), "\(joint) in frame \(frame)")
  }

  /// The lengths of a bone in the frames that have both of its ends.
  func lengths(of parent: Joint, _ child: Joint) -> [Double] {
    (0..<frameCount).compactMap { frame in
      guard let a = position(of: parent, at: frame), let b = position(of: child, at: frame)
      else { return nil }
      return (a - b).norm
    }
  }
}

/// Joints of one frame in the world's axes: y up, relative to the root.
struct WorldFrame {
  private let joints: [Vector3]

  /// Turns a frame of a 3D recording by the script's camera.
  init?(_ recording: Recording, _ script: SessionScript, frame: Int) {
    let toWorld = CameraView(script.camera).rotation.transposed
    var joints: [Vector3] = []
    for joint in Skeleton.vision3d.joints {
      guard let position = recording.evaluatedPosition(of: joint, at: frame) else { return nil }
      joints.append(toWorld(position))
    }
    self.joints = joints
  }

  subscript(joint: Joint) -> Vector3 { joints[joint.index] }

  func middle(_ a: Joint, _ b: Joint) -> Vector3 { self[a].midpoint(self[b]) }

  var ankles: Vector3 { middle(.leftAnkle, .rightAnkle) }

  /// The incline of the line from ankles to shoulders in degrees.
  var inclineDegrees: Double { 90 - (self[.centerShoulder] - ankles).angleDegrees(to: .unitY) }

  /// The hip's signed distance from that line in the vertical plane, positive above, in meters.
  var hipOffset: Double {
    let line = (self[.centerShoulder] - ankles).unit()
    let up = Vector3.unitY.perpendicular(to: line).unit()
    return (-ankles).dot(up)
  }

  /// The unsigned angle shoulder, hip, ankle in degrees.
  var bodyAngle: Double { self[.centerShoulder].angleDegrees(to: ankles) }
  var all: [Vector3] { joints }
}

func moments(_ values: [Double]) -> (mean: Double, deviation: Double) {
  let mean = values.reduce(0, +) / Double(values.count)
  let square = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
  return (mean, (square / Double(values.count)).squareRoot())
}
