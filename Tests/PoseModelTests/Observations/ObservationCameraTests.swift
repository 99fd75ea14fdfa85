import PoseModel
import TestSupport
import Testing

@Suite("Observations and their camera")
struct ObservationCameraTests {
  let intrinsics = CameraIntrinsics(
    focalLengthPixels: 786, principalXPixels: 530, principalYPixels: 970, imageWidthPixels: 1080,
    imageHeightPixels: 1920)

  @Test("A joint before the camera is M p, in the camera's axes R p", arguments: 1...10)
  func cameraAxes(seed: Int) throws {
    let observation = try Bodies.random(seed: UInt64(seed))
    let matrix = observation.cameraOriginMatrix.matrix
    for joint in observation.availableJointNames {
      let product = matrix * (try observation.recognizedPoint(joint).position)
      let before = try observation.positionBeforeCamera(joint)
      #expect(Bodies.distance(product.translation, before) < 1e-6)
      let turned = try observation.positionInCameraAxes(joint)
      let root = try observation.positionBeforeCamera(.root)
      #expect(Bodies.distance(before - root, turned) < 1e-12)
    }
  }

  @Test("The camera relative position moves the joint and does not turn it")
  func cameraRelative() throws {
    let observation = try Bodies.random(seed: 3)
    for joint in observation.availableJointNames {
      let relative = try observation.cameraRelativePosition(joint)
      let sum =
        observation.cameraOriginMatrix.translation
        + (try observation.recognizedPoint(joint).vector)
      #expect(Bodies.distance(relative.translation, sum) < 1e-6)
      #expect(relative.rotation == observation.cameraOriginMatrix.rotation)
    }
  }

  @Test("The image of a joint is normalized from the lower left corner")
  func image() throws {
    var pose = try Bodies.random(seed: 4).pose
    pose[.leftWrist] = Vector3(0.5, 0.25, 0)
    let observation = try BodyPose3DObservation(
      pose: pose,
      cameraOriginMatrix: CameraMatrix(rotation: .identity, translation: Vector3(0, 0, -2)))
    let root = try observation.pointInImage(.root, intrinsics: intrinsics)
    #expect(root == ImagePoint(x: 530.0 / 1080, y: 970.0 / 1920))
    let wrist = try observation.pointInImage(.leftWrist, intrinsics: intrinsics)
    #expect(abs(wrist.x * 1080 - (530 + 786 * 0.25)) < 1e-9)
    #expect(abs(wrist.y * 1920 - (970 + 786 * 0.125)) < 1e-9)
  }

  @Test("A joint that is not in front of the camera has no image")
  func behind() throws {
    let observation = try BodyPose3DObservation(
      pose: try Bodies.random(seed: 5).pose,
      cameraOriginMatrix: CameraMatrix(rotation: .identity, translation: Vector3(0, 0, 0)))
    #expect(throws: ObservationError.behindCamera(.root)) {
      try observation.pointInImage(.root, intrinsics: intrinsics)
    }
  }

  @Test("Without a principal point it is the middle of the image")
  func middle() {
    let plain = CameraIntrinsics(
      focalLengthPixels: 500, imageWidthPixels: 640, imageHeightPixels: 480)
    #expect(plain.project(Vector3(0, 0, -1)) == ImagePoint(x: 0.5, y: 0.5))
  }

  @Test("A rigid transform and its inverse change nothing", arguments: 1...10)
  func inverse(seed: Int) throws {
    let camera = try Bodies.random(seed: UInt64(seed)).cameraOriginMatrix
    let point = Vector3(0.3, -0.2, 0.7)
    #expect(Bodies.distance(camera.rigidInverse(camera(point)), point) < 1e-6)
    #expect(CameraMatrix(camera.matrix) == camera)
    #expect(Matrix4x4(columnMajor: camera.columnMajor) == camera.matrix)
  }

  @Test("Matrices are read column by column and need 16 finite numbers")
  func columnMajor() {
    let entries = (0..<16).map(Double.init)
    #expect(Matrix4x4(columnMajor: entries)?.columns.3 == SIMD4(12, 13, 14, 15))
    #expect(Matrix4x4(columnMajor: entries)?.columnMajor.map(Double.init) == entries)
    #expect(Matrix4x4(columnMajor: Array(entries.dropLast())) == nil)
    #expect(Matrix4x4(columnMajor: entries.map { $0 == 3 ? 1e40 : $0 }) == nil)
  }
}
