import PoseModel
import Testing

@Suite("Up directions")
struct UpDirectionTests {
  /// A row of the contract's table, by orientation.
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

  @Test("The header's own up vector comes before every rule", arguments: FrameOfReference.allCases)
  func own(frame: FrameOfReference) {
    var header = header(.landscapeLeft, .back, .fixed, frame: frame)
    header.up = Vector3(0, 0, 1)
    #expect(header.upDirection == .known(Vector3(0, 0, 1)))
  }

  @Test("A world recording has y up, however the device was held")
  func world() {
    #expect(header(.landscapeLeft, frame: .world).upDirection == .known(.unitY))
  }
}
