import PoseModel
import TestSupport
import Testing

@Suite("Rotations")
struct Rotation3Tests {
  /// A quarter turn about z.
  private let quarter = Rotation3(Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(0, 0, 1))

  private func random(_ seed: UInt64) -> (Rotation3, Rotation3, Vector3) {
    var random = ScriptedRandom(seed: seed)
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
