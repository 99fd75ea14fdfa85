import PoseModel
import TestSupport
import Testing

@Suite("3D body pose observations") struct BodyPose3DObservationTests {
  @Test("Every joint is there by name and by raw key, with the parent of Vision's tree")
  func joints() throws {
    let observation = try Bodies.random(seed: 1)
    #expect(observation.availableJointNames.count == 17)
    for joint in observation.availableJointNames {
      let point = try observation.recognizedPoint(joint)
      #expect(point.joint == joint)
      #expect(observation.recognizedPoint(visionKey: point.identifier) == point)
      #expect(point.parentJoint == observation.parentJointName(joint))
      #expect(observation.joint(for: joint) == point)
    }
    #expect(try observation.recognizedPoint(.leftWrist).identifier == "human_left_wrist_3D")
    #expect(try observation.recognizedPoint(.leftWrist).parentJoint == .leftElbow)
    #expect(observation.recognizedPoint(visionKey: "left_wrist") == nil)
  }

  @Test("A joint of 2D skeletons is an error by one API and nil by the other")
  func foreignJoint() throws {
    let observation = try Bodies.random(seed: 4)
    #expect(throws: ObservationError.noSuchJoint(.nose)) { try observation.recognizedPoint(.nose) }
    #expect(observation.joint(for: .nose) == nil)
    #expect(observation.parentJointName(.nose) == nil)
  }

  @Test("Without one joint there is no observation", arguments: Skeleton.vision3d.joints)
  func allOrNone(missing: Joint) throws {
    var pose = try Bodies.random(seed: 5).pose
    pose[missing] = nil
    #expect(throws: ObservationError.missingJoints([missing])) {
      try BodyPose3DObservation(pose: pose, cameraOriginMatrix: Bodies.ahead)
    }
  }

  @Test("Numbers that are not finite make no observation, and the message says which")
  func notFinite() throws {
    var positions = try Bodies.random(seed: 6).allJoints().mapValues(\.position)
    positions[.spine]?.columns.3.x = .nan
    let error = try #require(throws: ObservationError.self) {
      try BodyPose3DObservation(positions: positions, cameraOriginMatrix: Bodies.ahead)
    }
    #expect(error.description.contains("spine"))
    positions[.spine] = .identity
    #expect(throws: ObservationError.self) {
      try BodyPose3DObservation(
        positions: positions,
        cameraOriginMatrix: CameraMatrix(
          rotation: .identity, translation: Vector3(0, .infinity, 0)))
    }
  }

  @Test("A position relative to the parent is the difference of the positions, to the bit")
  func localPositions() throws {
    let observation = try Bodies.random(seed: 7)
    for joint in observation.availableJointNames where joint != .root {
      let point = try observation.recognizedPoint(joint)
      let parent = try observation.recognizedPoint(point.parentJoint)
      let difference = point.position.columns.3 - parent.position.columns.3
      #expect(point.localPosition.columns.3.x == difference.x)
      #expect(point.localPosition.columns.3.y == difference.y)
      #expect(point.localPosition.columns.3.z == difference.z)
      #expect(point.localPosition.columns.3.w == 1)
    }
  }

  @Test("A position whose parent is turned is given in the parent's axes")
  func turnedParent() throws {
    var positions = try Bodies.random(seed: 8).allJoints().mapValues(\.position)
    let quarter = CameraMatrix(
      rotation: Rotation3(Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(0, 0, 1)),
      translation: Vector3(0, 0.5, 0))
    positions[.leftElbow] = quarter.matrix
    positions[.leftWrist] = Matrix4x4(translation: Vector3(0, 0.75, 0))
    let wrist = try BodyPose3DObservation(positions: positions, cameraOriginMatrix: Bodies.ahead)
      .recognizedPoint(.leftWrist)
    #expect(wrist.localVector == Vector3(0.25, 0, 0))
  }
}

@Suite("Observations and their camera") struct ObservationCameraTests {
  let intrinsics = CameraIntrinsics(
    focalLengthPixels: 786, principalXPixels: 530, principalYPixels: 970, imageWidthPixels: 1080,
    imageHeightPixels: 1920)

