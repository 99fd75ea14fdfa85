import Foundation
import PlankDetection
import PoseDatasets
import PoseModel
import PoseRecording
import TestSupport
import Testing

/// The Swift that the documentation of the three libraries shows.
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
    #expect(said.contains("Calibrated.") && said.last == "Good.")
    let calibration = try #require(coach.calibration)
    #expect(calibration.offset.magnitude < 5 && calibration.frames == 40)
    #expect(try CalibratedCoach(calibration: calibration).calibration == calibration)
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
