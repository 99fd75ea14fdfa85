import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("Angles, hand-computed")
struct AngleMeasurementTests {
  @Test(
    "The elbow angle is the mean of both arms",
    arguments: [
      (Vector3(0, -1, 0), Vector3(0, -1, 0), 180), (Vector3(1, 0, 0), Vector3(0, -2, 0), 135),
      (Vector3(1, 0, 0), Vector3(0, 0, 3), 90), (Vector3(0, 1, 0), Vector3(0, -1, 0), 90),
      (Vector3(1, 1, 0), Vector3(0, 1, 1), 45),
    ] as [(Vector3, Vector3, Float)])
  func elbowAngle(left: Vector3, right: Vector3, expected: Float) throws {
    let figure = Figure([
      .leftShoulder: Vector3(0, 1, 2), .leftElbow: Vector3(0, 0, 2),
      .leftWrist: Vector3(0, 0, 2) + left, .rightShoulder: Vector3(0, 2, 0),
      .rightElbow: Vector3(0, 0, 0), .rightWrist: right,
    ])
    let angle = try #require(figure.measure(.elbowAngle))
    #expect(abs(angle - expected) < 1e-5)
  }

  @Test(
    "The knee angle is the mean of both legs",
    arguments: [
      (Vector3(-1, 0, 0), Vector3(-2, 0, 0), 180), (Vector3(0, -1, 0), Vector3(-3, 0, 0), 135),
      (Vector3(0, 1, 0), Vector3(0, -1, 0), 90), (Vector3(1, 1, 0), Vector3(0, 0, 2), 67.5),
    ] as [(Vector3, Vector3, Float)])
  func kneeAngle(left: Vector3, right: Vector3, expected: Float) throws {
    let figure = Figure([
      .leftHip: Vector3(1, 0, 1), .leftKnee: Vector3(0, 0, 1), .leftAnkle: Vector3(0, 0, 1) + left,
      .rightHip: Vector3(2, 0, 0), .rightKnee: Vector3(0, 0, 0), .rightAnkle: right,
    ])
    let angle = try #require(figure.measure(.kneeAngle))
    #expect(abs(angle - expected) < 1e-5)
  }

  @Test(
    "The thigh spread is 0 for thighs side by side, however long, and has no sign",
    arguments: [
      (Vector3(-1, 0, 0), Vector3(-2, 0, 0), 0), (Vector3(0, -1, 0), Vector3(1, 0, 0), 90),
      (Vector3(1, 0, 0), Vector3(0, -1, 0), 90), (Vector3(1, 0, 0), Vector3(-1, 1, 0), 135),
      (Vector3(0, 0, 1), Vector3(0, 0, -3), 180),
    ] as [(Vector3, Vector3, Float)])
  func thighSpread(left: Vector3, right: Vector3, expected: Float) throws {
    let hips = (left: Vector3(0, 1, 0.5), right: Vector3(0, 1, -0.5))
    let figure = Figure([
      .leftHip: hips.left, .leftKnee: hips.left + left, .rightHip: hips.right,
      .rightKnee: hips.right + right,
    ])
    let angle = try #require(figure.measure(.thighSpread))
    #expect(abs(angle - expected) < 1e-5)
  }

  @Test(
    "The body angle is 180 for a straight body and has no sign",
    arguments: [
      (Vector3(0, 0, 0), 180), (Vector3(0, 1, 0), 90), (Vector3(0, -1, 0), 90),
      (Vector3(0, 0, 1), 90), (Vector3(-3, 0, 0), 0),
    ] as [(Vector3, Float)])
  func bodyAngle(hip: Vector3, expected: Float) throws {
    let angle = try #require(Figure.trunk(hip: hip).measure(.bodyAngle))
    #expect(abs(angle - expected) < 1e-5)
  }

  @Test(
    "The signed hip angle is above 180 for high hips and below it for low ones",
    arguments: [
      (Vector3(0, 0, 0), 180), (Vector3(0, 1, 0), 270), (Vector3(0, -1, 0), 90),
      (Vector3(-3, 0, 0), 0), (Vector3(-3, 1e-20, 0), 0), (Vector3(-3, -1e-20, 0), 0),
      (Vector3(0, 0, 5), 180),
    ] as [(Vector3, Float)])
  func signedHipAngle(hip: Vector3, expected: Float) throws {
    let angle = try #require(Figure.trunk(hip: hip).measure(.signedHipAngle))
    #expect(abs(angle - expected) < 1e-5)
    #expect((0..<360).contains(angle))
  }

