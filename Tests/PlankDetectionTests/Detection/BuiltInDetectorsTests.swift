import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("Built-in detectors")
struct BuiltInDetectorTests {
  private static let publishedPlank = [
    "none if verticalRatio >= horizontal_ratio", "sideLeft if shoulderRise > side_rise",
    "sideRight if shoulderRise < -side_rise", "reverse if wristHipCosine > reverse_cosine",
    "high if elbowAngle > elbow_split", "forearm otherwise",
  ]
  private static let publishedForm = [
    "sag if hipDeviation < -sag", "pike if hipDeviation > pike", "aligned otherwise",
  ]

  @Test("Their names are known, in this order, and no other")
  func names() {
    #expect(
      DetectorDefinition.builtIn.map(\.name) == [
        "article", "gravity", "scaled", "trunk", "coach", "profile",
      ])
    #expect(DetectorDefinition.builtIn(named: "trunk") == .trunk)
    #expect(DetectorDefinition.builtIn(named: "Article") == nil)
  }

  @Test("The published rules are the contract's; article and gravity differ in the axes alone")
  func published() {
    for detector in [DetectorDefinition.article, .gravity] {
      #expect(detector.plank.sentences == Self.publishedPlank)
      #expect(detector.form.sentences == Self.publishedForm)
      #expect(detector.axes.rawValue == detector.name)
    }
  }

  @Test("The scaled rules are the same with fractions")
  func scaled() {
    let detector = DetectorDefinition.scaled
    #expect(
      detector.plank.sentences == [
        Self.publishedPlank[0], "sideLeft if shoulderRiseFraction > side_rise_fraction",
        "sideRight if shoulderRiseFraction < -side_rise_fraction", Self.publishedPlank[3],
        Self.publishedPlank[4], Self.publishedPlank[5],
      ])
    #expect(
      detector.form.sentences == [
        "sag if hipDeviationFraction < -sag_fraction",
        "pike if hipDeviationFraction > pike_fraction", "aligned otherwise",
      ])
    #expect(detector.axes == .gravity)
  }

  @Test("The trunk rules are the contract's")
  func trunk() {
    let detector = DetectorDefinition.trunk
    #expect(
      detector.plank.sentences == [
        "none if verticalRatio >= trunk_horizontal_ratio",
        "none if bodyAngle <= trunk_body_angle", "none if supportDrop < trunk_support_drop",
        "none if hipClearance < trunk_hip_clearance", "reverse if trunkRoll >= trunk_reverse_roll",
        "reverse if trunkRoll <= -trunk_reverse_roll", "sideLeft if trunkRoll >= trunk_side_roll",
        "sideRight if trunkRoll <= -trunk_side_roll",
        "high if forearmVerticality > trunk_forearm_verticality", "forearm otherwise",
      ])
    #expect(detector.form == DetectorDefinition.gravity.form)
    #expect(detector.axes == .gravity)
  }

  @Test("The coach's rules are the documentation's")
  func coach() {
    let detector = DetectorDefinition.coach
    #expect(
      detector.plank.sentences == [
        "none if verticalRatio >= coach_horizontal_ratio",
        "none if trunkIncline > coach_seated_incline", "none if supportDrop < coach_support_drop",
        "none if handHeight > coach_hand_height", "none if handHeight < -coach_foot_height",
        "none if kneeClearance < coach_knee_clearance",
        "none if trunkTurn >= coach_side_roll and legIncline > coach_side_leg_incline",
        "none if trunkTurn >= coach_reverse_roll and hipClearance < coach_reverse_clearance",
        "none if trunkTurn >= coach_reverse_roll and kneeAngle < coach_knee_angle",
        "reverse if trunkTurn >= coach_reverse_roll",
        "none if trunkTurn >= coach_side_roll and hipClearance < coach_side_clearance",
        "none if trunkTurn >= coach_side_roll and straighterKnee < coach_knee_angle",
        "none if trunkTurn >= coach_side_roll and pelvisTurn < coach_pelvis_turn",
        "none if trunkTurn >= coach_side_roll and handHeight < -coach_side_hand_drop",
        "none if trunkTurn >= coach_side_roll and signedHipAngle < coach_side_hip_angle",
        "sideLeft if trunkRoll >= coach_side_roll", "sideRight if trunkRoll <= -coach_side_roll",
        "none if kneeAngle < coach_knee_angle", "none if thighSpread > coach_thigh_spread",
        "none if upperArmIncline < coach_upper_arm_incline",
        "none if hipClearance < coach_hip_clearance and upperArmIncline < coach_prone_arm_incline",
        "none if hipClearance < coach_rest_clearance and trunkIncline > coach_rest_incline",
        "none if signedHipAngle > coach_fold_angle and elbowRise > coach_fold_elbow_rise",
        "none if bodyAngle < coach_body_angle",
        "none if forearmVerticality > coach_forearm_verticality and shinIncline > "
          + "coach_kneeling_shin_incline",
        "none if forearmVerticality > coach_forearm_verticality and trunkIncline > "
          + "coach_chest_incline and shinIncline > coach_chest_shin_incline",
        "none if trunkIncline > coach_arch_incline and signedHipAngle < coach_arch_angle",
        "none if forearmVerticality > coach_forearm_verticality and armReach < coach_arm_reach",
        "none if forearmVerticality > coach_forearm_verticality and armExtension < "
          + "coach_arm_extension",
        "none if forearmVerticality > coach_forearm_verticality and wristReach > "
          + "coach_wrist_reach",
        "high if forearmVerticality > coach_forearm_verticality",
        "none if forearmVerticality > coach_doubtful_forearm and elbowRise > coach_elbow_rise",
        "forearm otherwise",
      ])
    #expect(
      detector.form.sentences == [
        "sag if signedHipAngle < coach_sag_angle", "pike if signedHipAngle > coach_pike_angle",
        "aligned otherwise",
      ])
    #expect(detector.axes == .gravity)
  }
}

