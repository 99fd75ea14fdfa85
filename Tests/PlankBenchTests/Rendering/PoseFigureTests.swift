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
        PoseFigure.Moment(frame: 0, label: label, tone: .fault, measurements: measurements),
        PoseFigure.Moment(frame: 1, label: "no plank", tone: .neutral, measurements: measurements),
      ])
  }

  private func parses(_ svg: String) -> Bool { XMLParser(data: Data(svg.utf8)).parse() }

  @Test("Measurements, label and time are drawn in with their numbers")
  func numbers() {
    let svg = Self.figure().svg()
    for text in [
      "hips -6.3 cm off the line", "elbows 92\u{B0}", "+2.5 cm up", "forearm, sag", "at 0.00 s",
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
    #expect(!svg.contains("elbows") && svg.contains("hips -6.3 cm"))
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

  @Test("The same figure gives the same bytes")
  func repeatable() { #expect(Self.figure().svg() == Self.figure().svg()) }
}
