import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("Lengths, hand-computed") struct LengthMeasurementTests {
  @Test("The shoulder rise is the left shoulder's height over the right one's, with its sign")
  func shoulderRise() {
    let figure = Figure([
      .leftShoulder: Vector3(0.5, 0.25, 1), .rightShoulder: Vector3(-0.5, -0.125, 2),
    ])
    #expect(figure.measure(.shoulderRise) == 0.375)
    var turned = figure
    turned.up = -.unitX
    #expect(turned.measure(.shoulderRise) == -1)
  }

  @Test(
    "The hip deviation is the hips' height over the line, negative below it",
    arguments: [(0.125, 0.125), (-0.125, -0.125), (0, 0)] as [(Double, Float)])
  func hipDeviation(hip: Double, expected: Float) {
    #expect(Figure.trunk(hip: Vector3(0, hip, 0)).measure(.hipDeviation) == expected)
  }

  @Test("On an inclined line the hip deviation is only the vertical part of the distance")
  func inclinedHipDeviation() throws {
    // The line has the direction (0.8, 0.6); 0.5 m along its normal (-0.6, 0.8) is 0.4 m up.
    let figure = Figure([
      .centerShoulder: Vector3(0.8, 0.6, 0), .root: Vector3(-0.3, 0.4, 0),
      .leftAnkle: Vector3(-0.8, -0.6, 0.1), .rightAnkle: Vector3(-0.8, -0.6, -0.1),
    ])
    let deviation = try #require(figure.measure(.hipDeviation))
    #expect(abs(deviation - 0.4) < 1e-6)
  }

  @Test("Fractions are lengths over the body height, the frame's before the header's")
  func fractions() {
    var figure = Figure.trunk(hip: Vector3(0, 0.125, 0))
    figure.joints[.leftShoulder] = Vector3(1, 0.5, 0)
    figure.joints[.rightShoulder] = Vector3(1, -0.5, 0)
    figure.height = 2
    #expect(figure.measure(.hipDeviationFraction) == 0.0625)
    #expect(figure.measure(.shoulderRiseFraction) == 0.5)
    figure.frameHeight = 1
    #expect(figure.measure(.hipDeviationFraction) == 0.125)
    #expect(figure.measure(.shoulderRiseFraction) == 1)
  }

  @Test("The hip clearance is counted from the lowest joint that is there")
  func hipClearance() {
    var figure = Figure([.root: Vector3(0, 0.5, 0), .leftKnee: Vector3(0, 0.25, 0)], height: 2)
    #expect(figure.measure(.hipClearance) == 0.125)
    figure.joints[.topHead] = Vector3(0, -0.5, 0)
    #expect(figure.measure(.hipClearance) == 0.5)
    figure.up = -.unitY
    #expect(figure.measure(.hipClearance) == 0)
    #expect(Figure([.root: Vector3(1, 2, 3)], height: 2).measure(.hipClearance) == 0)
  }
}

extension Figure {
  /// Shoulders 1 m to the right of the origin, ankles 1 m to its left, hips anywhere.
  static func trunk(hip: Vector3) -> Figure {
    Figure([
      .centerShoulder: Vector3(1, 0, 0), .root: hip, .leftAnkle: Vector3(-1, 0, 0.5),
      .rightAnkle: Vector3(-1, 0, -0.5),
    ])
  }
}

@Suite("Ratios and cosines, hand-computed") struct RatioMeasurementTests {
  private func span(_ shoulder: Vector3) -> Figure {
    Figure([
      .centerShoulder: shoulder, .leftAnkle: Vector3(0, 0, 1), .rightAnkle: Vector3(0, 0, -1),
    ])
  }

  @Test(
    "The vertical ratio is the vertical share of the line from shoulders to ankles",
    arguments: [
      (Vector3(3, 4, 0), 0.8), (Vector3(4, -3, 0), 0.6), (Vector3(0, 2, 0), 1),
      (Vector3(1, 0, 0), 0),
    ] as [(Vector3, Float)])
  func verticalRatio(shoulder: Vector3, expected: Float) {
    #expect(span(shoulder).measure(.verticalRatio) == expected)
  }

  @Test("A span of at most a centimeter counts as standing: the ratio is 1")
  func shortSpan() {
    let bound = Double(Float(0.01))
    #expect(bound < 0.01)
    #expect(span(Vector3(0, 0, 0)).measure(.verticalRatio) == 1)
    #expect(span(Vector3(bound, 0, 0)).measure(.verticalRatio) == 1)
    #expect(span(Vector3(Double(Float(0.01).nextUp), 0, 0)).measure(.verticalRatio) == 0)
  }

