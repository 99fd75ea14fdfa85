import Foundation
import PlankDetection
import PoseDatasets
import PoseModel
import TestSupport
import Testing

@Suite("The README's detector")
nonisolated struct PlankAnswerTests {
  /// The committed recordings of 3D poses.
  static let recordings: [String] = ["scripted", "studio"].flatMap { name -> [String] in
    let folder = Repository.file("datasets/\(name)").path
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    return paths.filter { $0.contains(".poses.jsonl") && !$0.hasPrefix("generated/") }.sorted()
      .map { "datasets/\(name)/\($0)" }
  }

  @Test("In every frame it gives the bench's answer", arguments: recordings)
  func answers(path: String) throws {
    let recording = try RecordingReader.read(path: Repository.file(path).path).recording
    let debounce = try DebounceStrategy(
      text: "dwell:enter=0.1s,switch=0.1s,exit=0.2s@plank"
        + "+bands:coach_sag_angle=4deg,coach_pike_angle=4deg")
    let bench = try BatchDetector(.coach, debounce: debounce)
    let expected = bench.detect(
      bench.measure(recording), times: recording.times, startsMid: false)
    var detector = try plankDetector()
    var swiftDetector = try PlankDetector(.coach, debounce: debounce)
    let axes = AxesReader(recording.header)
    for frame in 0..<recording.frameCount {
      let up = axes.axes(at: frame, of: recording)?.up ?? .unitY
      let time = recording.times[frame]
      let observation = VisionScene(recording, frame: frame, axes: axes)
      let answer = try detector.answer(
        to: CVPixelBuffer(found: observation.objectiveC), up: up, at: time)
      let other = try swiftDetector.update(
        PoseFrame(observation.swift, up: up, time: Seconds(time)))
      #expect(answer == other, "frame \(frame)")
      #expect(answer.plank.code == expected.plank.answers[frame], "frame \(frame)")
      #expect(answer.form.code == expected.form.answers[frame], "frame \(frame)")
    }
  }

  @Test("Two seconds of a straight plank calibrate it, and a refused hold says why")
  func calibration() throws {
    let recording = try RecordingReader.read(
      path: Repository.file("datasets/scripted/s01-floor.poses.jsonl").path
    ).recording
    let axes = AxesReader(recording.header)
    var detector = try plankDetector()
    var refusals: Set<String> = []
    let straight = recording.times.firstIndex { $0 >= 8 }
    for frame in 0..<recording.frameCount {
      let scene = VisionScene(recording, frame: frame, axes: axes)
      let up = axes.axes(at: frame, of: recording)?.up ?? .unitY
      let time = recording.times[frame]
      if frame == 0 || frame == straight { try detector.startHold() }
      _ = try detector.answer(to: CVPixelBuffer(found: scene.objectiveC), up: up, at: time)
      if let refusal = detector.refusal { refusals.insert("\(refusal)") }
    }
    #expect(refusals.contains { $0.contains("a hold must be a forearm or high plank") })
    #expect(detector.refusal == nil && detector.hold == nil)
    let calibration = try #require(detector.calibration)
    #expect(calibration.offset.magnitude < 3 && calibration.duration == Seconds(2))
    #expect(try plankDetector(for: calibration).calibration == calibration)
  }

  @Test("A detector whose frames lack the camera matrix says so after a second")
  func missingMatrix() throws {
    let path = Repository.file("datasets/scripted/s04-pelvis.poses.jsonl").path
    let recording = try RecordingReader.read(path: path).recording
    var right = try PlankDetector(.gravity)
    var wrong = try PlankDetector(.gravity)
    var planks = (right: 0, wrong: 0)
    for frame in recording.poseFrames {
      planks.right += try right.update(frame).plank == .none ? 0 : 1
      var unturned = frame
      unturned.axes = FrameAxes(up: .unitY)
      planks.wrong += try wrong.update(unturned).plank == .none ? 0 : 1
    }
    #expect(planks.right > 100)
    #expect(planks.wrong < 10)
    #expect(!right.looksFixedToPelvis)
    #expect(wrong.looksFixedToPelvis)
    wrong.reset()
    #expect(!wrong.looksFixedToPelvis)
  }
}

