import Foundation
import PoseModel
import Testing

@testable import PlankBench

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// Stick figures as SVG.
@Suite("Pose figures")
struct PoseFigureTests {
  /// A flat body on forearms: ankles, hips 6 cm under the line, shoulders; up is +y.
  private static func recording(up: Vector3 = .unitY) -> Recording {
    var header = RecordingHeader(
      skeleton: .vision3d, joints: Skeleton.vision3d.joints, frame: .camera)
    header.up = up
    var recording = Recording(header: header)
    var pose: [Float] = []
    for (index, _) in header.joints.enumerated() {
      pose += [Float(index) * 0.1, Float(index % 3) * 0.1, 0.05 * Float(index % 2)]
    }
    recording.append(time: Seconds(0), pose: pose)
    recording.append(time: Seconds(0.1), pose: nil)
    return recording
  }

  private static func figure(
    title: String = "s01", label: String = "forearm, sag", up: Vector3 = .unitY
  ) -> PoseFigure {
    let measurements = PoseFigure.Measurements(
      hipDeviation: Meters(-0.0634), elbowAngle: Degrees(91.6), shoulderRise: Meters(0.025))
    return PoseFigure(
      title: title, subtitle: "front camera", recording: recording(up: up),
      moments: [
        PoseFigure.Moment(frame: 0, label: label, state: "sag", measurements: measurements),
        PoseFigure.Moment(frame: 1, label: "no plank", state: "none", measurements: measurements),
      ])
  }

  private func parses(_ svg: String) -> Bool { XMLParser(data: Data(svg.utf8)).parse() }

  @Test("Measurements, label and time are drawn in with their numbers")
  func numbers() {
    let svg = Self.figure().svg()
    for text in [
      "hips 6.3 cm below the line", "(mean 92\u{B0})", "left shoulder 2.5 cm up",
      "forearm, sag", "at 0.00 s", "50 cm",
      "in the camera&#39;s axes", ">up<",
    ] { #expect(svg.contains(text), "\(text)") }
    #expect(parses(svg))
  }

  @Test("A frame without a pose says so")
  func missing() { #expect(Self.figure().svg().contains("no pose was found")) }

  @Test("An undefined measurement is left out, the rest is drawn")
  func undefined() {
    var figure = Self.figure()
    figure.moments[0].measurements.elbowAngle = nil
    let svg = figure.svg()
    #expect(!svg.contains("elbow") && svg.contains("hips 6.3 cm"))
  }

  @Test(
    "Names are text and never markup",
    arguments: ["<script>alert(1)</script>", "a\" onload=\"x", "]]>&amp;", "bell\u{7}null\0"])
  func escaping(name: String) {
    let svg = Self.figure(title: name, label: name).svg()
    #expect(!svg.contains("<script") && !svg.contains("onload=\"x"))
    #expect(parses(svg))
  }

  @Test(
    "Any up vector gives a picture, also one along the view",
    arguments: [
      Vector3(0, 1, 0), Vector3(0, -1, 0), Vector3(1, 0, 0), Vector3(-1, 0, 0), Vector3(0, 0, 1),
    ])
  func ups(up: Vector3) {
    let svg = Self.figure(up: up).svg()
    #expect(parses(svg) && !svg.contains("nan") && !svg.contains("inf"))
  }

  @Test("A length that points down says so once")
  func directions() {
    var figure = Self.figure()
    figure.moments[0].measurements.shoulderRise = Meters(-0.429)
    #expect(figure.svg().contains("left shoulder 42.9 cm down"))
  }

  @Test("Bodies of one picture have one scale, small and large ones")
  func scale() throws {
    var recording = Recording(header: Self.recording().header)
    let pose = Self.recording().positions.prefix(recording.layout.stride)
    recording.append(time: Seconds(0), pose: Array(pose))
    recording.append(time: Seconds(0.1), pose: pose.map { $0 / 2 })
    let bodies = [0, 1].compactMap { FigureBody(recording, frame: $0) }
    let rows = bodies.map { FigureRow(Self.figure().moments[0], body: $0) }
    #expect(rows.count == 2 && rows[0].side.height > 1.9 * rows[1].side.height)
    let (both, small) = (FigurePage(rows: rows), FigurePage(rows: [rows[1]]))
    #expect(both.pixelsPerMeter < small.pixelsPerMeter)
    #expect(both.pixelsPerMeter == FigurePage(rows: [rows[0]]).pixelsPerMeter)
  }

  @Test(
    "A joint whose parent the source lacks hangs from the nearest ancestor",
    arguments: [
      ([Joint.root, .centerShoulder, .centerHead], [[0, 1], [1, 2]]),
      ([.root, .topHead], [[0, 1]]), ([.leftHip, .rightHip, .leftKnee], [[0, 2], [0, 1]]),
      ([.leftShoulder, .rightShoulder, .root], [[2, 0], [2, 1], [0, 1]]),
    ])
  func bridges(joints: [Joint], bones: [[Int]]) {
    let header = RecordingHeader(skeleton: .vision3d, joints: joints, frame: .camera)
    let found = header.drawnBones.map { bone in
      [bone.parent, bone.child].compactMap(joints.firstIndex)
    }
    #expect(found == bones)
  }

  @Test("The same figure gives the same bytes")
  func repeatable() { #expect(Self.figure().svg() == Self.figure().svg()) }
}