  @Test("A span of exactly a centimeter still counts as standing")
  func spanAtTheBound() {
    // No Float is 0.01; a matrix brings 1/128 m to it. It is no rotation, which only readers ask.
    var figure = span(Vector3(0x1p-7, 0, 0))
    figure.joints[.leftAnkle] = Vector3(0, 0, 0)
    figure.joints[.rightAnkle] = Vector3(0, 0, 0)
    figure.frame = .pelvis
    let stretch = Rotation3(Vector3(1.28, 0, 0), .unitY, Vector3(0, 0, 1))
    figure.camera = CameraMatrix(rotation: stretch, translation: Vector3(0, 0, 0))
    #expect(figure.measure(.verticalRatio) == 1)
  }
}

@Suite("Legs and lowest joints, computed by hand") struct LegMeasurementTests {
  private let figure = Figure.prone
    .with(.leftKnee, at: Vector3(-0.5, 0.5, -0.125)).with(.leftAnkle, at: Vector3(-0.5, 0, -0.125))

  @Test("The knee angle is the mean of both legs, the smaller one that of the bent leg")
  func kneeAngles() throws {
    let right = try #require(Figure.prone.measure(.smallerKneeAngle))
    #expect(Figure.prone.measure(.kneeAngle) == right)
    #expect(figure.measure(.smallerKneeAngle) == 90)
    #expect(figure.measure(.kneeAngle) == (90 + right) / 2)
  }

  @Test("The lowest hand or elbow, and the lower knee, are measured from the lower ankle")
  func rises() {
    #expect(Figure.prone.measure(.handHeight) == Float(-0.125 / 1.75))
    #expect(Figure.prone.measure(.kneeRise) == Float(0.125 / 1.75))
    #expect(figure.measure(.handHeight) == 0)
    #expect(figure.measure(.kneeRise) == Float(0.25 / 1.75))
    let kneeling = figure.with(.rightElbow, at: Vector3(0.5, -0.35, 0.25))
    #expect(kneeling.measure(.handHeight) == Float(-0.35 / 1.75))
  }

  /// Elbows at (1, 0) and (1, 0.5), ankles at (-1, -0.25), in a body of 2 m.
  private func legs(_ leftKnee: Vector3, _ rightKnee: Vector3) -> Figure {
    Figure(
      [
        .leftElbow: Vector3(1, 0, 1), .rightElbow: Vector3(1, 0.5, -1), .leftKnee: leftKnee,
        .rightKnee: rightKnee, .leftAnkle: Vector3(-1, 0, 0), .rightAnkle: Vector3(-1, -0.5, 0),
      ], height: 2)
  }

  @Test("The knees are measured from the line that joins the midpoints of elbows and of ankles")
  func kneeDeviation() {
    // The line rises from (-1, -0.25) to (1, 0.25): 1 up in 4.
    #expect(legs(Vector3(-0.5, 0, 0), Vector3(0.5, 0, 0)).measure(.kneeDeviation) == 0)
    // 0.5 m straight above the line is 16 / 17 of that in height over the nearest point of the line.
    let above = legs(Vector3(0, 1, 0), Vector3(0, 0, 0))
    #expect(above.measure(.kneeDeviation) == Float(0.25 * 16 / 17))
    let below = legs(Vector3(0, -0.75, 0), Vector3(0, -0.25, 0))
    #expect(below.measure(.kneeDeviation) == Float(-0.25 * 16 / 17))
    // To the side of it is not above it.
    #expect(legs(Vector3(0, 0, 3), Vector3(0, 0, 4)).measure(.kneeDeviation) == 0)
    #expect(Figure.prone.measure(.kneeDeviation, .article) == Figure.prone.measure(.kneeDeviation))
  }
}

@Suite("Angles, hand-computed") struct AngleMeasurementTests {
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
}

@Suite("Sign of the hip angle, by property") struct SignedHipAnglePropertyTests {
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

@Suite("Axis readings") struct AxisReadingTests {
  private func figure(_ orientation: DeviceOrientation) -> Figure {
    var figure = Figure([
      .centerShoulder: Vector3(0.75, 1, 0), .root: Vector3(0, 0.5, 0),
      .leftAnkle: Vector3(0, 0, 0), .rightAnkle: Vector3(0, 0, 0),
      .leftShoulder: Vector3(1, 0.25, 0), .rightShoulder: Vector3(0.5, 0.125, 0),
    ])
    figure.orientation = orientation
    figure.up = Vector3(0, 0, 1)
    return figure
  }

  @Test("Pelvis positions are turned by their matrix before they are measured")
  func pelvisRotation() {
    var figure = figure(.portrait)
    figure.frame = .pelvis
    figure.up = .unitY
    #expect(figure.measure(.shoulderRise) == nil)
    // x goes to y, y to -x.
    let turn = Rotation3(.unitY, -.unitX, Vector3(0, 0, 1))
    figure.camera = CameraMatrix(rotation: turn, translation: Vector3(5, 6, 7))
    #expect(figure.measure(.shoulderRise) == 0.5)
    #expect(figure.measure(.verticalRatio) == 0.6)
  }
}
