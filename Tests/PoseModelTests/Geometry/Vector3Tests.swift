import PoseModel
import TestSupport
import Testing

@Suite("Vectors") struct Vector3Tests {
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
}

@Suite("Rotations") struct Rotation3Tests {
  private func random(_ seed: UInt64) -> (Rotation3, Rotation3, Vector3) {
    var random = SplitMix64(seed: seed)
    return (random.rotation(), random.rotation(), random.normalVector(1))
  }

  private func flip(_ v: Vector3) -> Vector3 { Vector3(-v.x, v.y, v.z) }

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

  @Test("A mirrored rotation turns mirrored vectors to mirrored images", arguments: seeds)
  func mirroring(seed: UInt64) {
    let (a, _, v) = random(seed)
    #expect((a.mirrored(flip(v)) - flip(a(v))).norm < 1e-14)
    #expect(abs(a.mirrored.determinant - 1) < 1e-14)
    #expect(a.mirrored.mirrored == a)
  }
}

@Suite("Camera matrices") struct CameraMatrixTests {
  private static let entries: [Double] = [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 5, 6, -7, 1]

  @Test("Entries are read by columns and written back as they were")
  func columnMajor() throws {
    let matrix = try #require(CameraMatrix(columnMajor: Self.entries))
    #expect(matrix.rotation(.unitX) == Vector3(0, 1, 0))
    #expect(matrix.translation == Vector3(5, 6, -7))
    #expect(matrix.columnMajor == Self.entries)
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
    "A mirrored matrix takes flipped points to flipped points and mirrors back", arguments: seeds)
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

@Suite("Image scales") struct ImageScaleTests {
  @Test("Normalized points and pixels of the same picture are the same points in image heights")
  func samePicture() throws {
    let normalized = try #require(ImageScale(.vision2d, widthPixels: 1600, heightPixels: 800))
    let pixels = try #require(ImageScale(.coco17, widthPixels: 1600, heightPixels: 800))
    // 400 px to the right and 200 px up, once from the lower and once from the upper left corner.
    #expect(normalized(Vector3(0.25, 0.25, 0)) == Vector3(0.5, 0.25, 0))
    let apart = pixels(Vector3(400, 600, 0)) - pixels(Vector3(0, 800, 0))
    #expect(apart == Vector3(0.5, 0.25, 0))
  }

  @Test("There is none for 3D positions and for images without a size")
  func noScale() {
    #expect(ImageScale(.vision3d, widthPixels: 100, heightPixels: 100) == nil)
    #expect(ImageScale(.vision2d, widthPixels: 0, heightPixels: 100) == nil)
    #expect(ImageScale(.coco17, widthPixels: 100, heightPixels: 0) == nil)
    var header = RecordingHeader(skeleton: .vision2d, joints: [.nose], frame: .image)
    header.imageWidth = 100
    #expect(header.imageScale == nil)
    header.imageHeight = 50
    #expect(header.imageScale?.right == 2)
  }

  @Test("A frame of an image of unknown size cannot be evaluated")
  func unknownSize() {
    var recording = smallRecording(times: [0], skeleton: .vision2d, frame: .image)
    #expect(recording.axes(at: 0) == nil)
    #expect(recording.evaluatedPosition(of: .leftHip, at: 0) == nil)
    var header = recording.header
    (header.imageWidth, header.imageHeight) = (200, 100)
    recording = Recording(header: header)
    recording.append(time: Seconds(0), pose: [0, 0, 0.5, 0.25, 1, 1])
    #expect(recording.axes(at: 0)?.up == .unitY)
    #expect(recording.evaluatedPosition(of: .leftHip, at: 0) == Vector3(1, 0.25, 0))
    #expect(recording.poseFrames[0].position(of: .leftHip) == Vector3(1, 0.25, 0))
  }

  @Test("Up in an image is the part of up that the image shows")
  func up() throws {
    let scale = try #require(ImageScale(.vision2d, widthPixels: 1, heightPixels: 1))
    #expect(FrameAxes(image: scale, up: Vector3(0.6, 0, 0.8))?.up == .unitX)
    #expect(FrameAxes(image: scale, up: Vector3(0, 0, 1)) == nil)
    var header = RecordingHeader(skeleton: .coco17, joints: [.nose], frame: .image)
    header.orientation = .landscapeLeft
    (header.cameraPosition, header.buffer) = (.back, .fixed)
    #expect(header.upDirection == .known(.unitX))
  }

  @Test("A joint whose confidence is 0 is missing, and the confidence stays")
  func noConfidence() {
    let header = RecordingHeader(skeleton: .vision2d, joints: [.nose, .neck], frame: .image)
    var recording = Recording(header: header)
    let (points, confidences): ([Float], [Float]) = ([0.5, 0.5, 0.25, 0.25], [0, 0.75])
    points.withUnsafeBufferPointer { points in
      confidences.withUnsafeBufferPointer { confidences in
        recording.append(time: 0, pose: points, confidences: confidences)
      }
    }
    #expect(recording.position(of: .nose, at: 0) == nil)
    #expect(recording.confidence(of: .nose, at: 0) == 0)
    #expect(recording.position(of: .neck, at: 0) == Vector3(0.25, 0.25, 0))
    #expect(recording.confidence(of: .neck, at: 0) == 0.75)
    #expect(recording.confidence(of: .leftHip, at: 0) == nil)
    var pose = Pose()
    pose.load(recording, frame: 0)
    #expect(pose[.nose] == nil && pose.confidences[Int(Joint.neck.rawValue)] == 0.75)
    pose.setPoint(of: .neck, x: 0.5, y: 0.5, confidence: 0)
    #expect(pose[.neck] == nil)
  }
}
