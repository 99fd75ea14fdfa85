import PlankDetection
import PoseModel
import TestSupport
import Testing

@Suite("Sign of the hip angle, by property")
struct SignedHipAnglePropertyTests {
  @Test(
    "The signed hip angle is above 180 exactly where the hips are above the line",
    arguments: 0..<200 as Range<UInt64>)
  func signLaw(seed: UInt64) throws {
    var random = ScriptedRandom(seed: seed)
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
