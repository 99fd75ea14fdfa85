import Foundation
import PoseDatasets
import PoseModel
import Synchronization
import TestSupport
import Testing

@testable import PlankBench
@testable import Reports

@Suite("Movies read with Vision") struct VisionMovieReaderTests {
  /// A session in pelvis axes, with a stretch in which nobody is found.
  private static let session = ScriptedSession(
    [.standing: 1, .sideLeft: 1], rate: 5, dropouts: [ScriptedDropout(from: 0.3, to: 0.7)]
  ).pelvisRecording(ScriptedCamera(azimuth: Degrees(25)))

  /// The session as a movie whose track begins late.
  private func movie(
    start: Double = 0.5, orientation: CGImagePropertyOrientation = .up,
    height: Float = 1.75
  ) -> StandInMovie {
    var movie = StandInMovie(start: start)
    for frame in 0..<Self.session.frameCount {
      movie.samples.append(
        .init(
          time: start + Self.session.times[frame],
          scene: StandInScene(
            orientation: orientation, person: person(at: frame, height: height),
            people: [crowd(0.4), crowd(1)])))
    }
    return movie
  }

  private func person(at frame: Int, height: Float) -> VNHumanBodyPose3DObservation? {
    guard let camera = Self.session.camera(at: frame) else { return nil }
    var positions: [VNHumanBodyPose3DObservation.JointName: FloatMatrix] = [:]
    for joint in Skeleton.vision3d.joints {
      guard let position = Self.session.position(of: joint, at: frame),
        let key = Skeleton.vision3d.visionKey(of: joint)
      else { continue }
      positions[.init(rawValue: VNRecognizedPointKey(rawValue: key))] = FloatMatrix(
        columns: Matrix4x4(translation: position).columns)
    }
    return VNHumanBodyPose3DObservation(
      positions: positions, bodyHeight: height, heightEstimation: .measured,
      cameraOriginMatrix: FloatMatrix(columns: camera.matrix.columns))
  }

  /// A person in two dimensions of some size; the nose is not found.
  private func crowd(_ size: Double) -> VNHumanBodyPoseObservation {
    VNHumanBodyPoseObservation(
      points: Dictionary(
        uniqueKeysWithValues: Skeleton.vision2d.joints.enumerated().compactMap { slot, joint in
          Skeleton.vision2d.visionKey(of: joint).map {
            (
              .init(rawValue: VNRecognizedPointKey(rawValue: $0)),
              VNRecognizedPoint(
                x: size * Double(slot) / 32, y: size / Double(slot + 1),
                confidence: joint == .nose ? 0 : 0.5)
            )
          }
        }))
  }

  /// Reads a movie under a name of its own.
  private func read(
    _ movie: StandInMovie, _ change: (inout MovieRequest) -> Void = { _ in }
  ) async throws -> RecordedMovie {
    let path = "/movies/\(UUID().uuidString).mov"
    StandInMovie.all.withLock { $0[path] = movie }
    defer { StandInMovie.all.withLock { $0[path] = nil } }
    var request = MovieRequest(path: path, name: "movie")
    change(&request)
    return try await VisionMovieReader(request: request).record { _ in }
  }

