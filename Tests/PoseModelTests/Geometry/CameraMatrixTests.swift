import PoseModel
import TestSupport
import Testing

@Suite("Camera matrices")
struct CameraMatrixTests {
  private static let entries: [Double] = [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 5, 6, -7, 1]

  @Test("Entries are read by columns and written back as they were")
  func columnMajor() throws {
    let matrix = try #require(CameraMatrix(columnMajor: Self.entries))
    #expect(matrix.rotation(.unitX) == Vector3(0, 1, 0))
    #expect(matrix.translation == Vector3(5, 6, -7))
    #expect(matrix.columnMajor == Self.entries)
  }

  @Test("The bottom row is kept")
  func bottomRow() throws {
    var entries = Self.entries
    for index in [3, 7, 11, 15] { entries[index] = Double(index) }
    #expect(try #require(CameraMatrix(columnMajor: entries)).columnMajor == entries)
  }

  @Test("A rotation turns rigidly up to the limit; a reflection never does")
  func turnsRigidly() {
    func turns(_ scale: Double) -> Bool {
      let rotation = Rotation3(Vector3(scale, 0, 0), .unitY, Vector3(0, 0, 1))
      return CameraMatrix(rotation: rotation, translation: .unitX).turnsRigidly
    }
    #expect(turns(1) && turns(1.1.squareRoot() - 1e-9) && turns(0.9.squareRoot() + 1e-9))
    #expect(!turns(1.1.squareRoot() + 1e-9) && !turns(0.9.squareRoot() - 1e-9))
    #expect(!turns(-1) && !turns(.nan))
  }

  @Test("Anything but 16 finite entries gives no matrix")
  func invalid() {
    #expect(CameraMatrix(columnMajor: []) == nil)
    #expect(CameraMatrix(columnMajor: Array(Self.entries.dropLast())) == nil)
    #expect(CameraMatrix(columnMajor: Self.entries + [0]) == nil)
    #expect(CameraMatrix(columnMajor: [.nan] + Self.entries.dropFirst()) == nil)
    #expect(CameraMatrix(columnMajor: [.infinity] + Self.entries.dropFirst()) == nil)
  }

  @Test(
    "A mirrored matrix takes flipped points to flipped points and mirrors back",
    arguments: seeds)
  func mirroring(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let matrix = CameraMatrix(rotation: random.rotation(), translation: random.normalVector(2))
    let p = random.normalVector(1)
    let image = matrix.rotation(p) + matrix.translation
    let mirrored = matrix.mirrored
    let flippedImage = mirrored.rotation(Vector3(-p.x, p.y, p.z)) + mirrored.translation
    #expect((flippedImage - Vector3(-image.x, image.y, image.z)).norm < 1e-14)
    #expect(mirrored.mirrored == matrix)
  }
}
