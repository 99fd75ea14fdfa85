import PoseModel
import Testing

@testable import PoseSynthesis

/// The table without noise of experiments/image-or-space: what a bent hip looks like from where.
@Suite("Hip angles in the image")
struct ImageAngleTests {
  /// A view of a body that sags by 9 degrees, and its angle in pixels and in shares of the image.
  struct View: Sendable {
    let azimuth: Double
    let distance: Double
    let height: Double
    let pixels: Double
    let shares: Double
  }

  static let views = [
    View(azimuth: 90, distance: 2, height: 0.3, pixels: 171.06, shares: 174.84),
    View(azimuth: 60, distance: 2, height: 0.3, pixels: 169.46, shares: 173.90),
    View(azimuth: 30, distance: 2, height: 0.3, pixels: 162.48, shares: 169.40),
    View(azimuth: 90, distance: 0.8, height: 0.3, pixels: 171.35, shares: 175.01),
    View(azimuth: 90, distance: 4, height: 0.3, pixels: 171.02, shares: 174.82),
    View(azimuth: 90, distance: 1, height: 1.4, pixels: 175.08, shares: 177.21),
  ]

  private func script(_ view: View, hipOffset: Double) -> SessionScript {
    var script = Session.still(.forearm)
    script.holds[0].form.hipOffset = Meters(hipOffset)
    script.camera.aim = .subject
    script.camera.azimuth = Degrees(view.azimuth)
    script.camera.distance = Meters(view.distance)
    script.camera.height = Meters(view.height)
    // The angles of 1080 by 1920 pixels and 69 degrees, on a sensor that cuts nothing off.
    script.camera.imageShortSidePixels = 4500
    script.camera.imageLongSidePixels = 8000
    return script
  }

  /// The angle at the middle of the hips, with x and y in units of their own.
  private func angle(_ recording: Recording, x: Double = 1, y: Double = 1) throws -> Double {
    func middle(_ left: Joint, _ right: Joint) throws -> Vector3 {
      let point = try #require(recording.position(of: left, at: 5))
        .midpoint(try #require(recording.position(of: right, at: 5)))
      return Vector3(point.x / x, point.y / y, point.z)
    }
    let hips = try middle(.leftHip, .rightHip)
    return (try middle(.leftShoulder, .rightShoulder) - hips)
      .angleDegrees(to: try middle(.leftAnkle, .rightAnkle) - hips)
  }

  @Test("A bend of 9 degrees shows in pixels and in shares as in the table", arguments: views)
  func bent(view: View) throws {
    var script = script(view, hipOffset: -0.05)
    script.output.kind = .coco17
    let image = try Session.made(script).recording
    #expect(abs(try angle(image) - view.pixels) < 0.15)
    #expect(abs(try angle(image, x: 1080, y: 1920) - view.shares) < 0.15)
  }

  @Test("In space the bend is the same from everywhere", arguments: views)
  func space(view: View) throws {
    let recording = try Session.made(script(view, hipOffset: -0.05)).recording
    // Joints are rounded to 0.1 mm, which is up to 0.05 degrees here.
    #expect(abs(try angle(recording) - 171.01) < 0.1)
  }

  @Test(
    "A straight body is straight in the image from 2 m on, from any side", arguments: [30, 60, 90])
  func straight(azimuth: Double) throws {
    let view = View(azimuth: azimuth, distance: 2, height: 0.3, pixels: 180, shares: 180)
    var script = script(view, hipOffset: 0)
    script.output.kind = .coco17
    #expect(try angle(try Session.made(script).recording) > 179.2)
  }
}