  @Test("A joint before the camera is M p, in the camera's axes R p", arguments: 1...10)
  func cameraAxes(seed: Int) throws {
    let observation = try Bodies.random(seed: UInt64(seed))
    let matrix = observation.cameraOriginMatrix.matrix
    for joint in observation.availableJointNames {
      let product = matrix * (try observation.recognizedPoint(joint).position)
      let before = try observation.positionBeforeCamera(joint)
      #expect(Bodies.distance(product.translation, before) < 1e-6)
      let turned = try observation.positionInCameraAxes(joint)
      let root = try observation.positionBeforeCamera(.root)
      #expect(Bodies.distance(before - root, turned) < 1e-12)
    }
  }

  @Test("The image of a joint is normalized from the lower left corner")
  func image() throws {
    var pose = try Bodies.random(seed: 4).pose
    pose[.leftWrist] = Vector3(0.5, 0.25, 0)
    let observation = try BodyPose3DObservation(pose: pose, cameraOriginMatrix: Bodies.ahead)
    let root = try observation.pointInImage(.root, intrinsics: intrinsics)
    #expect(root == ImagePoint(x: 530.0 / 1080, y: 970.0 / 1920))
    let wrist = try observation.pointInImage(.leftWrist, intrinsics: intrinsics)
    #expect(abs(wrist.x * 1080 - (530 + 786 * 0.25)) < 1e-9)
    #expect(abs(wrist.y * 1920 - (970 + 786 * 0.125)) < 1e-9)
  }

  @Test("A joint that is not in front of the camera has no image")
  func behind() throws {
    let observation = try BodyPose3DObservation(
      pose: try Bodies.random(seed: 5).pose,
      cameraOriginMatrix: CameraMatrix(rotation: .identity, translation: Vector3(0, 0, 0)))
    #expect(throws: ObservationError.behindCamera(.root)) {
      try observation.pointInImage(.root, intrinsics: intrinsics)
    }
  }

  @Test("Without a principal point it is the middle of the image")
  func middle() {
    let plain = CameraIntrinsics(
      focalLengthPixels: 500, imageWidthPixels: 640, imageHeightPixels: 480)
    #expect(plain.project(Vector3(0, 0, -1)) == ImagePoint(x: 0.5, y: 0.5))
  }

  @Test("Matrices are read column by column and need 16 finite numbers")
  func columnMajor() {
    let entries = (0..<16).map(Double.init)
    #expect(Matrix4x4(columnMajor: entries)?.columns.3 == SIMD4(12, 13, 14, 15))
    #expect(Matrix4x4(columnMajor: entries)?.columnMajor.map(Double.init) == entries)
    #expect(Matrix4x4(columnMajor: Array(entries.dropLast())) == nil)
    #expect(Matrix4x4(columnMajor: entries.map { $0 == 3 ? 1e40 : $0 }) == nil)
  }
}

@Suite("Observations in recordings") struct ObservationRecordingTests {
  @Test("An observation comes back from a recording as it was", arguments: 1...10)
  func roundTrip(seed: Int) throws {
    let observation = try Bodies.random(seed: UInt64(seed))
    let answer = DeviceAnswer(plank: .high, form: .sag)
    var recording = Recording(header: .observations)
    recording.append(time: Seconds(0), pose: nil)
    recording.append(
      time: Seconds(0.1), pose: numbers(observation),
      extras: observation.extras(up: .unitX, answer: answer))
    #expect(try recording.observation(at: 0) == nil)
    #expect(try recording.observation(at: 1) == observation)
    #expect(recording.answer(at: 1) == answer)
    #expect(recording.ownUp(at: 1) == .unitX)
  }

  @Test("A scripted session's frames are judged alike from pelvis and from camera axes")
  func pelvisAndCamera() throws {
    let session = ScriptedSession([.standing: 1, .sideLeft: 1])
    let camera = ScriptedCamera(azimuth: Degrees(25))
    let pelvis = session.pelvisRecording(camera)
    let direct = session.recording(camera)
    for frame in 0..<pelvis.frameCount {
      let observation = try #require(try pelvis.observation(at: frame))
      for joint in Skeleton.vision3d.joints {
        let turned = try observation.positionInCameraAxes(joint)
        let seen = try #require(direct.position(of: joint, at: frame))
        #expect(Bodies.distance(turned, seen) < 1e-6)
      }
    }
  }

