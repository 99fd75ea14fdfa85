import PoseModel
import TestSupport
import Testing

@Suite("Unmirroring")
struct MirroringTests {
  private func mirrored(_ recording: Recording, width: Int? = nil) -> Recording {
    var header = recording.header
    header.isMirrored = true
    header.imageWidth = width
    var result = Recording(header: header)
    for frame in 0..<recording.frameCount { result.append(copying: recording, frame) }
    return result
  }

  @Test("A recording that is not mirrored stays as it is")
  func plain() throws {
    var recording = smallRecording()
    try recording.unmirror()
    #expect(recording.header == smallRecording().header)
    #expect(recording.positions == smallRecording().positions)
  }

  @Test("In 3D x changes its sign and sides change their names; doing it twice changes nothing")
  func space() throws {
    let original = smallRecording()
    var recording = mirrored(original)
    try recording.unmirror()
    #expect(recording.header.joints == [.root, .rightHip, .leftHip])
    #expect(!recording.header.isMirrored)
    #expect(recording.position(of: .rightHip, at: 1) == Vector3(-103, 104, 105))
    let once = recording
    try recording.unmirror()
    #expect(recording.positions == once.positions)
  }

  @Test(
    "In an image x is counted from the other edge",
    arguments: [(Skeleton.vision2d, 1.0), (.coco17, 640)])
  func image(skeleton: Skeleton, edge: Double) throws {
    let original = smallRecording(times: [0], skeleton: skeleton, frame: .image)
    var recording = mirrored(original, width: 640)
    try recording.unmirror()
    let before = try #require(original.position(of: .leftHip, at: 0))
    #expect(recording.position(of: .rightHip, at: 0) == Vector3(edge - before.x, before.y, 0))
  }

  @Test("Pixels without an image width are an error that asks for it")
  func noWidth() throws {
    var recording = mirrored(smallRecording(times: [0], skeleton: .coco17, frame: .image))
    let error = try #require(throws: MirroringError.self) { try recording.unmirror() }
    #expect(error.description.contains("image_width_px"))
    #expect(recording.header.isMirrored)
  }

  @Test("Missing joints and frames stay missing, up vectors stay as they are")
  func missing() throws {
    var recording = mirrored(smallRecording(times: []))
    recording.append(
      time: Seconds(0), pose: [0, 0, 0, .nan, .nan, .nan, 1, 2, 3], extras: FrameExtras(up: .unitX))
    recording.append(time: Seconds(1), pose: nil)
    try recording.unmirror()
    #expect(recording.position(of: .rightHip, at: 0) == nil)
    #expect(recording.position(of: .leftHip, at: 0) == Vector3(-1, 2, 3))
    #expect(recording.ownUp(at: 0) == .unitX)
    #expect(!recording.hasPose(at: 1))
  }

  @Test(
    "In a pelvis frame the joints seen by the camera are flipped",
    arguments: seeds)
  func pelvis(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let camera = CameraMatrix(rotation: random.rotation(), translation: random.normalVector(1))
    var original = smallRecording(times: [], frame: .pelvis)
    original.append(
      time: Seconds(0), pose: [0, 0, 0, 1, 2, 3, -1, 2, 3], extras: FrameExtras(camera: camera))
    var recording = mirrored(original)
    try recording.unmirror()
    let seen = try #require(original.evaluatedPosition(of: .leftHip, at: 0))
    let flipped = try #require(recording.evaluatedPosition(of: .rightHip, at: 0))
    #expect((flipped - Vector3(-seen.x, seen.y, seen.z)).norm < 1e-12)
    #expect(abs((recording.camera(at: 0)?.rotation.determinant ?? 0) - 1) < 1e-12)
  }
}
