import Evaluation
import Foundation
import PoseModel
import TestSupport
import Testing
import Tuning

@testable import Reports

#if canImport(FoundationXML)
  import FoundationXML
#endif

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
}

/// Colors as eyes see them: contrast after the Web Content Accessibility Guidelines 2.2.
private struct SeenColor {
  /// Red, green and blue light, each 0...1.
  let light: SIMD3<Double>

  init(_ hex: String) throws {
    let number = try #require(Int(hex.dropFirst(), radix: 16), "\(hex)")
    try #require(hex.count == 7 && hex.hasPrefix("#"))
    let parts = [number >> 16 & 255, number >> 8 & 255, number & 255].map { byte -> Double in
      let share = Double(byte) / 255
      return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
    light = SIMD3(parts[0], parts[1], parts[2])
  }

  var luminance: Double { (light * SIMD3(0.2126, 0.7152, 0.0722)).sum() }

  func contrast(_ other: SeenColor) -> Double {
    let (a, b) = (luminance + 0.05, other.luminance + 0.05)
    return max(a, b) / min(a, b)
  }
}

@Suite("The theme")
struct ThemeTests {
  static let planks = ["none", "forearm", "high", "sideLeft", "sideRight", "reverse"]
  static let forms = ["aligned", "sag", "pike"]
  static let sessions = ["idle", "active", "paused", "ended"]

  private func colors(_ color: ThemeColor) throws -> [SeenColor] {
    [try SeenColor(color.light), try SeenColor(color.dark)]
  }

  private func expectContrast(
    _ color: ThemeColor, on ground: ThemeColor, atLeast least: Double
  ) throws {
    for (a, b) in zip(try colors(color), try colors(ground)) {
      #expect(a.contrast(b) >= least, "\(color.name) on \(ground.name): \(a.contrast(b))")
    }
  }

  @Test(
    "Texts stand out from what they stand on",
    arguments: [Theme.page, Theme.surface, Theme.raised])
  func texts(ground: ThemeColor) throws {
    for text in [
      Theme.text, Theme.dim, Theme.accent, Theme.left, Theme.right, Theme.threshold, Theme.good,
      Theme.warning, Theme.elbow, Theme.shoulder, Theme.recommended,
    ] { try expectContrast(text, on: ground, atLeast: 4.5) }
    try expectContrast(Theme.warning, on: Theme.warningSurface, atLeast: 4.5)
  }

  @Test("Marks stand out from the ground, and texts from the states on which they are written")
  func marks() throws {
    for mark in [Theme.middle, Theme.curve, Theme.others] + Theme.series {
      try expectContrast(mark, on: Theme.surface, atLeast: 3)
    }
    for state in Self.planks.dropFirst() + Self.forms + Self.sessions.dropFirst() {
      try expectContrast(
        #require(Theme.color(of: state)), on: Theme.surface, atLeast: 3)
    }
    for state in Self.planks + Self.forms + Self.sessions + ["ignore"] {
      try expectContrast(
        Theme.ink(on: state), on: #require(Theme.color(of: state)), atLeast: 4.5)
    }
  }
}

@Suite("Plot axes")
struct PlotAxisTests {
  @Test(
    "Ends and ticks are round and stay within what a number can be",
    arguments: [
      ([0.685, 1.0], [0.6, 0.7, 0.8, 0.9, 1.0]), ([0.825, 0.887], [0.82, 0.84, 0.86, 0.88, 0.9]),
      ([0.0, 1.0], [0, 0.2, 0.4, 0.6, 0.8, 1.0]),
      ([0.9981, 1.0], [0.998, 0.9985, 0.999, 0.9995, 1]),
    ])
  func shares(values: [Double], ticks: [Double]) {
    let axis = PlotAxis(values, within: 0...1)
    #expect(axis.ticks.count == ticks.count, "\(axis.ticks)")
    for (found, wanted) in zip(axis.ticks, ticks) { #expect((found - wanted).magnitude < 1e-9) }
    #expect((axis.low - (ticks.first ?? 0)).magnitude < 1e-9)
    #expect((axis.high - (ticks.last ?? 1)).magnitude < 1e-9)
  }

  @Test("Equal values get an axis around them, and none gets the limits")
  func flat() {
    let one = PlotAxis([1, 1], within: 0...1)
    #expect(one.high == 1 && one.low < 1 && one.share(1) == 1)
    #expect(PlotAxis([], within: 0...1).high == 1)
  }

  @Test(
    "A step is 1, 2 or 5 times a power of ten",
    arguments: [(12.0, 15, 1.0, 0), (45, 15, 5, 0), (0.9, 5, 0.2, 1), (0.0004, 5, 0.0001, 4)])
  func steps(length: Double, most: Int, size: Double, decimals: Int) {
    let step = RoundStep(spanning: length, most: most)
    #expect((step.size - size).magnitude < 1e-12 && step.decimals == decimals)
  }
}

@Suite("Marks at their values")
struct SettingMarkTests {
  @Test("A value between two columns lies between their middles, and none lies beyond the ends")
  func steps() {
    let scale = StepScale(values: [1, 2, 4])
    let shares = [1, 1.5, 3, 4, 0.5, 5].map { scale.share($0).map { ($0 * 6).rounded() } }
    #expect(shares == [1, 2, 4, 5, 0, 6])
    #expect(scale.share(0.4) == nil && scale.share(5.1) == nil && scale.share(.nan) == nil)
    #expect(StepScale(values: [7]).share(7) == 0.5 && StepScale(values: []).share(1) == nil)
  }
}
