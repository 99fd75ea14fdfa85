import PoseModel
import Testing

@Suite("Axes of a frame") struct FrameAxesTests {
  private static let pose: [Float] = [0, 0, 0, 1, 2, 3, -1, 2, 3]
  private static let quarter = Rotation3(Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(0, 0, 1))

  private func recording(
    frame: FrameOfReference = .camera, orientation: DeviceOrientation? = nil,
    extras: FrameExtras = FrameExtras()
  ) -> Recording {
    var header = smallRecording(times: []).header
    header.frame = frame
    header.orientation = orientation
    var recording = Recording(header: header)
    recording.append(time: Seconds(0), pose: Self.pose, extras: extras)
    recording.append(time: Seconds(1), pose: nil, extras: extras)
    return recording
  }

  @Test("A frame's own up vector comes before the header's")
  func ownUp() {
    let extras = FrameExtras(up: .unitX)
    #expect(recording(extras: extras).axes(at: 0)?.up == .unitX)
    #expect(recording().axes(at: 0)?.up == .unitY)
  }

  @Test("A missing frame and one without any up have no axes")
  func noAxes() {
    #expect(recording().axes(at: 1) == nil)
    #expect(recording(orientation: .landscapeLeft).axes(at: 0) == nil)
    let extras = FrameExtras(up: .unitX)
    #expect(recording(orientation: .landscapeLeft, extras: extras).axes(at: 0)?.up == .unitX)
  }

  @Test("A pelvis pose without its matrix is missing; with it joints are turned by its rotation")
  func pelvis() {
    #expect(recording(frame: .pelvis).isMissing(at: 0))
    #expect(recording(frame: .pelvis).evaluatedPosition(of: .leftHip, at: 0) == nil)
    let camera = CameraMatrix(rotation: Self.quarter, translation: Vector3(9, 9, 9))
    let turned = recording(frame: .pelvis, extras: FrameExtras(camera: camera))
    #expect(!turned.isMissing(at: 0))
    #expect(turned.isMissing(at: 1))
    #expect(turned.axes(at: 0)?.rotation == Self.quarter)
    #expect(turned.evaluatedPosition(of: .leftHip, at: 0) == Vector3(-2, 1, 3))
    #expect(turned.position(of: .leftHip, at: 0) == Vector3(1, 2, 3))
  }

  @Test("In other frames a matrix turns nothing", arguments: [FrameOfReference.camera, .world])
  func unturned(frame: FrameOfReference) {
    let camera = CameraMatrix(rotation: Self.quarter, translation: Vector3(9, 9, 9))
    let recording = recording(frame: frame, extras: FrameExtras(camera: camera))
    #expect(recording.axes(at: 0)?.rotation == nil)
    #expect(recording.evaluatedPosition(of: .leftHip, at: 0) == Vector3(1, 2, 3))
  }

  @Test(
    "The published vertical is x in both landscape orientations, else y",
    arguments: DeviceOrientation.allCases)
  func publishedVertical(orientation: DeviceOrientation) {
    let expected: Vector3 = orientation.isLandscape ? .unitX : .unitY
    #expect(FrameAxes(up: .unitY, orientation: orientation).publishedVertical == expected)
    let world = FrameAxes(up: .unitY, orientation: orientation, frame: .world)
    #expect(world.publishedVertical == .unitY)
  }
}

@Suite("Up directions") struct UpDirectionTests {
  private static let fixedBack: [DeviceOrientation: Vector3] = [
    .portrait: Vector3(0, 1, 0), .portraitUpsideDown: Vector3(0, -1, 0),
    .landscapeLeft: Vector3(1, 0, 0), .landscapeRight: Vector3(-1, 0, 0),
  ]

  private static let fixedFront: [DeviceOrientation: Vector3] = [
    .portrait: Vector3(0, 1, 0), .portraitUpsideDown: Vector3(0, -1, 0),
    .landscapeLeft: Vector3(-1, 0, 0), .landscapeRight: Vector3(1, 0, 0),
  ]

  private func header(
    _ orientation: DeviceOrientation?, _ position: CameraPosition? = nil,
    _ buffer: ImageBuffer? = nil, frame: FrameOfReference = .camera
  ) -> RecordingHeader {
    var header = RecordingHeader(skeleton: .vision3d, joints: [.root], frame: frame)
    header.orientation = orientation
    header.cameraPosition = position
    header.buffer = buffer
    return header
  }

  @Test("A fixed buffer turns up with the device", arguments: DeviceOrientation.allCases)
  func fixed(orientation: DeviceOrientation) throws {
    let back = try #require(Self.fixedBack[orientation])
    let front = try #require(Self.fixedFront[orientation])
    #expect(header(orientation, .back, .fixed).upDirection == .known(back))
    #expect(header(orientation, .front, .fixed).upDirection == .known(front))
  }

  @Test(
    "An upright buffer has y up in every orientation",
    arguments: DeviceOrientation.allCases, CameraPosition.allCases)
  func upright(orientation: DeviceOrientation, position: CameraPosition) {
    #expect(header(orientation, position, .upright).upDirection == .known(.unitY))
  }

  @Test(
    "A landscape recording without camera side or buffer has no up of its own",
    arguments: [DeviceOrientation.landscapeLeft, .landscapeRight])
  func ambiguous(orientation: DeviceOrientation) {
    #expect(header(orientation).upDirection == .perFrameOnly)
    #expect(header(orientation, .back).upDirection == .perFrameOnly)
    #expect(header(orientation, nil, .fixed).upDirection == .perFrameOnly)
    #expect(header(orientation, nil, .upright).upDirection == .perFrameOnly)
  }

  @Test("Portrait is the default and needs nothing else; upside down needs the buffer")
  func portrait() {
    #expect(header(nil).upDirection == .known(.unitY))
    #expect(header(.portrait).upDirection == .known(.unitY))
    #expect(header(.portraitUpsideDown).upDirection == .perFrameOnly)
    #expect(header(.portraitUpsideDown, nil, .fixed).upDirection == .known(-.unitY))
    #expect(header(.portraitUpsideDown, nil, .upright).upDirection == .known(.unitY))
  }

  @Test(
    "Up turns clockwise with the camera's buffers",
    arguments: [
      (DeviceOrientation?.none, 90.0, Vector3(1, 0, 0)), (.portrait, 180, -.unitY),
      (.portrait, 270, Vector3(-1, 0, 0)), (.portrait, -90, Vector3(-1, 0, 0)),
      (.portraitUpsideDown, 90, Vector3(-1, 0, 0)), (.landscapeLeft, 90, -.unitY),
      (.landscapeLeft, 270, .unitY), (.landscapeRight, 270, -.unitY),
    ])
  func turned(orientation: DeviceOrientation?, degrees: Double, up: Vector3) {
    var header = header(orientation, .back)
    header.bufferRotation = BufferRotation(degrees: degrees)
    #expect(header.upDirection == .known(up))
    header.buffer = .upright
    #expect(header.upDirection == .known(.unitY))
  }

  @Test("Only quarter turns are rotations of a buffer", arguments: [45.0, 1e300, .nan, 450])
  func eighth(degrees: Double) { #expect(BufferRotation(degrees: degrees) == nil) }

  @Test("The header's own up vector comes before every rule", arguments: FrameOfReference.allCases)
  func own(frame: FrameOfReference) {
    var header = header(.landscapeLeft, .back, .fixed, frame: frame)
    header.up = Vector3(0, 0, 1)
    #expect(header.upDirection == .known(Vector3(0, 0, 1)))
  }
}
