import PoseModel
import Testing

@testable import PlankBench

@Suite("Poses turned upright")
struct UprightPosesTests {
  private static let directions = [
    Vector3(0, 1, 0), Vector3(0, -1, 0), Vector3(1, 0, 0), Vector3(-1, 0, 0), Vector3(0, 0, 1),
    Vector3(0, 0, -1), Vector3(0.6, 0.8, 0), Vector3(0, 0.6, 0.8), Vector3(0.48, -0.6, 0.64),
    Vector3(0.1, 0, 0.995) / Vector3(0.1, 0, 0.995).norm,
  ]

  @Test("Up becomes y by a proper rotation", arguments: directions)
  func upBecomesY(up: Vector3) {
    let turn = UprightPoses.uprightTurn(up: up)
    let (x, y, z) = turn.columns
    #expect((turn(up) - Vector3(0, 1, 0)).norm < 1e-12)
    for column in [x, y, z] { #expect(abs(column.norm - 1) < 1e-12) }
    #expect((x.cross(y) - z).norm < 1e-12)
  }

  @Test("A camera that is held level keeps its direction of view", arguments: directions)
  func viewIsKept(up: Vector3) {
    guard up.z == 0 else { return }
    #expect((UprightPoses.uprightTurn(up: up)(Vector3(0, 0, 1)) - Vector3(0, 0, 1)).norm < 1e-12)
  }

  @Test("A landscape recording is upright like a portrait one")
  func landscapeIsTurned() {
    let upright = UprightPoses(LabelingSample.recording())
    var turned = Recording(header: LabelingSample.header(up: Vector3(1, 0, 0)))
    // The image's x axis points up, so what lay along y in portrait lies along x here.
    turned.append(time: Seconds(0), pose: [0, 0, 0, 0.5, -0.1234, -0.2, 0, 0.1, 0])
    #expect(UprightPoses(turned).positions == Array(upright.positions.prefix(9)))
  }

  @Test("Images are drawn with the head up, whatever side their origin is on")
  func imagesStand() {
    var coco = Recording(
      header: RecordingHeader(skeleton: .coco17, joints: [.nose], frame: .image))
    coco.append(time: Seconds(0), pose: [100, 50])
    #expect(UprightPoses(coco).positions == [400, -200])
    var header = RecordingHeader(skeleton: .vision2d, joints: [.nose], frame: .image)
    (header.imageWidth, header.imageHeight) = (1920, 1080)
    var vision = Recording(header: header)
    vision.append(time: Seconds(0), pose: [0.75, 0.5])
    #expect(UprightPoses(vision).positions == [10923, 4096])
  }
}
