import PoseModel
import Testing

@Suite("Axes of a frame")
struct FrameAxesTests {
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
