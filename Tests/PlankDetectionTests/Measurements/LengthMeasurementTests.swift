import PlankDetection
import PoseModel
import Testing

@Suite("Lengths, hand-computed")
struct LengthMeasurementTests {
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

  @Test("The line of the hip deviation has no ends")
  func infiniteLine() {
    #expect(Figure.trunk(hip: Vector3(-3, 0.25, 0)).measure(.hipDeviation) == 0.25)
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

  @Test("The support drop is the largest drop of both elbows and both wrists")
  func supportDrop() {
    func drops(_ elbows: (Double, Double), _ wrists: (Double, Double)) -> Float? {
      Figure(
        [
          .leftShoulder: Vector3(1, 1, 0), .rightShoulder: Vector3(1, 2, 0),
          .leftElbow: Vector3(1, 1 - elbows.0, 0), .rightElbow: Vector3(1, 2 - elbows.1, 0),
          .leftWrist: Vector3(1, 1 - wrists.0, 0), .rightWrist: Vector3(1, 2 - wrists.1, 0),
        ], height: 2
      ).measure(.supportDrop)
    }
    #expect(drops((0.5, 0.125), (0.25, 0.25)) == 0.25)
    #expect(drops((0.125, 0.5), (0.25, 0.25)) == 0.25)
    #expect(drops((0.125, 0.125), (0.5, 0.25)) == 0.25)
    #expect(drops((0.125, 0.125), (0.25, 0.5)) == 0.25)
    #expect(drops((-0.5, -0.25), (-0.5, -0.5)) == -0.125)
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
