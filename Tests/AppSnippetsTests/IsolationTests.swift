import Foundation
import PlankDetection
import PoseDatasets
import PoseModel
import Testing

/// Where an app's camera delivers its frames: not on the main actor.
///
/// This target is compiled like a new app project, with everything on the main actor that does not
/// say otherwise. What the pages show must compile here without waiting for the main actor.
private actor CaptureQueue {
  private let path: String

  init(path: String) { self.path = path }

  /// Records a frame with each recorder and asks each detector, and tells whether that ran off the
  /// main thread.
  func work(_ scenes: Scenes) throws -> Bool {
    let observation = scenes.observation(at: 0)
    let recorder = try VisionRecorder(
      path: path + "-1", subject: "s01", bufferRotation: .upright)
    try recorder.record(CVPixelBuffer(found: observation), at: 0)
    let swiftRecorder = try SwiftVisionRecorder(
      path: path + "-2", subject: "s01", bufferRotation: .upright)
    try swiftRecorder.record(scenes.swiftObservation(at: 0), at: 0)
    let session = try SessionRecorder(path: path + "-3", subject: "s01")
    let shown = DeviceAnswer(plank: nil, form: nil)
    session.record(nil, camera: nil, up: nil, shown: shown, at: Seconds(0))
    _ = upVector(gravity: CMAcceleration(x: 0, y: -1, z: 0), camera: .back)
    _ = try dumpLine(of: observation, at: 0)
    _ = try imageLine(of: [], at: 0)
    var watcher = try PlankWatcher()
    _ = try watcher.answer(to: CVPixelBuffer(found: observation), up: .unitY, at: 0)
    var coach = try SteadyCoach()
    _ = try coach.see(PoseFrame(observation, up: .unitY, time: Seconds(0)))
    var line = try PlankCoach()
    _ = try line.see(nil, camera: nil, up: .unitY, at: Seconds(0))
    return !Thread.isMainThread
  }
}

@Suite("Snippets off the main actor")
nonisolated struct IsolationTests {
  @Test("Recorders and detectors run where frames arrive, without the main thread")
  func captureQueue() async throws {
    let path = temporaryPath()
    defer {
      for part in 1...3 { try? FileManager.default.removeItem(atPath: "\(path)-\(part)") }
    }
    #expect(try await CaptureQueue(path: path).work(Scenes()))
    #expect(try RecordingReader.read(path: path + "-1").recording.hasPose(at: 0))
    #expect(try RecordingReader.read(path: path + "-2").recording.hasPose(at: 0))
  }

  @Test("The three stages show seconds and points while the session runs, and a result at its end")
  func coach() throws {
    let scenes = Scenes()
    var coach = try SteadyCoach()
    var said: [String] = []
    for frame in scenes.recording.poseFrames { said.append(try coach.see(frame)) }
    #expect(said.first == "none, aligned: 0 s")
    #expect(said.last?.hasPrefix("sideLeft, ") == true)
    let end = try #require(scenes.recording.times.last)
    let result = coach.result(finishedAt: Seconds(end))
    #expect(try !JSONEncoder().encode(result).isEmpty)
  }
}
