import PlankDetection
import PoseModel
import Testing

@Suite("Ratios and cosines, hand-computed")
struct RatioMeasurementTests {
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

  @Test("The vertical ratio looks along the up vector, whatever its sign")
  func verticalRatioAlongUp() {
    var figure = span(Vector3(3, 4, 0))
    figure.up = -.unitX
    #expect(figure.measure(.verticalRatio) == 0.6)
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

  @Test(
    "The wrist-hip cosine is 1 with the wrists toward the hips and -1 with them overhead",
    arguments: [
      (Vector3(0.75, 1, 0), 0.6), (Vector3(2, 0, 0), 1), (Vector3(-2, 0, 0), -1),
      (Vector3(0, -0.25, 0), 0),
    ] as [(Vector3, Float)])
  func wristHipCosine(wrists: Vector3, expected: Float) {
    let figure = Figure([
      .centerShoulder: Vector3(1, 1, 1), .root: Vector3(1.5, 1, 1),
      .leftWrist: Vector3(1, 1, 1) + wrists + Vector3(0, 0, 0.5),
      .rightWrist: Vector3(1, 1, 1) + wrists - Vector3(0, 0, 0.5),
    ])
    #expect(figure.measure(.wristHipCosine) == expected)
  }

  @Test("The forearm verticality is the mean over both arms, whichever way they point")
  func forearmVerticality() {
    func forearms(_ left: Vector3, _ right: Vector3) -> Float? {
      Figure([
        .leftElbow: Vector3(1, 0, 0), .leftWrist: Vector3(1, 0, 0) + left,
        .rightElbow: Vector3(-1, 0, 0), .rightWrist: Vector3(-1, 0, 0) + right,
      ]).measure(.forearmVerticality)
    }
    #expect(forearms(Vector3(0, -0.25, 0), Vector3(0, 0.25, 0)) == 1)
    #expect(forearms(Vector3(0, -0.25, 0), Vector3(0.25, 0, 0)) == 0.5)
    #expect(forearms(Vector3(3, -4, 0), Vector3(0, 3, 4)) == 0.7)
  }
}
