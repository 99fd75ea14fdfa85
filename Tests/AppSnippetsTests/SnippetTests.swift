import Foundation
import PoseDatasets
import PoseModel
import TestSupport
import Testing

@Suite("App snippets")
nonisolated struct SnippetTests {
  let scenes = Scenes()
  let answer = DeviceAnswer(plank: .sideLeft, form: .aligned)

  @Test("What the recorder for the Objective-C API writes is read back as it was seen")
  func objectiveC() throws {
    try withTemporaryFile { path in
      let recorder = try VisionRecorder(path: path, subject: "s01", bufferRotation: .upright)
      for frame in 0..<scenes.recording.frameCount {
        try recorder.record(
          CVPixelBuffer(found: scenes.observation(at: frame)), at: scenes.recording.times[frame],
          up: .unitY, answer: answer)
      }
      try check(try RecordingReader.read(path: path).recording, hasAnswers: true)
    }
  }

  @Test("What the recorder for the Swift-only API writes is read back as it was seen")
  func swiftOnly() throws {
    try withTemporaryFile { path in
      let recorder = try SwiftVisionRecorder(path: path, subject: "s01", bufferRotation: .upright)
      for frame in 0..<scenes.recording.frameCount {
        try recorder.record(
          scenes.swiftObservation(at: frame), at: scenes.recording.times[frame], up: .unitY,
          answer: answer)
      }
      try check(try RecordingReader.read(path: path).recording, hasAnswers: true)
    }
  }

  @Test("The Swift-only recorder records what its request finds")
  func request() async throws {
    let path = temporaryPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let recorder = try SwiftVisionRecorder(path: path, subject: "s01", bufferRotation: .upright)
    let found = try #require(scenes.swiftObservation(at: 0))
    let request = DetectHumanBodyPose3DRequest(found: [found])
    try await recorder.record(CVPixelBuffer(found: nil), at: 0, using: request)
    let recording = try RecordingReader.read(path: path).recording
    #expect(recording.frameCount == 1)
    #expect(recording.hasPose(at: 0))
  }

  @Test("A recording that was never closed is complete up to its last line")
  func unclosed() throws {
    try withTemporaryFile { path in
      let recorder = try VisionRecorder(path: path, subject: "s01", bufferRotation: .upright)
      try recorder.record(CVPixelBuffer(found: scenes.observation(at: 0)), at: 0)
      try recorder.record(CVPixelBuffer(found: nil), at: 0.1)
      #expect(try RecordingReader.read(path: path).recording.frameCount == 2)
      withExtendedLifetime(recorder) {}
    }
  }

  @Test(
    "Up from gravity is what the table of orientations says",
    arguments: CameraPosition.allCases, DeviceOrientation.allCases)
  func up(camera: CameraPosition, orientation: DeviceOrientation) throws {
    let gravity =
      switch orientation {
      case .portrait: CMAcceleration(x: 0, y: -1, z: 0)
      case .portraitUpsideDown: CMAcceleration(x: 0, y: 1, z: 0)
      case .landscapeLeft: CMAcceleration(x: -1, y: 0, z: 0)
      case .landscapeRight: CMAcceleration(x: 1, y: 0, z: 0)
      }
    var header = RecordingHeader.observations
    header.orientation = orientation
    header.cameraPosition = camera
    header.buffer = .fixed
    let up = try #require(upVector(gravity: gravity, camera: camera))
    #expect(UpDirection.known(up) == header.upDirection)
    #expect(upVector(gravity: CMAcceleration(x: 0, y: 0, z: 0), camera: camera) == nil)
  }

  @Test(
    "Buffers are turned upright where the camera can, else their turn is recorded",
    arguments: [([0.0, 90, 180, 270], 90.0, 0), ([0], 90, 270), ([0, 90], 180, 180)])
  func rotation(supported: [Double], upright: Double, degrees: Int) {
    let connection = AVCaptureConnection(supported: supported.map { CGFloat($0) })
    #expect(bufferRotation(of: connection, upright: CGFloat(upright))?.degrees == degrees)
  }

  @Test("A dump is imported, and its image points show what the matrix means")
  func dump() throws {
    var text =
      #"{"format":"vision3d-dump","version":1,"orientation":"portrait","imageWidth":1080,"#
      + #""imageHeight":1920,"subject":"s01"}"# + "\n"
    for frame in 0..<scenes.recording.frameCount {
      let line = try dumpLine(
        of: scenes.observation(at: frame), at: scenes.recording.times[frame])
      text += String(decoding: line, as: UTF8.self)
    }
    let file = NamedText(name: "dump.jsonl", text: text)
    let sequences = try VisionSource().sequences(from: [file])
    let finding = "camera matrices found to be \(CameraConvention.standard)"
    #expect(sequences[0].notes.contains { $0.contains(finding) })
    try self.check(sequences[0].recording, hasAnswers: false)
  }

  @Test("A dump of 2D poses is imported, the larger of two people with every point as it was seen")
  func imageDump() throws {
    let header = #"{"format":"vision2d-dump","version":1,"imageWidth":1080,"imageHeight":1920}"#
    var text = header + "\n"
    for frame in 0..<3 {
      let people = [0.4, 1].map { size in
        VNHumanBodyPoseObservation(
          points: Dictionary(
            uniqueKeysWithValues: Skeleton.vision2d.joints.enumerated().compactMap { slot, joint in
              Skeleton.vision2d.visionKey(of: joint).map {
                (
                  .init(rawValue: VNRecognizedPointKey(rawValue: $0)),
                  VNRecognizedPoint(
                    x: size * Double(slot) / 32, y: size / Double(slot + 1),
                    confidence: Float(slot) / 32)
                )
              }
            }))
      }
      text += String(decoding: try imageLine(of: people, at: Double(frame) / 8), as: UTF8.self)
    }
    text += String(decoding: try imageLine(of: [], at: 1), as: UTF8.self)
    let file = NamedText(name: "dump.jsonl", text: text)
    let recording = try #require(try Vision2DSource().sequences(from: [file]).first).recording
    #expect((0..<4).map(recording.hasPose) == [true, true, true, false])
    for (slot, joint) in Skeleton.vision2d.joints.enumerated() {
      let point = Vector3(Double(slot) / 32, Double(Float(1 / Double(slot + 1))), 0)
      #expect(recording.position(of: joint, at: 2) == (slot == 0 ? nil : point))
      #expect(recording.confidences[slot] == Float(slot) / 32)
    }
  }

  private func check(_ recording: Recording, hasAnswers: Bool) throws {
    #expect(recording.header.subject == "s01")
    #expect(recording.header.frame == .pelvis)
    #expect(recording.header.orientation == .portrait)
    #expect(recording.times == scenes.recording.times)
    for frame in 0..<recording.frameCount {
      let found = try recording.observation(at: frame)
      let expected = try scenes.recording.observation(at: frame)
      #expect((found == nil) == (expected == nil))
      for joint in Skeleton.vision3d.joints {
        #expect(found?.pose[joint] == expected?.pose[joint])
      }
      #expect(found?.cameraOriginMatrix.matrix == expected?.cameraOriginMatrix.matrix)
      #expect(found.map { $0.bodyHeight == Meters(1.75) } ?? true)
      #expect(found.map { $0.heightEstimation == .measured } ?? true)
      if hasAnswers, found != nil {
        #expect(recording.answer(at: frame) == answer)
        #expect(recording.ownUp(at: frame) == .unitY)
      }
    }
    #expect((0..<recording.frameCount).contains { !recording.hasPose(at: $0) })
  }
}