  @Test("Other axes, a missing matrix and missing joints are different errors")
  func refusals() throws {
    let observation = try Bodies.random(seed: 2)
    var header = RecordingHeader.observations
    header.frame = .camera
    let camera = Recording(header: header)
    #expect(throws: ObservationError.notPelvisAxes(.camera)) { try camera.observation(at: 0) }
    var pelvis = Recording(header: .observations)
    pelvis.append(time: Seconds(0), pose: numbers(observation))
    #expect(throws: ObservationError.noCameraMatrix(frame: 0)) { try pelvis.observation(at: 0) }
    var partial = numbers(observation)
    partial.replaceSubrange(0..<3, with: [.nan, .nan, .nan])
    pelvis.append(time: Seconds(1), pose: partial, extras: observation.extras())
    #expect(throws: ObservationError.missingJoints([.root])) { try pelvis.observation(at: 1) }
  }

  @Test("The header's height replaces a missing one of a frame, as everywhere")
  func headerHeight() throws {
    let observation = try Bodies.random(seed: 3, bodyHeight: nil)
    var header = RecordingHeader.observations
    header.bodyHeight = Meters(1.7)
    var recording = Recording(header: header)
    recording.append(time: Seconds(0), pose: numbers(observation), extras: observation.extras())
    #expect(try recording.observation(at: 0)?.bodyHeight == Meters(1.7))
  }

  private func numbers(_ observation: BodyPose3DObservation) -> [Float] {
    let pose = observation.pose
    return Skeleton.vision3d.joints.flatMap { pose.positions[3 * $0.index..<3 * $0.index + 3] }
  }
}

enum Bodies {
  /// A camera that faces the body from two meters away.
  static let ahead = CameraMatrix(rotation: .identity, translation: Vector3(0, 0, -2))

  /// A body with random joints within a meter of the root, and a random rigid camera.
  static func random(seed: UInt64, bodyHeight: Meters? = Meters(1.8)) throws
    -> BodyPose3DObservation
  {
    var random = SplitMix64(seed: seed)
    var positions: [Joint: Matrix4x4] = [:]
    for joint in Skeleton.vision3d.joints {
      let offset = joint == .root ? Vector3(0, 0, 0) : random.normalVector(0.4)
      positions[joint] = Matrix4x4(translation: offset)
    }
    let camera = CameraMatrix(
      rotation: random.rotation(), translation: Vector3(0.1, -0.2, -3 - random.unit()))
    return try BodyPose3DObservation(
      positions: positions, cameraOriginMatrix: CameraMatrix(camera.matrix),
      bodyHeight: bodyHeight, heightEstimation: .reference)
  }

  static func distance(_ one: Vector3, _ other: Vector3) -> Double {
    [one.x - other.x, one.y - other.y, one.z - other.z].map(\.magnitude).max() ?? 0
  }
}

@Suite("Angles to the parent") struct ParentAnglesTests {
  @Test("Pitch is a right angle, yaw opens from z, roll turns from x to y")
  func published() {
    let along = ParentAngles(localPosition: SIMD3(0, 0, 0.3))
    #expect(along.pitchRadians == Float.pi / 2)
    #expect(along.yawRadians == 0)
    #expect(along.rollRadians == 0)
    let across = ParentAngles(localPosition: SIMD3(0, 0.3, 0))
    #expect(abs(across.yawRadians - Float.pi / 2) < 1e-6)
    #expect(abs(across.rollRadians - Float.pi / 2) < 1e-6)
    let back = ParentAngles(localPosition: SIMD3(-0.2, 0, 0))
    #expect(abs(back.rollRadians - Float.pi) < 1e-6)
  }

  @Test("The sound direction says the same in degrees", arguments: 1...20)
  func agreement(seed: Int) throws {
    let observation = try Bodies.random(seed: UInt64(seed))
    for joint in observation.availableJointNames where joint != .root {
      let point = try observation.recognizedPoint(joint)
      let published = point.angleToParent
      let sound = try #require(point.directionFromParent)
      #expect(abs(Double(published.yawRadians) * 180 / .pi - sound.polar.value) < 0.05)
      if let azimuth = sound.azimuth {
        #expect(abs(Double(published.rollRadians) * 180 / .pi - azimuth.value) < 1e-4)
      }
    }
  }

