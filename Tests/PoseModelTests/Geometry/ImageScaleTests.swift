import PoseModel
import Testing

@Suite("Image scales")
struct ImageScaleTests {
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
