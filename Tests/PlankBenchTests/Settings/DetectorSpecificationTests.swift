import Foundation
import PlankDetection
import PoseDatasets
import PoseModel
import TestSupport
import Testing
import Tuning

@testable import PlankBench

/// Detectors as YAML.
@Suite("Detector specification")
struct DetectorSpecificationTests {
  private static let complete = """
    name: cautious
    description: a test
    axes: article
    parameters:
      sag: 3cm
      lean: {unit: "-", default: 0.4, range: [0, 1], meaning: the largest lean}
    plank:
      - none: verticalRatio >= lean
      - high: [elbowAngle > elbow_split, shoulderRise < -side_rise]
      - forearm
    form:
      - sag: hipDeviation < -sag
      - aligned
    """

  @Test("A complete file gives the detector that it describes")
  func completeFile() throws {
    let detector = try DetectorSpecification.parse(Self.complete, file: "mine.yaml")
    #expect(detector.name == "cautious")
    #expect(detector.axes == .article)
    #expect(
      detector.plank.sentences == [
        "none if verticalRatio >= lean",
        "high if elbowAngle > elbow_split and shoulderRise < -side_rise", "forearm otherwise",
      ])
    #expect(detector.form.sentences == ["sag if hipDeviation < -sag", "aligned otherwise"])
    #expect(detector.defaults[.sag] == 0.03)
    #expect(detector.defaults[ParameterKey("lean")] == 0.4)
    #expect(detector.defaults[.plankFrames] == 1)
  }

  private static let own = """
    name: own
    parameters:
      reach_limit: {unit: body heights, default: 0.2, range: [0, 1]}
      pace_limit: {unit: deg/s, default: 20, range: [0, 90]}
    conditions:
      steady: not (moving or far)
      moving: pace > pace_limit or pace < -pace_limit
      far: reach > reach_limit
    measurements:
      pace: speed(bend, 0.5s)
      bend: angle(hips, knees, ankles)
      reach: distance(wrists, shoulders) / bodyHeight
    plank:
      - high: [steady, elbowAngle > elbow_split]
      - none: moving or far
      - forearm
    form: [aligned]
    """

  @Test("Measurements and conditions may be in any order, and `or` becomes several rules")
  func expressions() throws {
    let detector = try DetectorSpecification.parse(Self.own, file: "own.yaml")
    #expect(detector.expressions.map(\.name) == ["bend", "pace", "reach"])
    #expect(detector.expressions.map(\.unit) == [.degrees, .degreesPerSecond, .bodyHeights])
    #expect(
      detector.plank.sentences == [
        "high if pace <= pace_limit and pace >= -pace_limit and reach <= reach_limit "
          + "and elbowAngle > elbow_split",
        "none if pace > pace_limit", "none if pace < -pace_limit", "none if reach > reach_limit",
        "forearm otherwise",
      ])
  }

  @Test("A thresholds file keeps measurements and rules")
  func thresholdsFile() throws {
    let detector = try DetectorSpecification.parse(Self.own, file: "own.yaml")
    let text = JSONText.of(
      Thresholds(
        definition: detector, parameters: detector.defaults, smoothing: .none,
        debounce: .parameters))
    let read = try ThresholdsFile.parse(text, file: "thresholds.json").definition
    #expect(read.plank == detector.plank && read.form == detector.form)
    #expect(Set(read.expressions) == Set(detector.expressions))
  }

  /// The detectors that the guide shows in full.
  static let examples: [String] = {
    let page = try? Repository.text("docs/detectors.md")
    let blocks = (page ?? "").components(separatedBy: "```").enumerated()
    return blocks.filter { $0.offset % 2 == 1 && $0.element.hasPrefix("yaml\nname:") }
      .map { String($0.element.dropFirst("yaml\n".count)) }
  }()

  @Test("The guide shows four detectors in full")
  func exampleCount() { #expect(Self.examples.count == 4) }

  @Test("A detector of the guide reads as it stands", arguments: examples)
  func example(text: String) throws {
    let detector = try DetectorSpecification.parse(text, file: "detectors.md")
    #expect(detector.plank.rules.count >= 2)
  }

  /// What a detector of the guide answers in the end to someone who keeps still for two seconds.
  private static func answer(_ name: String, _ pose: [Joint: Vector3]) throws -> PlankClass? {
    let text = try #require(examples.first { $0.hasPrefix("name: \(name)\n") })
    let definition = try DetectorSpecification.parse(text, file: "detectors.md")
    var header = RecordingHeader(
      skeleton: .vision3d, joints: Skeleton.vision3d.joints, frame: .world)
    header.up = Vector3.unitY
    var recording = Recording(header: header)
    let numbers = header.joints.flatMap { joint -> [Float] in
      guard let at = pose[joint] else { return [.nan, .nan, .nan] }
      return [Float(at.x), Float(at.y), Float(at.z)]
    }
    for frame in 0..<20 {
      recording.append(time: Seconds(Double(frame) / 10), pose: numbers, extras: FrameExtras())
    }
    let detector = try BatchDetector(definition, parameters: definition.defaults)
    let answers = detector.detect(
      detector.measure(recording), times: recording.times, startsMid: false)
    return answers.plank.answers.last.flatMap(PlankClass.init)
  }

  /// A body that looks along x, its left and right limbs alike.
  private static func body(
    shoulder: (Double, Double), wrist: (Double, Double), hip: (Double, Double),
    knee: (Double, Double), ankle: (Double, Double)
  ) -> [Joint: Vector3] {
    func side(_ z: Double, _ at: (Double, Double)) -> Vector3 { Vector3(at.0, at.1, z) }
    return [
      .root: side(0, hip), .centerShoulder: side(0, shoulder),
      .leftShoulder: side(-0.2, shoulder), .rightShoulder: side(0.2, shoulder),
      .leftWrist: side(-0.2, wrist), .rightWrist: side(0.2, wrist),
      .leftHip: side(-0.1, hip), .rightHip: side(0.1, hip),
      .leftKnee: side(-0.1, knee), .rightKnee: side(0.1, knee),
      .leftAnkle: side(-0.1, ankle), .rightAnkle: side(0.1, ankle),
    ]
  }

  @Test("The guide's squat tells a deep one from a shallow one and from standing")
  func squat() throws {
    let standing = Self.body(
      shoulder: (0, 1.4), wrist: (0, 0.8), hip: (0, 0.9), knee: (0, 0.45), ankle: (0, 0))
    let shallow = Self.body(
      shoulder: (0, 1.2), wrist: (0.4, 1), hip: (-0.2, 0.8), knee: (0.15, 0.45), ankle: (0, 0))
    let deep = Self.body(
      shoulder: (0, 0.95), wrist: (0.5, 0.9), hip: (-0.3, 0.46), knee: (0.15, 0.45), ankle: (0, 0))
    #expect(try Self.answer("squat", standing) == PlankClass.none)
    #expect(try Self.answer("squat", shallow) == PlankClass.none)
    #expect(try Self.answer("squat", deep) == .high)
  }

  @Test("The guide's bird dog needs an arm and the opposite leg")
  func birdDog() throws {
    let allFours = Self.body(
      shoulder: (0.5, 0.5), wrist: (0.5, 0), hip: (0, 0.5), knee: (0, 0.05), ankle: (-0.4, 0))
    var opposite = allFours
    opposite[.leftWrist] = Vector3(1, 0.55, -0.2)
    opposite[.rightKnee] = Vector3(-0.45, 0.52, 0.1)
    opposite[.rightAnkle] = Vector3(-0.85, 0.55, 0.1)
    var sameSide = allFours
    sameSide[.leftWrist] = opposite[.leftWrist]
    sameSide[.leftKnee] = Vector3(-0.45, 0.52, -0.1)
    sameSide[.leftAnkle] = Vector3(-0.85, 0.55, -0.1)
    #expect(try Self.answer("bird-dog", allFours) == PlankClass.none)
    #expect(try Self.answer("bird-dog", sameSide) == PlankClass.none)
    #expect(try Self.answer("bird-dog", opposite) == .high)
  }

  static let ownMistakes = [
    Mistake(from: "hips, knees, ankles", to: "hips, knees, toes", line: 11, word: "`toes`"),
    Mistake(from: "speed(bend, 0.5s)", to: "speed(pace, 0.5s)", line: 10, word: "cycle"),
    Mistake(from: "  pace: ", to: "  root: ", line: 10, word: "root"),
    Mistake(from: " / bodyHeight", to: " * 2m", line: 12, word: "m^2"),
    Mistake(from: "0.5s", to: "0.5m", line: 10, word: "column 13"),
    Mistake(from: "  far: reach", to: "  far: rech", line: 8, word: "`rech`"),
    Mistake(from: "  steady: not", to: "  bend: not", line: 6, word: "rename"),
    Mistake(from: "none: moving or far", to: "none: moving or fur", line: 15, word: "`fur`"),
    Mistake(
      from: "far: reach > reach_limit", to: "far: reach > sag", line: 8, word: "body heights"),
  ]

  @Test("A mistake in an expression or a condition is located too", arguments: ownMistakes)
  func ownMistake(mistake: Mistake) {
    mistake.expectError(in: Self.own) {
      _ = try DetectorSpecification.parse($0, file: "own.yaml")
    }
  }

  @Test("Axes are gravity unless given")
  func defaultAxes() throws {
    let text = Self.complete.replacing("axes: article\n", with: "")
    #expect(try DetectorSpecification.parse(text, file: "mine.yaml").axes == .gravity)
  }

  static let mistakes = [
    Mistake(from: "name: cautious", to: "nom: cautious", line: 1, word: "nom"),
    Mistake(from: "axes: article", to: "axes: moon", line: 3, word: "gravity"),
    Mistake(from: "sag: 3cm", to: "sag: 3deg", line: 5, word: "sag"),
    Mistake(from: "sag: 3cm", to: "droop: 3cm", line: 5, word: "droop"),
    Mistake(from: "range: [0, 1]", to: "range: [1, 0]", line: 6, word: "swap"),
    Mistake(from: "default: 0.4", to: "default: 4", line: 6, word: "range"),
    Mistake(
      from: "none: verticalRatio >= lean", to: "standing: verticalRatio >= lean", line: 8,
      word: "standing"),
    Mistake(from: ">= lean", to: ">= 0.4", line: 8, word: "0.4"),
    Mistake(from: ">= lean", to: "=> lean", line: 8, word: "=>"),
    Mistake(from: ">= lean", to: ">= leen", line: 8, word: "leen"),
    Mistake(from: "verticalRatio >= lean", to: "verticality >= lean", line: 8, word: "verticality"),
    Mistake(from: "elbowAngle > elbow_split", to: "elbowAngle > sag", line: 9, word: "deg"),
    Mistake(from: "  - forearm\n", to: "", line: 8, word: "last plank rule"),
    Mistake(from: "  - aligned", to: "  - aligned\n  - sag", line: 12, word: "never hold"),
  ]

  @Test("Every mistake is an error with its line and a remedy", arguments: mistakes)
  func mistakeIsLocated(mistake: Mistake) {
    let error = mistake.expectError(in: Self.complete) {
      _ = try DetectorSpecification.parse($0, file: "mine.yaml")
    }
    #expect(error?.description.hasPrefix("mine.yaml:") == true)
  }
}
