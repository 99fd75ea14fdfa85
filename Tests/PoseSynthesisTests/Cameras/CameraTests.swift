import PoseModel
import Testing

@testable import PoseSynthesis

@Suite("Cameras") struct CameraTests {
  private var script: SessionScript {
    var script = Session.still(.standing)
    script.holds = [
      Hold(.allFours, for: Seconds(1)), Hold(.sideLeftElbow, for: Seconds(1)),
      Hold(.reverse, for: Seconds(1)),
    ]
    script.motion = MotionParameters()
    return script
  }

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
      let p = try still.place(.leftAnkle, frame)
      let q = try nudged.place(.leftAnkle, frame)
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
    let left = try still.place(.leftShoulder, 0)
    let right = try silent.place(.rightShoulder, 0)
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
          ? flipped.evaluatedPosition(of: joint, at: frame) : flipped.position(of: joint, at: frame)
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
      let hip = try recording.place(.leftHip, frame)
      let spine = try recording.place(.spine, frame)
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
}

/// The table without noise of experiments/image-or-space: what a bent hip looks like from where.
@Suite("Hip angles in the image") struct ImageAngleTests {
  /// A view of a body that sags by 9 degrees, and its angle in pixels and in shares of the image.
  struct View: Sendable {
    let azimuth: Double
    let distance: Double
    let height: Double
    let pixels: Double
    let shares: Double
  }

  static let views = [
    View(azimuth: 90, distance: 2, height: 0.3, pixels: 171.06, shares: 174.84),
    View(azimuth: 60, distance: 2, height: 0.3, pixels: 169.46, shares: 173.90),
    View(azimuth: 30, distance: 2, height: 0.3, pixels: 162.48, shares: 169.40),
    View(azimuth: 90, distance: 0.8, height: 0.3, pixels: 171.35, shares: 175.01),
    View(azimuth: 90, distance: 4, height: 0.3, pixels: 171.02, shares: 174.82),
    View(azimuth: 90, distance: 1, height: 1.4, pixels: 175.08, shares: 177.21),
  ]

  private func script(_ view: View, hipOffset: Double) -> SessionScript {
    var script = Session.still(.forearm)
    script.holds[0].form.hipOffset = Meters(hipOffset)
    script.camera.aim = .subject
    script.camera.azimuth = Degrees(view.azimuth)
    script.camera.distance = Meters(view.distance)
    script.camera.height = Meters(view.height)
    // The angles of 1080 by 1920 pixels and 69 degrees, on a sensor that cuts nothing off.
    script.camera.imageShortSidePixels = 4500
    script.camera.imageLongSidePixels = 8000
    return script
  }

  /// The angle at the middle of the hips, with x and y in units of their own.
  private func angle(_ recording: Recording, x: Double = 1, y: Double = 1) throws -> Double {
    func middle(_ left: Joint, _ right: Joint) throws -> Vector3 {
      let point = try recording.place(left, 5)
        .midpoint(try recording.place(right, 5))
      return Vector3(point.x / x, point.y / y, point.z)
    }
    let hips = try middle(.leftHip, .rightHip)
    return (try middle(.leftShoulder, .rightShoulder) - hips)
      .angleDegrees(to: try middle(.leftAnkle, .rightAnkle) - hips)
  }

  @Test("A bend of 9 degrees shows in pixels and in shares as in the table", arguments: views)
  func bent(view: View) throws {
    var script = script(view, hipOffset: -0.05)
    script.output.kind = .coco17
    let image = try Session.made(script).recording
    #expect(abs(try angle(image) - view.pixels) < 0.15)
    #expect(abs(try angle(image, x: 1080, y: 1920) - view.shares) < 0.15)
  }

  @Test("In space the bend is the same from everywhere", arguments: views)
  func space(view: View) throws {
    let recording = try Session.made(script(view, hipOffset: -0.05)).recording
    // Joints are rounded to 0.1 mm, which is up to 0.05 degrees here.
    #expect(abs(try angle(recording) - 171.01) < 0.1)
  }

  @Test(
    "A straight body is straight in the image from 2 m on, from any side", arguments: [30, 60, 90])
  func straight(azimuth: Double) throws {
    let view = View(azimuth: azimuth, distance: 2, height: 0.3, pixels: 180, shares: 180)
    var script = script(view, hipOffset: 0)
    script.output.kind = .coco17
    #expect(try angle(try Session.made(script).recording) > 179.2)
  }
}

@Suite("What the camera sees of a body")
struct SightTests {
  private func plank(
    distance: Double, _ change: (inout NoiseParameters) -> Void
  ) throws -> Recording {
    var script = Session.still(.forearm)
    script.camera.height = Meters(0.3)
    script.camera.distance = Meters(distance)
    change(&script.noise)
    return try Session.made(script).recording
  }

  @Test("A joint outside the image is lost or given as the script says")
  func outside() throws {
    let near = try plank(distance: 0.8) { $0.sight.outside = .lost }
    #expect(near.position(of: .leftAnkle, at: 0) == nil)
    #expect(near.position(of: .leftHip, at: 0) != nil)
    let far = try plank(distance: 4) { $0.sight.outside = .lost }
    #expect(Skeleton.vision3d.joints.allSatisfy { far.position(of: $0, at: 0) != nil })
    let guessed = try plank(distance: 0.8) { $0.sight.fewestJoints = 2 }
    #expect(guessed.position(of: .leftAnkle, at: 0) != nil)
  }

  @Test("The far arm and leg of a plank seen from the side are hidden, the near ones are not")
  func hidden() throws {
    let recording = try plank(distance: 3) { $0.sight.hidden = .lost }
    // The camera stands on the left side of a prone body.
    #expect(recording.position(of: .leftElbow, at: 0) != nil)
    #expect(recording.position(of: .leftKnee, at: 0) != nil)
    #expect(recording.position(of: .rightKnee, at: 0) == nil)
    #expect(recording.position(of: .root, at: 0) != nil)
  }

  @Test("With too few joints in sight there is no pose")
  func fewest() throws {
    let near = try plank(distance: 0.8) { $0.sight.fewestJoints = 17 }
    #expect(!near.hasPose(at: 0))
    #expect(try plank(distance: 0.8) { $0.sight.fewestJoints = 2 }.hasPose(at: 0))
  }

  @Test("Segments that cross have no gap, and others their distance")
  func gap() {
    let (x, y, z) = (Vector3.unitX, Vector3.unitY, Vector3.unitZ)
    #expect(Sight.gap(-x, x, -y, y) < 1e-12)
    #expect((Sight.gap(-x, x, z - y, z + y) - 1).magnitude < 1e-12)
    #expect((Sight.gap(.zero, x, x * 2, x * 3) - 1).magnitude < 1e-12)
    #expect((Sight.gap(.zero, x, y, x + y) - 1).magnitude < 1e-12)
    #expect((Sight.gap(.zero, .zero, x * 2, x * 2) - 2).magnitude < 1e-12)
  }
}