  @Test(
    "The signed hip angle is undefined if the line is too steep to say what is above it",
    arguments: [(0.9797, true), (0.98, false), (-0.9797, true), (-0.98, false)])
  func steepLine(rise: Double, isDefined: Bool) {
    // The part of up across the line is sqrt(1 - rise²): 0.2005 and 0.1990 around the bound 0.2.
    let across = (1 - rise * rise).squareRoot()
    let figure = Figure([
      .centerShoulder: Vector3(across, rise, 0), .root: Vector3(0.1, 0, 0),
      .leftAnkle: Vector3(-across, -rise, 0), .rightAnkle: Vector3(-across, -rise, 0),
    ])
    #expect((figure.measure(.signedHipAngle) != nil) == isDefined)
    #expect(figure.measure(.hipDeviation) != nil)
  }

  @Test(
    "The trunk roll is 0 prone, 90 with the left side up, 180 supine, -90 with the right side up",
    arguments: [
      (Vector3(0, 0, -1), 0), (Vector3(0, 1, 0), 90), (Vector3(0, 0, 1), 180),
      (Vector3(0, -1, 0), -90), (Vector3(0, 1, -1), 45), (Vector3(0, 1, 1), 135),
      (Vector3(0, -1, 1), -135), (Vector3(0, -1, -1), -45),
    ] as [(Vector3, Float)])
  func trunkRoll(left: Vector3, expected: Float) throws {
    let figure = Figure([
      .centerShoulder: Vector3(1, 0, 0), .root: Vector3(0, 0, 0),
      .leftShoulder: Vector3(1, 0, 0) + left, .rightShoulder: Vector3(1, 0, 0) - left,
    ])
    let roll = try #require(figure.measure(.trunkRoll))
    #expect(abs(roll - expected) < 1e-5)
  }

  @Test("Only the part of the trunk across the shoulder line counts for the trunk roll")
  func slantedTrunk() throws {
    let figure = Figure([
      .centerShoulder: Vector3(1, 0, 0.5), .root: Vector3(0, 0, 0),
      .leftShoulder: Vector3(1, 0, -1), .rightShoulder: Vector3(1, 0, 1),
    ])
    let roll = try #require(figure.measure(.trunkRoll))
    #expect(abs(roll) < 1e-5)
  }
}

@Suite("Sign of the hip angle, by property")
struct SignedHipAnglePropertyTests {
  @Test(
    "The signed hip angle is above 180 exactly where the hips are above the line",
    arguments: Draws.seeds(200 as UInt64))
  func signLaw(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<20 {
      let turn = random.rotation()
      // Hips between the ends of the line, so that a turn of up to 180 degrees has a sign.
      let hip = Vector3(
        random.uniform(-0.9...0.9), random.uniform(-0.4...0.4), random.uniform(-0.4...0.4))
      var figure = Figure.trunk(hip: hip)
      figure.joints = figure.joints.mapValues { turn($0) }
      guard let angle = figure.measure(.signedHipAngle) else { continue }
      let deviation = try #require(figure.measure(.hipDeviation))
      guard abs(deviation) > 1e-6 else { continue }
      #expect((angle > 180) == (deviation > 0), "\(hip) turned by \(turn)")
    }
  }

  @Test(
    "With the hips beside the line only in the vertical plane, it is the body angle with a sign",
    arguments: [-0.3, -0.1, -0.01, 0.01, 0.1, 0.3])
  func foldedBodyAngle(offset: Double) throws {
    let figure = Figure.trunk(hip: Vector3(0.2, offset, 0))
    let signed = try #require(figure.measure(.signedHipAngle))
    let unsigned = try #require(figure.measure(.bodyAngle))
    #expect(abs((offset > 0 ? 360 - signed : signed) - unsigned) < 1e-4)
  }
}