  @Test("Near the axis the arc cosine in single precision goes wrong and the direction does not")
  func nearTheAxis() throws {
    let tilt = 1e-4  // radians
    let vector = Vector3(0.3 * tilt, 0, 0.3)
    let published = ParentAngles(
      localPosition: SIMD3(Float(vector.x), Float(vector.y), Float(vector.z)))
    let sound = try #require(BoneDirection(localPosition: vector))
    #expect(published.yawRadians == 0)
    #expect(abs(sound.polar.value - tilt * 180 / .pi) < 1e-9)
  }

  @Test("A bone along z has no azimuth, a bone under a millimeter no direction")
  func undefined() throws {
    let along = try #require(BoneDirection(localPosition: Vector3(0, 0, -0.2)))
    #expect(along.polar.value == 180)
    #expect(along.azimuth == nil)
    #expect(along.length.value == 0.2)
    #expect(BoneDirection(localPosition: Vector3(0, 0.0009, 0)) == nil)
    #expect(BoneDirection(localPosition: Vector3(0, 0.001, 0)) != nil)
    #expect(BoneDirection(localPosition: Vector3(.nan, 0, 0)) == nil)
  }
}

@Suite("Explanations of axes") struct AxesExplanationTests {
  let session = ScriptedSession([.standing: 1, .high: 1])

  @Test("A pelvis recording says that every pose needs its matrix, and how many have one")
  func pelvis() {
    var recording = session.pelvisRecording(ScriptedCamera())
    let last = recording.times.last ?? 0
    let pose = Array(recording.positions.prefix(recording.layout.stride))
    recording.append(time: Seconds(last + 1), pose: pose)
    let text = AxesExplanation(recording)
    #expect(text.axes.hasPrefix("Pelvis axes"))
    #expect(text.consequence.contains("\(recording.frameCount - 1) of \(recording.frameCount)"))
    #expect(text.consequence.contains("count as missing"))
    #expect(text.doubts.isEmpty)
  }

  @Test("A sideways recording without a camera side has no up, and the remedy is given")
  func unknown() {
    var header = RecordingHeader(skeleton: .vision3d, joints: [.root], frame: .camera)
    header.orientation = .landscapeRight
    var recording = Recording(header: header)
    #expect(AxesExplanation(recording).up.contains("give `up`"))
    recording.append(time: Seconds(0), pose: [0, 0, 0], extras: FrameExtras(up: .unitX))
    #expect(AxesExplanation(recording).up == "Up is recorded with every frame.")
    recording.append(time: Seconds(1), pose: nil)
    #expect(AxesExplanation(recording).up.contains("1 of 2 frames"))
  }

  @Test("Pelvis positions under the name of camera axes raise a doubt")
  func suspect() {
    let pelvis = session.pelvisRecording(ScriptedCamera())
    var header = pelvis.header
    header.frame = .camera
    var claimed = Recording(header: header)
    for frame in 0..<pelvis.frameCount {
      let start = frame * pelvis.layout.stride
      claimed.append(
        time: Seconds(pelvis.times[frame]),
        pose: Array(pelvis.positions[start..<start + pelvis.layout.stride]))
    }
    #expect(claimed.looksFixedToPelvis)
    #expect(AxesExplanation(claimed).doubts.first?.contains("cameraOriginMatrix") == true)
    #expect(!session.recording(ScriptedCamera(azimuth: Degrees(30))).looksFixedToPelvis)
  }

  @Test("Reference heights are called what they are", arguments: [true, false])
  func heights(inHeader: Bool) {
    var header = RecordingHeader.observations
    if inHeader { header.heightEstimation = .reference }
    var recording = Recording(header: header)
    recording.append(
      time: Seconds(0), pose: nil,
      extras: FrameExtras(heightEstimation: inHeader ? nil : .reference))
    #expect(AxesExplanation(recording).doubts.contains { $0.contains("1.8 m") })
  }
}
