import PlankDetection
import PoseModel
import Testing

@Suite("The detector of image points")
struct ProfileTests {
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

  /// The figure with some joints elsewhere.
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
    #expect(try answer(moved([.leftShoulder: (0.25, 0.6)])).plank == .sideLeft)
    #expect(try answer(moved([.rightShoulder: (0.25, 0.6)])).plank == .sideRight)
    #expect(try answer(moved([.nose: (0.1, 0.52)])).plank == .reverse)
  }

  @Test("Hips under the line sag, hips over it pike")
  func form() throws {
    let low = moved([.leftHip: (0.65, 0.29), .rightHip: (0.65, 0.29)])
    #expect(try answer(low).form == .sag)
    let high = moved([.leftHip: (0.65, 0.46), .rightHip: (0.65, 0.46)])
    #expect(try answer(high).form == .pike)
  }

  @Test("What is not seen from the side, or not seen at all, is none")
  func notSeen() throws {
    var short = Self.forearm
    for (joint, point) in short.points {
      short.points[joint] = Vector3(0.25 + (point.x - 0.25) * 0.4, point.y, 0)
    }
    for wrist in [Joint.leftWrist, .rightWrist] { short.points[wrist] = Vector3(0.25, 0.02, 0) }
    #expect(try answer(short).plank == PlankClass.none)
    var dim = Self.forearm
    for joint in [Joint.leftAnkle, .rightAnkle] { dim.confidences[joint] = 0.2 }
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