/// A frame of a recording as both of Vision's interfaces would show it.
///
/// A recording in the axes of a camera or of the world becomes an observation whose camera matrix
/// turns nothing.
nonisolated private struct VisionScene {
  let objectiveC: VNHumanBodyPose3DObservation?
  let swift: HumanBodyPose3DObservation?

  init(_ recording: Recording, frame: Int, axes: AxesReader) {
    guard axes.axes(at: frame, of: recording) != nil else {
      (objectiveC, swift) = (nil, nil)
      return
    }
    let matrix = recording.camera(at: frame)?.matrix ?? .identity
    let height = recording.bodyHeight(at: frame)?.value ?? .nan
    var positions: [VNHumanBodyPose3DObservation.JointName: FloatMatrix] = [:]
    var joints: [HumanBodyPose3DObservation.JointName: Joint3D] = [:]
    for joint in Skeleton.vision3d.joints {
      guard let position = recording.position(of: joint, at: frame),
        let key = Skeleton.vision3d.visionKey(of: joint)
      else { continue }
      let column = FloatMatrix(columns: Matrix4x4(translation: position).columns)
      positions[.init(rawValue: VNRecognizedPointKey(rawValue: key))] = column
      for name in HumanBodyPose3DObservation.JointName.allCases where "\(name)" == joint.name {
        joints[name] = Joint3D(position: column)
      }
    }
    objectiveC = VNHumanBodyPose3DObservation(
      positions: positions, images: [:], bodyHeight: Float(height), heightEstimation: .measured,
      cameraOriginMatrix: FloatMatrix(columns: matrix.columns))
    swift = HumanBodyPose3DObservation(
      bodyHeight: Measurement(value: Double(Float(height)), unit: .meters),
      heightEstimationTechnique: .measured,
      cameraOriginMatrix: FloatMatrix(columns: matrix.columns), joints: joints)
  }
}

@Suite("Exported thresholds")
nonisolated struct ThresholdsTests {
  @Test("A built-in detector has its numbers")
  func builtIn() throws {
    let parameters = try PlankThresholds.parameters()
    #expect(try PlankThresholds.definition() == .gravity)
    #expect(parameters[.sag] == 0.02 && PlankThresholds.sag == 0.02)
    let detector = try PlankThresholds.detector()
    #expect(detector.definition == .gravity && detector.parameters == parameters)
    #expect(try PlankThresholds.smoothing().steps.map(\.settings.kind) == [.oneEuro, .exponential])
    #expect(try PlankThresholds.smoothing().steps[0].settings[ParameterKey("beta")] == 0.3)
    let debounce = try PlankThresholds.debounce()
    #expect(debounce.plank?.kind == .dwell && debounce.form == nil)
    #expect(debounce.bands == [try SchmittBand(.elbowSplit, halfWidth: 5)])
  }

  @Test("A detector of one's own has its rules too")
  func custom() throws {
    let definition = try CautiousThresholds.definition()
    #expect(definition.name == "cautious" && definition.summary == "leans \"less\"")
    #expect(definition.axes == .article)
    #expect(
      definition.plank.sentences == [
        "none if verticalRatio >= lean", "none if bounce > elbow_split",
        "high if elbowAngle > elbow_split and shoulderRise < -side_rise", "forearm otherwise",
      ])
    #expect(definition.form.sentences == ["sag if hipDeviation < -sag", "aligned otherwise"])
    #expect(definition.expressions.map(\.name) == ["bend", "bounce"])
    #expect(definition.expressions[1].definition == "speed(bend, 0.5s) * 1s")
    let parameters = try CautiousThresholds.parameters()
    #expect(parameters[ParameterKey("lean")] == 0.35)
    #expect(parameters[.elbowSplit] == 128.5)
    #expect(definition.defaults[.sag] == 0.03)
    #expect(try CautiousThresholds.smoothing() == .none)
    #expect(try CautiousThresholds.debounce() == .parameters)
  }
}
