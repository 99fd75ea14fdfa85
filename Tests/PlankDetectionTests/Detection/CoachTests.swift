import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("The coach on scripted bodies") struct CoachTests {
  /// A body that is rejected, 1.75 m tall, the head toward +x, and the parameter of the rule that
  /// decides it.
  struct Rejection: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let parameter: ParameterKey
    let joints: [Joint: Vector3]

    init(_ name: String, _ parameter: ParameterKey, _ joints: [Joint: Vector3]) {
      testDescription = name
      self.parameter = parameter
      self.joints = joints
    }
  }

  private static func posed(
    _ posture: ScriptedPosture, hips: Double = 0
  ) -> [Joint: Vector3] {
    ScriptedBody(stature: Meters(1.75)).joints(in: posture, hipOffset: Meters(hips))
  }

  static let unsupported = [
    Rejection(
      "kneeling", .coachKneeAngle, posed(.high).placing(.ankle, Vector3(0, 0.35, 0), from: .knee)),
    Rejection("straddling", .coachThighSpread, straddling(posed(.high))),
    Rejection("sitting", .coachSeatedIncline, seated),
    Rejection(
      "unsupported", .coachSupportDrop,
      posed(.forearm).placing(.elbow, Vector3(0, -0.06, 0), from: .shoulder)
        .placing(.wrist, Vector3(0.2, -0.06, 0), from: .shoulder)),
    Rejection(
      "hands on a box", .coachHandHeight,
      posed(.high).placing(.ankle, Vector3(-0.4, -0.54, 0), from: .knee)),
    Rejection("feet on a box", .coachFootHeight, posed(.high).sheared(0.75)),
    Rejection(
      "knees on the floor", .coachKneeClearance,
      posed(.forearm, hips: -0.08).placing(.knee, Vector3(-0.9, 0, 0), from: .elbow)),
    Rejection("supine", .coachReverseClearance, posed(.reverse, hips: -0.2)),
    Rejection(
      "supine, knees bent", .coachKneeAngle,
      posed(.reverse).placing(.ankle, Vector3(-0.1, -0.42, 0), from: .knee)),
    Rejection("lying on a side", .coachSideClearance, posed(.sideLeft, hips: -0.2)),
    Rejection(
      "legs up on a side", .coachSideLegIncline,
      posed(.sideLeft).placing(.knee, Vector3(-0.42, 0.02, 0), from: .hip)
        .placing(.ankle, Vector3(-0.42, 0.03, 0), from: .knee)),
    Rejection("sitting on a side", .coachSideHipAngle, seatedOnSide),
    Rejection(
      "knees bent on a side", .coachKneeAngle,
      posed(.sideLeft).placing(.ankle, Vector3(-0.08, -0.05, 0.4), from: .knee)),
    Rejection("chest turned alone", .coachPelvisTurn, withLevelHips(posed(.sideLeft))),
    Rejection(
      "hand below the feet", .coachSideHandDrop,
      posed(.sideLeft).placing(.wrist, Vector3(0, -0.75, 0), from: .shoulder)),
  ]

  static let low = [
    Rejection(
      "bottom of a push-up", .coachUpperArmIncline,
      posed(.forearm).placing(.elbow, Vector3(-0.3, 0, 0), from: .shoulder)
        .placing(.wrist, Vector3(-0.3, -0.256, 0), from: .shoulder)),
    Rejection(
      "lying prone", .coachProneArmIncline,
      posed(.forearm, hips: -0.1).placing(.elbow, Vector3(0.25, -0.16, 0), from: .shoulder)
        .placing(.wrist, Vector3(0.4, -0.18, 0), from: .shoulder)),
    Rejection("on the elbows", .coachRestIncline, posed(.forearm, hips: -0.15)),
    Rejection("downward dog", .coachFoldElbowRise, posed(.high, hips: 0.4)),
    Rejection("folded", .coachBodyAngle, posed(.forearm, hips: 0.5)),
    Rejection(
      "push-up on the knees", .coachKneelingShinIncline,
      posed(.high).placing(.ankle, Vector3(-0.4, 0.12, 0), from: .knee)),
    Rejection(
      "kneeling, chest up", .coachChestShinIncline,
      posed(.high, hips: -0.1).placing(.ankle, Vector3(-0.42, 0.03, 0), from: .knee)),
    Rejection("upward dog", .coachArchAngle, posed(.high, hips: -0.24)),
    Rejection(
      "bent arms", .coachArmReach,
      posed(.high).placing(.elbow, Vector3(-0.25, -0.16, 0), from: .shoulder)
        .placing(.wrist, Vector3(-0.2, -0.36, 0), from: .shoulder)),
    Rejection("one bent arm", .coachArmExtension, withBentRightArm(posed(.high))),
    Rejection(
      "hands ahead", .coachWristReach,
      posed(.high, hips: 0.25).placing(.elbow, Vector3(0.17, -0.25, 0), from: .shoulder)
        .placing(.wrist, Vector3(0.34, -0.5, 0), from: .shoulder)),
    Rejection(
      "elbows off the floor", .coachElbowRise,
      posed(.forearm).placing(.wrist, Vector3(0.2, -0.14, 0), from: .elbow)),
  ]

  private static func straddling(_ joints: [Joint: Vector3]) -> [Joint: Vector3] {
    guard let hip = joints[.rightHip] else { return [:] }
    return joints.merging([
      .rightKnee: hip + Vector3(0, -0.1, 0.42), .rightAnkle: hip + Vector3(0, -0.2, 0.84),
    ]) { $1 }
  }

  private static func withLevelHips(_ joints: [Joint: Vector3]) -> [Joint: Vector3] {
    guard let left = joints[.leftHip], let right = joints[.rightHip] else { return [:] }
    let (middle, half) = (left.midpoint(right), Vector3(0, 0, 0.09))
    return joints.merging([.leftHip: middle + half, .rightHip: middle - half]) { $1 }
  }

  private static func withBentRightArm(_ joints: [Joint: Vector3]) -> [Joint: Vector3] {
    guard let shoulder = joints[.rightShoulder] else { return [:] }
    return joints.merging([
      .rightElbow: shoulder + Vector3(0, -0.2, 0.2), .rightWrist: shoulder + Vector3(0, -0.36, 0),
    ]) { $1 }
  }

  /// Someone who sits on the floor with straight legs and leans back on the hands a little.
  private static let seated: [Joint: Vector3] = [
    .root: Vector3(0, 0.3, 0), .centerShoulder: Vector3(0.27, 0.72, 0),
    .leftHip: Vector3(0, 0.3, 0.15), .rightHip: Vector3(0, 0.3, -0.15),
    .leftKnee: Vector3(-0.43, 0.25, 0.15), .rightKnee: Vector3(-0.43, 0.25, -0.15),
    .leftAnkle: Vector3(-0.86, 0.2, 0.15), .rightAnkle: Vector3(-0.86, 0.2, -0.15),
    .leftShoulder: Vector3(0.27, 0.72, 0.18), .rightShoulder: Vector3(0.27, 0.72, -0.18),
    .leftElbow: Vector3(0.27, 0.42, 0.18), .rightElbow: Vector3(0.27, 0.42, -0.18),
    .leftWrist: Vector3(0.27, 0.17, 0.18), .rightWrist: Vector3(0.27, 0.17, -0.18),
  ]

  /// Someone on one hip, half up on the right hand, the left shoulder over the right one.
  private static let seatedOnSide: [Joint: Vector3] = [
    .root: Vector3(0, 0.3, 0), .centerShoulder: Vector3(0.36, 0.72, 0),
    .leftHip: Vector3(-0.06, 0.36, 0), .rightHip: Vector3(0.06, 0.24, 0),
    .leftKnee: Vector3(-0.42, 0.29, 0), .rightKnee: Vector3(-0.4, 0.21, 0),
    .leftAnkle: Vector3(-0.8, 0.22, 0), .rightAnkle: Vector3(-0.8, 0.18, 0),
    .leftShoulder: Vector3(0.24, 0.82, 0), .rightShoulder: Vector3(0.48, 0.62, 0),
    .leftElbow: Vector3(0.1, 0.6, 0), .leftWrist: Vector3(0, 0.4, 0),
    .rightElbow: Vector3(0.5, 0.3, 0), .rightWrist: Vector3(0.5, 0, 0),
  ]

  private func answer(
    _ stream: AnswerStream, _ figure: Figure, _ values: ParameterValues? = nil
  ) throws -> String {
    let code = try Replay.batch(figure.recording, .coach, values)[stream].raw[0]
    try #require(Int(code) < stream.labels.count)
    return stream.labels[Int(code)]
  }

  @Test(
    "Every plank is what it is; standing and all-fours are none",
    arguments: ScriptedPosture.allCases, [1.5, 1.75, 1.95])
  func postures(posture: ScriptedPosture, stature: Double) throws {
    let joints = ScriptedBody(stature: Meters(stature)).joints(in: posture)
    let label = try answer(.plank, Figure(joints, height: stature))
    #expect(label == posture.truth.name)
  }

  @Test("Each rejection is decided by its own rule", arguments: unsupported + low)
  func rejections(rejection: Rejection) throws {
    let figure = Figure(rejection.joints, height: 1.75)
    let traces = try DetectorDefinition.coach.plank.trace(DetectorDefinition.coach.defaults) {
      figure.measured($0)
    }
    let deciding = try #require(traces.first { $0.decides })
    #expect(deciding.label == "none")
    #expect(deciding.steps.last?.predicate.parameter == rejection.parameter)
  }

  @Test("A strong pike on level forearms is a forearm plank; on the hands it is a downward dog")
  func pikes() throws {
    for (posture, expected) in [(ScriptedPosture.forearm, "forearm"), (.high, "none")] {
      let joints = Self.posed(posture, hips: 0.42)
      #expect(try answer(.plank, Figure(joints, height: 1.75)) == expected, "\(posture)")
    }
  }

  @Test(
    "A pike of 20 cm and a sag of 7 cm are faults, a pike of 5 cm is not",
    arguments: [(20, "pike"), (-7, "sag"), (5, "aligned"), (0, "aligned")])
  func form(centimeters: Double, expected: String) throws {
    for posture in ScriptedPosture.planks {
      let joints = Self.posed(posture, hips: centimeters / 100)
      #expect(try answer(.form, Figure(joints, height: 1.75)) == expected, "\(posture)")
    }
  }
}

private enum Part {
  case hip, knee, ankle, shoulder, elbow, wrist

  var joints: [Joint] {
    switch self {
    case .hip: [.leftHip, .rightHip]
    case .knee: [.leftKnee, .rightKnee]
    case .ankle: [.leftAnkle, .rightAnkle]
    case .shoulder: [.leftShoulder, .rightShoulder]
    case .elbow: [.leftElbow, .rightElbow]
    case .wrist: [.leftWrist, .rightWrist]
    }
  }
}

extension [Joint: Vector3] {
  /// The same body with a joint of both sides somewhere else, counted from another joint.
  fileprivate func placing(_ part: Part, _ offset: Vector3, from start: Part) -> Self {
    var joints = self
    for (moved, fixed) in zip(part.joints, start.joints) {
      joints[moved] = joints[fixed].map { $0 + offset }
    }
    return joints
  }

  /// The same body with its feet raised by a share of how far each joint is behind the shoulders.
  fileprivate func sheared(_ slope: Double) -> Self {
    guard let shoulders = self[.centerShoulder] else { return self }
    return mapValues { joint in
      let behind = shoulders.x - joint.x
      return behind > 0 ? joint + Vector3(0, behind * slope, 0) : joint
    }
  }
}
