import PlankDetection
import PoseModel
import Testing

@Suite("Axis readings")
struct AxisReadingTests {
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

  @Test(
    "The article's vertical ratio is along x in both landscape orientations, else along y",
    arguments: DeviceOrientation.allCases)
  func articleVertical(orientation: DeviceOrientation) {
    let expected: Float = orientation.isLandscape ? 0.6 : 0.8
    #expect(figure(orientation).measure(.verticalRatio, .article) == expected)
    var world = figure(orientation)
    world.frame = .world
    #expect(world.measure(.verticalRatio, .article) == 0.8)
  }

  @Test(
    "The article reads shoulder and hip heights along y in every orientation",
    arguments: DeviceOrientation.allCases)
  func articleHeights(orientation: DeviceOrientation) {
    #expect(figure(orientation).measure(.shoulderRise, .article) == 0.125)
    // H is (-0.3, 0.1) off the line through (0.6, 0.8): its distance has the normal (-0.8, 0.6).
    #expect(figure(orientation).measure(.hipDeviation, .article) == Float(0.18))
  }

  @Test("The article ignores up vectors; gravity follows them")
  func upVector() {
    var turned = figure(.portrait)
    turned.up = .unitX
    #expect(turned.measure(.shoulderRise, .article) == 0.125)
    #expect(turned.measure(.shoulderRise, .gravity) == 0.5)
    #expect(turned.measure(.verticalRatio, .gravity) == 0.6)
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
