import PoseModel
import TestSupport
import Testing

@Suite("Vectors")
struct Vector3Tests {
  @Test("The cross product is right-handed")
  func cross() {
    #expect(Vector3.unitX.cross(.unitY) == Vector3(0, 0, 1))
    #expect(Vector3.unitY.cross(.unitX) == Vector3(0, 0, -1))
    #expect(Vector3(1, 2, 3).cross(Vector3(4, 5, 6)) == Vector3(-3, 6, -3))
  }

  @Test("Sums, differences, multiples and midpoints go by component")
  func arithmetic() {
    let (a, b) = (Vector3(1, 2, 4), Vector3(3, 6, -2))
    #expect(a + b == Vector3(4, 8, 2))
    #expect(a - b == Vector3(-2, -4, 6))
    #expect(-a == Vector3(-1, -2, -4))
    #expect(a * 2 == Vector3(2, 4, 8))
    #expect(a / 2 == Vector3(0.5, 1, 2))
    #expect(a.midpoint(b) == Vector3(2, 4, 1))
    #expect(a.dot(b) == 7)
    #expect(Vector3(2, 3, 6).norm == 7)
  }

  @Test(
    "A vector with any component that is not finite is not finite",
    arguments: [Double.nan, .infinity, -.infinity])
  func finite(bad: Double) {
    #expect(Vector3(1, 2, 3).isFinite)
    #expect(!Vector3(bad, 0, 0).isFinite)
    #expect(!Vector3(0, bad, 0).isFinite)
    #expect(!Vector3(0, 0, bad).isFinite)
  }

  @Test("The angle between vectors is exact at 0, 90 and 180 degrees, whatever their lengths")
  func angles() {
    #expect(Vector3.unitX.angleDegrees(to: Vector3(9, 0, 0)) == 0)
    #expect(Vector3.unitX.angleDegrees(to: Vector3(0, 0.001, 0)) == 90)
    #expect(Vector3.unitX.angleDegrees(to: Vector3(-4, 0, 0)) == 180)
    #expect(Vector3(1, 1, 0).angleDegrees(to: .unitX) == 45)
  }

  @Test(
    "Small angles and angles near 180 degrees keep their digits",
    arguments: [1e-3, 1e-5, 1e-7, 1e-9])
  func smallAngles(radians: Double) {
    let degrees = radians * 180 / Double.pi
    let near = Vector3(1, radians, 0)
    #expect(abs(near.angleDegrees(to: .unitX) / degrees - 1) < 1e-6)
    #expect(abs((180 - near.angleDegrees(to: -.unitX)) / degrees - 1) < 1e-4)
  }

  @Test("An angle does not change when both vectors are turned", arguments: seeds)
  func turnedAngle(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let (a, b) = (random.normalVector(1), random.normalVector(1))
    let turn = random.rotation()
    #expect(abs(turn(a).angleDegrees(to: turn(b)) - a.angleDegrees(to: b)) < 1e-12)
  }

  @Test("The angle of a point goes from -180 to 180 degrees, counted from x")
  func atan2() {
    #expect(atan2Degrees(0, 1) == 0)
    #expect(atan2Degrees(1, 0) == 90)
    #expect(atan2Degrees(0, -1) == 180)
    #expect(atan2Degrees(-1, 0) == -90)
  }
}

@Suite("Rotations")
struct Rotation3Tests {
  /// A quarter turn about z.
  private let quarter = Rotation3(Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(0, 0, 1))

  private func random(_ seed: UInt64) -> (Rotation3, Rotation3, Vector3) {
    var random = SplitMix64(seed: seed)
    return (random.rotation(), random.rotation(), random.normalVector(1))
  }

  private func flip(_ v: Vector3) -> Vector3 { Vector3(-v.x, v.y, v.z) }

  @Test("Columns are the images of the axes")
  func columns() {
    #expect(quarter(.unitX) == Vector3(0, 1, 0))
    #expect(quarter(.unitY) == Vector3(-1, 0, 0))
    #expect(Rotation3.identity(Vector3(1, 2, 3)) == Vector3(1, 2, 3))
  }

  @Test("A composition applies the right one first", arguments: seeds)
  func composition(seed: UInt64) {
    let (a, b, v) = random(seed)
    #expect((a.composed(after: b)(v) - a(b(v))).norm < 1e-14)
  }

  @Test("Rotations have no orthonormality error and determinant 1", arguments: seeds)
  func proper(seed: UInt64) {
    let (a, _, _) = random(seed)
    #expect(a.orthonormalityError < 1e-14)
    #expect(abs(a.determinant - 1) < 1e-14)
  }

  @Test("A reflection has determinant -1 and a stretched matrix an orthonormality error")
  func improper() {
    let reflection = Rotation3(Vector3(-1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1))
    #expect(reflection.determinant == -1)
    #expect(reflection.orthonormalityError == 0)
    let stretched = Rotation3(Vector3(2, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1))
    #expect(stretched.orthonormalityError == 3)
    let sheared = Rotation3(Vector3(1, 0, 0), Vector3(0.5, 1, 0), Vector3(0, 0, 1))
    #expect(sheared.orthonormalityError == 0.5)
  }

  @Test(
    "A mirrored rotation turns mirrored vectors to mirrored images",
    arguments: seeds)
  func mirroring(seed: UInt64) {
    let (a, _, v) = random(seed)
    #expect((a.mirrored(flip(v)) - flip(a(v))).norm < 1e-14)
    #expect(abs(a.mirrored.determinant - 1) < 1e-14)
    #expect(a.mirrored.mirrored == a)
  }
}