nonisolated func temporaryPath() -> String {
  FileManager.default.temporaryDirectory.appendingPathComponent(
    "snippet-\(UUID().uuidString).poses.jsonl"
  ).path
}

nonisolated func withTemporaryFile(_ body: (String) throws -> Void) throws {
  let path = temporaryPath()
  defer { try? FileManager.default.removeItem(atPath: path) }
  try body(path)
}

/// A scripted session as both of Vision's APIs would show it.
nonisolated struct Scenes {
  let recording = ScriptedSession(
    ScriptedBody(stature: Meters(1.75)), rate: Hertz(5),
    dropouts: [ScriptedDropout(from: 0.3, to: 0.7)],
    phases: [ScriptedPhase(.standing, seconds: 1), ScriptedPhase(.sideLeft, seconds: 1)]
  ).pelvisRecording(ScriptedCamera(azimuth: Degrees(25)))

  let intrinsics = CameraIntrinsics(
    focalLengthPixels: 1400, imageWidthPixels: 1080, imageHeightPixels: 1920)

  func observation(at frame: Int) -> VNHumanBodyPose3DObservation? {
    guard let camera = recording.camera(at: frame) else { return nil }
    var positions: [VNHumanBodyPose3DObservation.JointName: FloatMatrix] = [:]
    var images: [VNHumanBodyPose3DObservation.JointName: VNPoint] = [:]
    for joint in Skeleton.vision3d.joints {
      guard let position = recording.position(of: joint, at: frame),
        let key = Skeleton.vision3d.visionKey(of: joint),
        let image = intrinsics.project(camera(position))
      else { continue }
      let name = VNHumanBodyPose3DObservation.JointName(
        rawValue: VNRecognizedPointKey(rawValue: key))
      positions[name] = FloatMatrix(columns: Matrix4x4(translation: position).columns)
      images[name] = VNPoint(x: image.x, y: image.y)
    }
    return VNHumanBodyPose3DObservation(
      positions: positions, images: images, bodyHeight: 1.75, heightEstimation: .measured,
      cameraOriginMatrix: FloatMatrix(columns: camera.matrix.columns))
  }

  /// What the Swift-only API finds in a frame.
  func swiftObservation(at frame: Int) -> HumanBodyPose3DObservation? {
    guard let camera = recording.camera(at: frame) else { return nil }
    var joints: [HumanBodyPose3DObservation.JointName: Joint3D] = [:]
    for name in HumanBodyPose3DObservation.JointName.allCases {
      guard let joint = Joint(name: "\(name)"),
        let position = recording.position(of: joint, at: frame)
      else { continue }
      joints[name] = Joint3D(
        position: FloatMatrix(columns: Matrix4x4(translation: position).columns))
    }
    return HumanBodyPose3DObservation(
      bodyHeight: Measurement(value: 175, unit: .centimeters),
      heightEstimationTechnique: .measured,
      cameraOriginMatrix: FloatMatrix(columns: camera.matrix.columns), joints: joints)
  }
}
