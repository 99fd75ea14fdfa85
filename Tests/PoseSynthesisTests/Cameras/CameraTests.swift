import PoseModel
import Testing

@testable import PoseSynthesis

@Suite("Cameras")
struct CameraTests {
  private var script: SessionScript {
    var script = Session.still(.standing)
    script.holds = [
      Hold(.allFours, for: Seconds(1)), Hold(.sideLeftElbow, for: Seconds(1)),
      Hold(.reverse, for: Seconds(1)),
    ]
    script.motion = MotionParameters()
    return script
  }

  /// Cameras that differ in everything a device can.
  static let cameras: [CameraParameters] = DeviceOrientation.allCases.flatMap { orientation in
    CameraPosition.allCases.flatMap { position in
      ImageBuffer.allCases.map { buffer in
        var camera = CameraParameters()
        camera.orientation = orientation
        camera.position = position
        camera.buffer = buffer
        camera.azimuth = Degrees(orientation == .portrait ? 200 : 30)
        camera.distance = Meters(position == .front ? 0.7 : 3.9)
        camera.pitch = Degrees(buffer == .fixed ? -12 : 7)
        camera.aim = buffer == .fixed ? .subject : .level
        camera.height = Meters(1.2)
        return camera
      }
    }
  }

  @Test("All cameras and both 3D frames see the same world", arguments: cameras)
  func sameWorld(camera: CameraParameters) throws {
    let reference = try Session.made(script)
    for kind in [OutputParameters.Kind.camera, .pelvis] {
      var other = script
      other.camera = camera
      other.output.kind = kind
      let sequence = try Session.made(other)
      #expect(sequence.labels == reference.labels)
      for frame in stride(from: 0, to: sequence.recording.frameCount, by: 9) {
        let seen = try #require(WorldFrame(sequence.recording, other, frame: frame))
        let truth = try #require(WorldFrame(reference.recording, script, frame: frame))
        for (a, b) in zip(seen.all, truth.all) { #expect((a - b).norm < 3e-4) }
      }
    }
  }

  @Test("A level camera's up is the contract's for every way to hold a device", arguments: cameras)
  func upTable(camera: CameraParameters) throws {
    var level = camera
    level.aim = .level
    level.pitch = Degrees(0)
    var other = script
    other.camera = level
    let recording = try Session.made(other).recording
    let axes = try #require(recording.axes(at: 0))
    #expect((axes.up - CameraView(level).up).norm < 1e-9)
  }

  @Test("A measured up vector has length one and follows the pitch")
  func measuredUp() throws {
    var other = script
    other.camera.pitch = Degrees(-20)
    other.camera.recordsGravity = true
    let up = try #require(try Session.made(other).recording.header.up)
    #expect((up.norm - 1).magnitude < 1e-5)
    #expect((up.angleDegrees(to: .unitY) - 20).magnitude < 1e-3)
  }

  @Test("A turned buffer that is declared is seen upright, for every way to hold a device")
  func bufferRotation() throws {
    for orientation in DeviceOrientation.allCases {
      var other = script
      other.camera.aim = .level
      other.camera.orientation = orientation
      other.camera.bufferRotation = 270
      other.camera.recordsGravity = false
      let recording = try Session.made(other).recording
      let axes = try #require(recording.axes(at: 0))
      #expect((axes.up - CameraView(other.camera).up).norm < 1e-9)
      #expect(recording.header.imageWidth == 1920)
      other.camera.isDeclared = false
      let silent = try Session.made(other).recording
      #expect(silent.header.bufferRotation == nil)
      #expect((try #require(silent.axes(at: 0)).up - axes.up).norm > 1)
      #expect(silent.positions == recording.positions)
    }
    var odd = script
    odd.camera.bufferRotation = 45
    #expect(throws: ScriptError.noQuarterTurn(field: "camera.buffer_rotation_deg", found: 45)) {
      try odd.validate()
    }
  }

  @Test("Roll turns the image's content to the left, and the measured up vector with it")
  func roll() throws {
    var other = script
    other.camera.roll = Degrees(10)
    other.camera.recordsGravity = true
    let up = try #require(try Session.made(other).recording.header.up)
    #expect(up.x < 0 && (up.angleDegrees(to: .unitY) - 10).magnitude < 1e-3)
  }

  @Test("A nudge turns the view from its moment on; the recorded up vector stays")
  func nudge() throws {
    var other = Session.still(.forearm, seconds: 2)
    let still = try Session.made(other).recording
    other.camera.nudge = Degrees(12)
    other.camera.nudgedAt = Seconds(1)
    let nudged = try Session.made(other).recording
    #expect(nudged.header.up == still.header.up)
    for frame in 0..<still.frameCount {
      let p = try #require(still.position(of: .leftAnkle, at: frame))
      let q = try #require(nudged.position(of: .leftAnkle, at: frame))
      #expect((p.norm - q.norm).magnitude < 3e-4)
      #expect((p - q).norm > 0.02 || still.times[frame] < 1, "\(frame)")
      #expect(p == q || still.times[frame] >= 1)
    }
  }