  @Test("Every frame is recorded as Vision saw it, at its time since the track began")
  func frames() async throws {
    let recording = try await read(movie()).poses.recording
    #expect(recording.times == Self.session.times)
    #expect((0..<recording.frameCount).contains { !recording.hasPose(at: $0) })
    for frame in 0..<recording.frameCount {
      let expected = try Self.session.observation(at: frame)
      let found = try recording.observation(at: frame)
      #expect((found == nil) == (expected == nil))
      for joint in Skeleton.vision3d.joints { #expect(found?.pose[joint] == expected?.pose[joint]) }
      #expect(found?.cameraOriginMatrix.matrix == expected?.cameraOriginMatrix.matrix)
      #expect(found.map { $0.bodyHeight == Meters(1.75) } ?? true)
      #expect(found.map { $0.heightEstimation == .measured } ?? true)
    }
    #expect(recording.confidences.isEmpty)
  }

  @Test("The header says what is known: upright pictures, their size, and up in them")
  func header() async throws {
    var sideways = movie(orientation: .right)
    sideways.transform = CGAffineTransform(a: 0, b: 1, c: -1, d: 0)
    let header = try await read(sideways) {
      $0.subject = "anna"
      $0.selection.every = 2
    }.poses.recording.header
    #expect(header.frame == .pelvis && header.buffer == .upright && header.orientation == nil)
    #expect(header.up == .unitY)
    #expect(header.imageSize == ImageSize(width: 1080, height: 1920))
    #expect(header.nominalRate == Hertz(15))
    #expect(header.subject == "anna")
  }

  @Test(
    "Vision is told how the track turns its pictures",
    arguments: [
      ([1.0, 0, 0, 1], CGImagePropertyOrientation.up), ([0, 1, -1, 0], .right),
      ([-1, 0, 0, -1], .down), ([0, -1, 1, 0], .left),
    ])
  func orientation(numbers: [Double], orientation: CGImagePropertyOrientation) async throws {
    var turned = movie(orientation: orientation)
    turned.transform = CGAffineTransform(
      a: numbers[0], b: numbers[1], c: numbers[2], d: numbers[3])
    let recording = try await read(turned).poses.recording
    #expect((0..<recording.frameCount).contains(where: recording.hasPose))
  }

  @Test("A mirrored track is refused with the remedy")
  func mirrored() async throws {
    var flipped = movie()
    flipped.transform = CGAffineTransform(a: -1, b: 0, c: 0, d: 1)
    let failure = await #expect(throws: WorkflowFailure.self) { try await read(flipped) }
    #expect(failure?.status == .badData)
    #expect(failure?.message.contains("give --mirrored") ?? false)
  }

  @Test("Only the frames of the bounds are recorded, one of so many, and reading stops at the end")
  func selection() async throws {
    var long = movie()
    long.failsAfter = 9  // behind the end
    let recording = try await read(long) {
      $0.selection = FrameSelection(every: 2, start: 0.3, end: 1.5)
    }.poses.recording
    #expect(recording.times == [0.4, 0.8, 1.2])
  }

  @Test("Every frame is read in a pool of its own")
  func pools() async throws {
    let before = StandInPool.readOutside.withLock { $0 }
    _ = try await read(movie())
    #expect(StandInPool.readOutside.withLock { $0 } == before)
  }

  @Test("A movie that cannot be read to its end is an error, not a short recording")
  func failing() async throws {
    var broken = movie()
    broken.failsAfter = 3
    let failure = await #expect(throws: WorkflowFailure.self) { try await read(broken) }
    #expect(failure?.status == .badData)
    #expect(failure?.message.contains("(the stand-in failed)") ?? false)
  }

  @Test("What is no movie, and a movie without pictures, are errors")
  func unreadable() async throws {
    let failure = await #expect(throws: WorkflowFailure.self) {
      try await VisionMovieReader(request: MovieRequest(path: "/nowhere", name: "x")).record { _ in
      }
    }
    #expect(failure?.status == .badData)
    let silent = await #expect(throws: WorkflowFailure.self) {
      try await read(StandInMovie(hasVideo: false))
    }
    #expect(silent?.message.contains("no video track") ?? false)
    let empty = await #expect(throws: WorkflowFailure.self) { try await read(StandInMovie()) }
    #expect(empty?.message.contains("no frame") ?? false)
  }

  @Test("A movie without a person is a recording without poses")
  func nobody() async throws {
    var empty = movie()
    for index in empty.samples.indices { empty.samples[index].scene?.person = nil }
    let recording = try await read(empty).poses.recording
    #expect(recording.times == Self.session.times)
    #expect(!(0..<recording.frameCount).contains(where: recording.hasPose))
  }

  @Test("Frames that cannot be recorded as found are counted, marks between frames are not")
  func problems() async throws {
    var odd = movie(height: -1)
    odd.samples[1].scene = nil
    odd.samples.insert(.init(time: odd.samples[2].time, scene: odd.samples[2].scene), at: 3)
    odd.samples.insert(.init(time: 99, isMark: true), at: 1)
    let poses = try await read(odd).poses
    #expect(poses.recording.times == Self.session.times)
    #expect(!poses.recording.hasPose(at: 1))
    #expect(poses.notes.contains("1 frame left out, not later than the frame before"))
    #expect(poses.notes.contains("1 frame without a picture, recorded without a pose"))
    #expect(poses.notes.contains { $0.hasSuffix("without a usable height") })
    #expect(poses.recording.bodyHeight(at: 0) == nil)
  }

  @Test("A frame without a time is an error")
  func timeless() async throws {
    var odd = movie()
    odd.samples[2].time = .nan
    let failure = await #expect(throws: WorkflowFailure.self) { try await read(odd) }
    #expect(failure?.message.contains("frame 3 has no presentation time") ?? false)
  }

  @Test("A failure of Vision says when, and what else to try")
  func vision() async throws {
    var odd = movie()
    odd.samples[2].scene?.isBroken = true
    let failure = await #expect(throws: WorkflowFailure.self) { try await read(odd) }
    #expect(failure?.status == .unexpected)
    #expect(failure?.message.contains("failed at 0.4 s (the stand-in failed)") ?? false)
  }

  @Test("Points of the same pictures are recorded where asked for, of the most prominent person")
  func points() async throws {
    #expect(try await read(movie()).points == nil)
    let found = try await read(movie()) { $0.findsPoints = true }.points
    let recording = try #require(found).recording
    #expect(recording.times == Self.session.times)
    #expect(recording.header.skeleton == .vision2d)
    #expect(recording.header.imageSize == ImageSize(width: 1920, height: 1080))
    for (slot, joint) in Skeleton.vision2d.joints.enumerated() {
      let place = Vector3(Double(Float(slot) / 32), Double(Float(1 / Double(slot + 1))), 0)
      let found = recording.position(of: joint, at: 2)
      #expect(found.map { ($0 - place).norm < 1e-6 } ?? (joint == .nose))
    }
  }

  @Test("A mirror image is turned back, left and right with it")
  func mirrorImage() async throws {
    let plain = try await read(movie()).poses.recording
    let turned = try await read(movie()) { $0.isMirrored = true }.poses
    #expect(!turned.recording.header.isMirrored)
    let left = try #require(plain.position(of: .leftWrist, at: 0))
    let right = try #require(turned.recording.position(of: .rightWrist, at: 0))
    #expect((right - Vector3(-left.x, left.y, left.z)).norm < 1e-9)
    #expect(turned.notes.contains { $0.hasPrefix("mirrored images") })
  }
}