@Suite("Published rules on scripted bodies")
struct PublishedRulesTests {
  private static let statures = [1.5, 1.62, 1.75, 1.95]

  private func hold(
    _ posture: ScriptedPosture, stature: Double, hipCentimeters: Double = 0,
    camera: ScriptedCamera = ScriptedCamera()
  ) -> Recording {
    ScriptedSession(
      ScriptedBody(stature: Meters(stature)), rate: Hertz(1),
      phases: [ScriptedPhase(posture, seconds: 1, hipCentimeters: hipCentimeters)]
    ).recording(camera)
  }

  private func label(
    _ definition: DetectorDefinition, _ stream: AnswerStream, _ recording: Recording
  ) throws -> String {
    let code = try Replay.batch(recording, definition)[stream].raw[0]
    try #require(Int(code) < stream.labels.count)
    return stream.labels[Int(code)]
  }

  @Test(
    "Every posture is what it is, and all-fours is mistaken for a high plank",
    arguments: ScriptedPosture.allCases, statures)
  func postures(posture: ScriptedPosture, stature: Double) throws {
    let expected = posture == .allFours ? "high" : posture.truth.name
    for definition in [DetectorDefinition.article, .gravity, .scaled] {
      #expect(try label(definition, .plank, hold(posture, stature: stature)) == expected)
    }
  }

  @Test(
    "A sag or pike well beyond 5 cm is seen in every plank",
    arguments: ScriptedPosture.planks, [-7.0, 7, 9])
  func faults(posture: ScriptedPosture, centimeters: Double) throws {
    let recording = hold(posture, stature: 1.75, hipCentimeters: centimeters)
    let expected = centimeters < 0 ? "sag" : "pike"
    #expect(try label(.gravity, .form, recording) == expected)
    #expect(try label(.gravity, .plank, recording) == posture.truth.name)
  }

  @Test("A high plank that sags by 9 cm is mistaken for a reverse one: its hips near its wrists")
  func deepSag() throws {
    let recording = hold(.high, stature: 1.75, hipCentimeters: -9)
    #expect(try label(.gravity, .plank, recording) == "reverse")
    #expect(try label(.trunk, .plank, recording) == "high")
  }

  @Test("A sag of 4 cm, which a trainer sees, is aligned by the published 5 cm")
  func smallFault() throws {
    let recording = hold(.high, stature: 1.75, hipCentimeters: -4)
    #expect(try label(.gravity, .form, recording) == "aligned")
    #expect(ScriptedPhase(.high, seconds: 1, hipCentimeters: -4).form == .sag)
  }

  @Test(
    "The hip deviation of a scripted body is its offset times the cosine of its incline",
    arguments: ScriptedPosture.planks, [-8.0, -3, 0, 5])
  func offsetIsMeasured(posture: ScriptedPosture, centimeters: Double) throws {
    let columns = Replay.measure(hold(posture, stature: 1.8, hipCentimeters: centimeters))
    let deviation = try #require(columns.value(of: .hipDeviation, at: 0))
    let ratio = try #require(columns.value(of: .verticalRatio, at: 0))
    let cosine = (1 - ratio * ratio).squareRoot()
    #expect(abs(deviation - Float(centimeters / 100) * cosine) < 1e-5)
  }

  @Test(
    "In landscape the article reads shoulder heights along the wrong axis; gravity does not",
    arguments: [DeviceOrientation.landscapeLeft, .landscapeRight])
  func landscape(orientation: DeviceOrientation) throws {
    let camera = ScriptedCamera(.back, orientation, .fixed)
    let recording = hold(.sideLeft, stature: 1.75, camera: camera)
    #expect(try label(.gravity, .plank, recording) == "sideLeft")
    #expect(try label(.article, .plank, recording) != "sideLeft")
  }

  @Test("A shoulder rise of exactly 15 cm, as a Float, is not a side plank; the next Float is")
  func strictSideRise() throws {
    let bound = Float(0.15)
    for (rise, expected) in [(bound, false), (bound.nextUp, true), (bound.nextDown, false)] {
      // A prone body with its right shoulder at 0, so that the rise is the Float that is written.
      var figure = Figure.prone
      figure.joints[.rightShoulder] = Vector3(0.5, 0, 0.25)
      figure.joints[.leftShoulder] = Vector3(0.5, Double(rise), -0.25)
      #expect((try label(.gravity, .plank, figure.recording) == "sideLeft") == expected)
      figure.joints[.leftShoulder] = Vector3(0.5, 0, -0.25)
      figure.joints[.rightShoulder] = Vector3(0.5, Double(rise), 0.25)
      #expect((try label(.gravity, .plank, figure.recording) == "sideRight") == expected)
    }
  }

  @Test("A hip deviation of exactly 5 cm, as a Float, is aligned; the next Float is a fault")
  func strictForm() throws {
    let bound = Float(0.05)
    for (height, isFault) in [(bound, false), (bound.nextUp, true)] {
      for (sign, fault) in [(1.0, "pike"), (-1, "sag")] {
        let figure = Figure.trunk(hip: Vector3(0, sign * Double(height), 0))
        #expect(
          try label(.gravity, .form, figure.recording) == (isFault ? fault : "aligned"))
      }
    }
  }
}
