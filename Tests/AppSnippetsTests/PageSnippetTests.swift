import Foundation
import PlankDetection
import PoseDatasets
import PoseModel
import PoseRecording
import TestSupport
import Testing

@Suite("The Swift on pages")
nonisolated struct PageSnippetTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  static let shown = [
    "README.md": ["PlankAnswer.swift"],
    "docs/recording.md": [
      "VisionRecorder.swift", "SwiftVisionRecorder.swift", "BufferRotation.swift", "UpVector.swift",
      "VisionDumpLine.swift", "VisionImageLine.swift",
    ],
    "docs/smoothing.md": ["SteadyCoach.swift"],
  ]

  @Test(
    "A page shows exactly the source that is compiled and tested", arguments: shown.keys.sorted())
  func source(page: String) throws {
    let text = try Repository.text(page)
    for name in try #require(Self.shown[page]) {
      let source = try String(
        contentsOf: Self.folder.appendingPathComponent("Snippets/\(name)"), encoding: .utf8)
      #expect(text.contains("```swift\n\(source)```\n"), "\(name) differs from \(page)")
    }
  }

  @Test(
    "Every piece of Swift on a page is one of the tested sources", arguments: shown.keys.sorted())
  func nothingElse(page: String) throws {
    // A dependency of a manifest is no program of its own; scripts/prove-app-package builds one.
    let pieces = try Repository.text(page).components(separatedBy: "```swift\n").dropFirst()
      .filter { !$0.hasPrefix(".package(") }
    #expect(pieces.count == Self.shown[page]?.count)
  }

  @Test("Every tested source is on a page")
  func nothingHidden() throws {
    let files = try FileManager.default.contentsOfDirectory(
      atPath: Self.folder.appendingPathComponent("Snippets").path)
    #expect(Set(files.filter { $0.hasSuffix(".swift") }) == Set(Self.shown.values.joined()))
  }
}

@Suite("Documentation catalogs")
nonisolated struct CatalogTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  static let shown = [
    "TrunkTilt.swift": "PoseModel/PoseModel.docc/MeasuringAPose.md",
    "PlankCoach.swift": "PlankDetection/PlankDetection.docc/CoachingALiveSession.md",
    "CalibratedCoach.swift": "PlankDetection/PlankDetection.docc/CalibratingToAPerson.md",
    "SessionRecorder.swift": "PoseRecording/PoseRecording.docc/RecordingASession.md",
  ]
  let session = ScriptedSession(
    ScriptedBody(stature: Meters(1.75)), rate: Hertz(20),
    phases: [ScriptedPhase(.standing, seconds: 1), ScriptedPhase(.forearm, seconds: 4)])

  @Test(
    "A page shows exactly the source that is compiled and tested", arguments: shown.keys.sorted())
  func source(name: String) throws {
    let source = try String(
      contentsOf: Self.folder.appendingPathComponent("Catalogs/\(name)"), encoding: .utf8)
    let page = try #require(Self.shown[name])
    #expect(try text(of: page).contains("```swift\n\(source)```\n"), "\(name) differs from \(page)")
  }

  @Test("Every piece of Swift in the catalogs is one of the tested sources")
  func nothingElse() throws {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
    let pages = paths.filter { $0.contains(".docc/") && $0.hasSuffix(".md") }
    #expect(pages.count >= 10)
    for page in pages {
      let fences = try text(of: page).components(separatedBy: "```swift\n").count - 1
      #expect(fences == (Self.shown.values.contains(page) ? 1 : 0), "\(page)")
    }
  }

  @Test("The tilt of the trunk is near 0 for a standing body and near 90 for a lying one")
  func tilt() throws {
    let tilts = trunkTilts(in: session.pelvisRecording(ScriptedCamera(azimuth: Degrees(25))))
    #expect(try #require(tilts[10]) < 10)
    #expect(try #require(tilts[80]) > 75)
  }

  @Test("The coach asks for a plank, then to hold it, and pauses when the person is gone")
  func coach() throws {
    let recording = session.pelvisRecording(ScriptedCamera(azimuth: Degrees(25)))
    var coach = try PlankCoach()
    var pose = Pose()
    var said: [String] = []
    for frame in 0..<recording.frameCount {
      pose.load(recording, frame: frame)
      said.append(
        try coach.see(
          pose, camera: recording.camera(at: frame), up: .unitY,
          at: Seconds(recording.times[frame])))
    }
    #expect(said[10] == "Get into a plank.")
    #expect(said.last == "Hold it.")
    let later = Seconds(try #require(recording.times.last) + 2)
    let gone = try coach.see(nil, camera: nil, up: .unitY, at: later)
    #expect(gone.hasPrefix("Paused until "))
  }

  @Test("A calibrated coach asks for a still plank, then judges by what it has learned")
  func calibratedCoach() throws {
    let recording = session.pelvisRecording(ScriptedCamera(azimuth: Degrees(25)))
    let frames = Array(recording.poseFrames)
    var coach = try CalibratedCoach()
    for frame in frames.prefix(30) { _ = try coach.see(frame) }
    try coach.startHold()
    let said = try frames.dropFirst(30).map { try coach.see($0) }
    #expect(said[0].hasPrefix("Once more: the answer at 1.5 s is none"), "\(said[0])")
    #expect(said.contains { $0.hasPrefix("Hold still for ") })
    #expect(said.last == "Good.")
    let calibration = try #require(coach.detector.calibration)
    #expect(calibration.offset.magnitude < 5 && calibration.frames == 40)
    #expect(try CalibratedCoach(calibration: calibration).detector.calibration == calibration)
  }

  @Test("The recorder writes what it is given and counts what it refuses")
  func recorder() throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(UUID().uuidString).poses.jsonl").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let recording = session.pelvisRecording(ScriptedCamera(azimuth: Degrees(25)))
    let recorder = try SessionRecorder(path: path, subject: "s01")
    var pose = Pose()
    for frame in [0, 1, 1, 2] {
      pose.load(recording, frame: frame)
      recorder.record(
        pose, camera: recording.camera(at: frame), up: .unitY,
        shown: DeviceAnswer(plank: PlankClass.none, form: .aligned),
        at: Seconds(recording.times[frame]))
    }
    try recorder.finish()
    #expect(recorder.refusals == 1)
    #expect(try RecordingReader.read(path: path).recording.frameCount == 3)
  }

  private var sources: URL { Repository.file("Sources") }

  private func text(of page: String) throws -> String {
    try String(contentsOf: sources.appendingPathComponent(page), encoding: .utf8)
  }
}

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
    var detector = try plankDetector()
    _ = try detector.answer(to: CVPixelBuffer(found: observation), up: .unitY, at: 0)
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
