@_spi(Bench) import PlankDetection
@_spi(Bench) import PoseModel
import TestSupport
import Testing

@Suite("The coach on scripted bodies")
struct CoachTests {
  /// A plank changed so that one rule of the list rejects it, and only that one.
  enum Rejection: CaseIterable {
    case kneeling, straddling, folded, sitting, unsupported, lying, handsOnBox, pushUpBottom
    case upwardDog

    /// The parameter of the rule, a value at which the rule never holds, and the answer then.
    var relaxed: (ParameterKey, Double, PlankClass) {
      switch self {
      case .kneeling: (.coachKneeAngle, 0, .high)
      case .straddling: (.coachThighSpread, 180, .high)
      case .folded: (.coachBodyAngle, 0, .high)
      case .sitting: (.coachSeatedIncline, 1, .reverse)
      case .unsupported: (.coachSupportDrop, 0, .forearm)
      case .lying: (.coachHipClearance, 0, .forearm)
      case .handsOnBox: (.coachHandHeight, 0.6, .high)
      case .pushUpBottom: (.coachUpperArmIncline, -1, .high)
      case .upwardDog: (.coachArchAngle, 0, .high)
      }
    }

    /// The body, 1.75 m tall, the head toward +x.
    var joints: [Joint: Vector3] {
      let body = ScriptedBody(stature: Meters(1.75))
      switch self {
      case .kneeling:
        return body.joints(in: .high).placing(.ankle, Vector3(0, 0.35, 0), from: .knee)
      case .straddling:
        var joints = body.joints(in: .high)
        guard let hip = joints[.rightHip] else { return joints }
        joints[.rightKnee] = hip + Vector3(0, -0.1, 0.42)
        joints[.rightAnkle] = hip + Vector3(0, -0.2, 0.84)
        return joints
      case .folded: return body.joints(in: .high, hipOffset: Meters(0.4))
      case .sitting: return Self.seated
      case .unsupported:
        return body.joints(in: .forearm)
          .placing(.elbow, Vector3(0, -0.06, 0), from: .shoulder)
          .placing(.wrist, Vector3(0.2, -0.06, 0), from: .shoulder)
      case .lying:
        return body.joints(in: .forearm, hipOffset: Meters(-0.1))
          .placing(.elbow, Vector3(0, -0.26, 0), from: .shoulder)
          .placing(.wrist, Vector3(0.2, -0.26, 0), from: .shoulder)
      case .handsOnBox:
        return body.joints(in: .high).placing(.ankle, Vector3(-0.4, -0.54, 0), from: .knee)
      case .pushUpBottom:
        return body.joints(in: .forearm)
          .placing(.elbow, Vector3(-0.3, 0, 0), from: .shoulder)
          .placing(.wrist, Vector3(-0.3, -0.256, 0), from: .shoulder)
      case .upwardDog: return body.joints(in: .high, hipOffset: Meters(-0.2))
      }
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
  }

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

  @Test(
    "Each rejection stands on one rule: without it the body is a plank again",
    arguments: Rejection.allCases)
  func rejections(rejection: Rejection) throws {
    let figure = Figure(rejection.joints, height: 1.75)
    #expect(try answer(.plank, figure) == "none")
    let (key, value, label) = rejection.relaxed
    var values = DetectorDefinition.coach.defaults
    try values.set(key, to: value)
    #expect(try answer(.plank, figure, values) == label.name)
  }

  @Test(
    "A pike of 20 cm and a sag of 7 cm are faults, a pike of 5 cm is not",
    arguments: [(20, "pike"), (-7, "sag"), (5, "aligned"), (0, "aligned")])
  func form(centimeters: Double, expected: String) throws {
    let body = ScriptedBody(stature: Meters(1.75))
    for posture in ScriptedPosture.planks {
      let joints = body.joints(in: posture, hipOffset: Meters(centimeters / 100))
      #expect(try answer(.form, Figure(joints, height: 1.75)) == expected, "\(posture)")
    }
  }
}

/// A joint that each side has.
private enum Part {
  case knee, ankle, shoulder, elbow, wrist

  /// The left joint and the right one.
  var joints: [Joint] {
    switch self {
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
}
