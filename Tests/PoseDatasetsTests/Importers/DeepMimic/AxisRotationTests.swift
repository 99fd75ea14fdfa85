import PoseDatasets
import PoseModel
import Testing

@Suite("Axis rotations")
struct AxisRotationTests {
  @Test(
    "A rotation is right-handed",
    arguments: [
      ("z=90", Vector3(1, 0, 0), Vector3(0, 1, 0)), ("x=90", Vector3(0, 1, 0), Vector3(0, 0, 1)),
      ("y=90", Vector3(0, 0, 1), Vector3(1, 0, 0)),
      ("0,0,2=-90", Vector3(1, 0, 0), Vector3(0, -1, 0)),
      ("1,1,0=180", Vector3(1, 0, 0), Vector3(0, 1, 0)),
    ])
  func turns(text: String, from: Vector3, to: Vector3) throws {
    #expect(distance(try AxisRotation(text).matrix(from), to) < 1e-15)
  }

  @Test("A rotation is proper", arguments: ["x=17", "y=-123", "1,2,3=45", "-1,0.5,0=720.5"])
  func proper(text: String) throws {
    let matrix = try AxisRotation(text).matrix
    #expect(matrix.orthonormalityError < 1e-15)
    #expect(abs(matrix.determinant - 1) < 1e-15)
  }

  @Test(
    "Anything but an axis and degrees is an error",
    arguments: ["", "x", "x=", "w=3", "x=3=4", "1,2=3", "0,0,0=3", "x=nan", "1,2,3,4=5", "1,a,3=4"])
  func unreadable(text: String) {
    #expect(throws: PoseSourceError.self) { try AxisRotation(text) }
  }
}