  @Test("A mirrored image that nobody tells of exchanges the sides")
  func undeclared() throws {
    var other = Session.still(.sideLeftElbow)
    let still = try Session.made(other).recording
    other.camera.isMirrored = true
    other.camera.isDeclared = false
    let silent = try Session.made(other).recording
    #expect(!silent.header.isMirrored)
    let left = try #require(still.position(of: .leftShoulder, at: 0))
    let right = try #require(silent.position(of: .rightShoulder, at: 0))
    #expect((right - Vector3(-left.x, left.y, left.z)).norm < 1e-6)
  }

  @Test(
    "An unmirrored recording equals the one that never was",
    arguments: OutputParameters.Kind.allCases)
  func mirrored(kind: OutputParameters.Kind) throws {
    var other = script
    other.output.kind = kind
    other.camera.distance = Meters(3)
    let plain = try Session.made(other).recording
    other.camera.isMirrored = true
    var flipped = try Session.made(other).recording
    #expect(flipped.header.isMirrored)
    try flipped.unmirror()
    for frame in stride(from: 0, to: plain.frameCount, by: 7) {
      for joint in plain.header.joints {
        let a =
          kind == .pelvis
          ? plain.evaluatedPosition(of: joint, at: frame) : plain.position(of: joint, at: frame)
        let b =
          kind == .pelvis
          ? flipped.evaluatedPosition(of: joint, at: frame)
          : flipped.position(of: joint, at: frame)
        guard let a, let b else {
          #expect(a == nil && b == nil)
          continue
        }
        #expect((a - b).norm < 2e-4)
      }
    }
  }

  @Test("Pelvis positions have hips on x, no depth at the spine, and matrices that are rotations")
  func pelvis() throws {
    var other = script
    other.output.kind = .pelvis
    other.noise = NoisePreset.phone.parameters
    other.noise.dropouts = DropoutParameters()
    let recording = try Session.made(other).recording
    for frame in 0..<recording.frameCount {
      let hip = try #require(recording.position(of: .leftHip, at: frame))
      let spine = try #require(recording.position(of: .spine, at: frame))
      #expect(hip.y == 0 && hip.z == 0 && spine.z == 0)
      let matrix = try #require(recording.camera(at: frame))
      #expect(matrix.rotation.orthonormalityError < 1e-5)
      #expect(matrix.rotation.determinant > 0)
    }
  }

  @Test("Both 2D skeletons show the same picture, from opposite corners")
  func images() throws {
    var other = script
    other.camera.distance = Meters(3)
    other.output.kind = .vision2d
    let normalized = try Session.made(other).recording
    other.output.kind = .coco17
    let pixels = try Session.made(other).recording
    for joint in Skeleton.coco17.joints {
      guard let a = normalized.position(of: joint, at: 10),
        let b = pixels.position(of: joint, at: 10)
      else { continue }
      #expect((a.x * 1080 - b.x).magnitude < 0.02)
      #expect(((1 - a.y) * 1920 - b.y).magnitude < 0.02)
    }
    #expect(normalized.confidences.count == normalized.frameCount * 19)
  }

  @Test("What lies outside of the image is missing with confidence 0")
  func outside() throws {
    var other = script
    other.output.kind = .vision2d
    other.camera.distance = Meters(0.6)
    let recording = try Session.made(other).recording
    let frame = recording.frameCount - 1
    let missing = recording.header.joints.enumerated().filter { _, joint in
      recording.position(of: joint, at: frame) == nil
    }
    #expect(!missing.isEmpty)
    #expect(missing.allSatisfy { recording.confidences[frame * 19 + $0.offset] == 0 })
  }

  @Test("A pinhole keeps straight lines straight: 2D angle of a straight plank from the side")
  func straightInTheImage() throws {
    var other = Session.still(.forearm)
    other.output.kind = .coco17
    other.camera.distance = Meters(3)
    let recording = try Session.made(other).recording
    func middle(_ a: Joint, _ b: Joint) throws -> Vector3 {
      (try #require(recording.position(of: a, at: 0)))
        .midpoint(try #require(recording.position(of: b, at: 0)))
    }
    let hip = try middle(.leftHip, .rightHip)
    let shoulder = try middle(.leftShoulder, .rightShoulder) - hip
    let ankle = try middle(.leftAnkle, .rightAnkle) - hip
    #expect(shoulder.angleDegrees(to: ankle) > 176)
  }
}
