import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("Published rules on scripted bodies") struct PublishedRulesTests {
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

@Suite("The detector of image points") struct ProfileTests {
  /// Elbows under the shoulders and forearms along the floor, the feet at the right.
  private static let forearm = ImageFigure(points: [
    .nose: Vector3(0.12, 0.33, 0),
    .leftShoulder: Vector3(0.25, 0.4, 0), .rightShoulder: Vector3(0.25, 0.4, 0),
    .leftElbow: Vector3(0.25, 0.2, 0), .rightElbow: Vector3(0.25, 0.2, 0),
    .leftWrist: Vector3(0.1, 0.2, 0), .rightWrist: Vector3(0.1, 0.2, 0),
    .leftHip: Vector3(0.65, 0.345, 0), .rightHip: Vector3(0.65, 0.345, 0),
    .leftKnee: Vector3(0.92, 0.29, 0), .rightKnee: Vector3(0.92, 0.29, 0),
    .leftAnkle: Vector3(1.2, 0.23, 0), .rightAnkle: Vector3(1.2, 0.23, 0),
  ])

  private func answer(
    _ figure: ImageFigure, _ skeleton: Skeleton = .vision2d
  ) throws -> (plank: PlankClass?, form: FormClass?) {
    let answer = try #require(try Replay.stream(figure.recording(skeleton), .profile).first)
    return (answer.rawPlank, answer.rawForm)
  }

  private func moved(_ points: [Joint: (Double, Double)]) -> ImageFigure {
    var figure = Self.forearm
    for (joint, place) in points { figure.points[joint] = Vector3(place.0, place.1, 0) }
    return figure
  }

  @Test("A forearm plank is found in either skeleton, and with one side of the body hidden")
  func forearm() throws {
    for skeleton in [Skeleton.vision2d, .coco17] {
      let found = try answer(Self.forearm, skeleton)
      #expect(found.plank == .forearm && found.form == .aligned)
    }
    let half = Self.forearm.without(
      .nose, .leftShoulder, .leftElbow, .leftWrist, .leftHip, .leftKnee, .leftAnkle)
    #expect(try answer(half).plank == .forearm)
    #expect(try answer(half).form == .aligned)
  }

  @Test("Forearms that stand on their hands make a high plank")
  func high() throws {
    let figure = moved([.leftWrist: (0.25, 0.05), .rightWrist: (0.26, 0.05)])
    #expect(try answer(figure).plank == .high)
  }

  @Test("A shoulder over the other makes a side plank, a nose over the trunk a reverse plank")
  func turned() throws {
    #expect(try answer(moved([.leftShoulder: (0.25, 0.7)])).plank == .sideLeft)
    #expect(try answer(moved([.rightShoulder: (0.25, 0.7)])).plank == .sideRight)
    #expect(try answer(moved([.nose: (0.1, 0.52)])).plank == .reverse)
  }

  @Test("On bent arms, on the knees and with the hips down, nobody holds a plank")
  func rejected() throws {
    let high: [Joint: (Double, Double)] = [.leftWrist: (0.25, 0.05), .rightWrist: (0.26, 0.05)]
    func answer(_ points: [Joint: (Double, Double)]) throws -> PlankClass? {
      try self.answer(moved(high.merging(points) { $1 })).plank
    }
    let chest: [Joint: (Double, Double)] = [
      .leftShoulder: (0.4, 0.2), .rightShoulder: (0.4, 0.2), .nose: (0.25, 0.1),
    ]
    #expect(try answer(chest) == PlankClass.none)
    #expect(try answer([.leftKnee: (0.92, 0.18), .rightKnee: (0.92, 0.18)]) == PlankClass.none)
    #expect(try answer([.leftHip: (0.65, 0.2), .rightHip: (0.65, 0.2)]) == PlankClass.none)
  }

  @Test("Hips under the line sag, hips over it pike")
  func form() throws {
    let low = moved([.leftHip: (0.65, 0.29), .rightHip: (0.65, 0.29)])
    #expect(try answer(low).form == .sag)
    let high = moved([.leftHip: (0.65, 0.46), .rightHip: (0.65, 0.46)])
    #expect(try answer(high).form == .pike)
  }

  @Test("What is not seen from the side is a high plank or none; what is not seen at all is none")
  func notSeen() throws {
    var short = Self.forearm
    for (joint, point) in short.points {
      short.points[joint] = Vector3(0.25 + (point.x - 0.25) * 0.3, point.y, 0)
    }
    for (height, label) in [(0.2, PlankClass.none), (0.02, .high)] {
      for wrist in [Joint.leftWrist, .rightWrist] {
        short.points[wrist] = Vector3(0.2, height, 0)
      }
      #expect(try answer(short).plank == label)
    }
    var dim = Self.forearm
    for joint in [Joint.leftAnkle, .rightAnkle] { dim.confidences[joint] = 0.1 }
    #expect(try answer(dim).plank == PlankClass.none)
    dim.confidences[.leftAnkle] = 0.9
    #expect(try answer(dim).plank == .forearm)
    dim.hasConfidences = false
    #expect(try answer(dim).plank == .forearm)
    let standing = ImageFigure(
      points: Self.forearm.points.mapValues { Vector3($0.y, 1.3 - $0.x, 0) })
    #expect(try answer(standing).plank == PlankClass.none)
  }

  @Test("A frame without ankles or arms is undetermined")
  func undetermined() throws {
    let figures = [
      Self.forearm.without(.leftAnkle, .rightAnkle), Self.forearm.without(.leftElbow, .rightElbow),
    ]
    for figure in figures { #expect(try answer(figure).plank == nil) }
    #expect(try answer(figures[1]).form == .aligned)
  }
}
