import Foundation
import Testing

@testable import PlankBench

/// Colors as eyes see them: contrast after the Web Content Accessibility Guidelines 2.2, distance in
/// OKLab (Ottosson 2020), and the missing cones of Machado, Oliveira and Fernandes (2009).
private struct SeenColor {
  /// Red, green and blue light, each 0...1.
  let light: SIMD3<Double>

  init(_ hex: String) throws {
    let number = try #require(Int(hex.dropFirst(), radix: 16), "\(hex)")
    try #require(hex.count == 7 && hex.hasPrefix("#"))
    let parts = [number >> 16 & 255, number >> 8 & 255, number & 255].map { byte -> Double in
      let share = Double(byte) / 255
      return share <= 0.04045 ? share / 12.92 : Self.power((share + 0.055) / 1.055, 2.4)
    }
    light = SIMD3(parts[0], parts[1], parts[2])
  }

  private init(light: SIMD3<Double>) { self.light = light }

  var luminance: Double { (light * SIMD3(0.2126, 0.7152, 0.0722)).sum() }

  func contrast(_ other: SeenColor) -> Double {
    let (a, b) = (luminance + 0.05, other.luminance + 0.05)
    return max(a, b) / min(a, b)
  }

  func distance(_ other: SeenColor) -> Double {
    let step = lab - other.lab
    return (step * step).sum().squareRoot()
  }

  /// The color for an eye without one kind of cone; all kinds for `normal`.
  func seen(_ eye: Eye) -> SeenColor {
    SeenColor(light: Self.product(eye.rows, light).clamped(lowerBound: .zero, upperBound: .one))
  }

  private var lab: SIMD3<Double> {
    let cones = Self.product(
      [
        SIMD3(0.4122214708, 0.5363325363, 0.0514459929),
        SIMD3(0.2119034982, 0.6806995451, 0.1073969566),
        SIMD3(0.0883024619, 0.2817188376, 0.6299787005),
      ], light)
    let roots = SIMD3(
      Self.power(cones.x, 1 / 3.0), Self.power(cones.y, 1 / 3.0), Self.power(cones.z, 1 / 3.0))
    return Self.product(
      [
        SIMD3(0.2104542553, 0.7936177850, -0.0040720468),
        SIMD3(1.9779984951, -2.4285922050, 0.4505937099),
        SIMD3(0.0259040371, 0.7827717662, -0.8086757660),
      ], roots)
  }

  private static func product(_ rows: [SIMD3<Double>], _ vector: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3((rows[0] * vector).sum(), (rows[1] * vector).sum(), (rows[2] * vector).sum())
  }

  private static func power(_ base: Double, _ exponent: Double) -> Double {
    base <= 0 ? 0 : pow(base, exponent)
  }

  enum Eye: String, CaseIterable {
    case normal, withoutRed, withoutGreen, withoutBlue

    var rows: [SIMD3<Double>] {
      switch self {
      case .normal: [SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)]
      case .withoutRed:
        [
          SIMD3(0.152286, 1.052583, -0.204868), SIMD3(0.114503, 0.786281, 0.099216),
          SIMD3(-0.003882, -0.048116, 1.051998),
        ]
      case .withoutGreen:
        [
          SIMD3(0.367322, 0.860646, -0.227968), SIMD3(0.280085, 0.672501, 0.047413),
          SIMD3(-0.011820, 0.042940, 0.968881),
        ]
      case .withoutBlue:
        [
          SIMD3(1.255528, -0.076749, -0.178779), SIMD3(-0.078411, 0.930809, 0.147602),
          SIMD3(0.004733, 0.691367, 0.303900),
        ]
      }
    }
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

  @Test(
    "The states of one ribbon, and those that look alike elsewhere, can be told apart by every eye",
    arguments: [planks, forms, sessions, ["aligned", "active"], ["pike", "paused"]])
  func ribbons(states: [String]) throws {
    for eye in SeenColor.Eye.allCases {
      for page in 0...1 {
        let seen = try states.map { state in
          (state, try colors(#require(Theme.color(of: state)))[page].seen(eye))
        }
        for (index, one) in seen.enumerated() {
          for other in seen[(index + 1)...] {
            let distance = one.1.distance(other.1)
            #expect(distance >= 0.09, "\(eye): \(one.0) and \(other.0): \(distance)")
          }
        }
      }
    }
  }

  @Test("Curves that stand out have colors of their own, and so have all states but the quiet ones")
  func distinct() throws {
    for page in 0...1 {
      let series = try Theme.series.map { try colors($0)[page] }
      let states = try (Self.planks + Self.forms + Self.sessions.dropFirst()).map { state in
        try colors(#require(Theme.color(of: state)))[page]
      }
      for (least, seen) in [(0.05, series), (0.09, states)] {
        for (index, one) in seen.enumerated() {
          for other in seen[(index + 1)...] { #expect(one.distance(other) >= least) }
        }
      }
    }
  }

  @Test("A picture is light without a style sheet and dark where a reader asks for it")
  func modes() {
    var canvas = SVGCanvas()
    canvas.disk(.init(x: 1, y: 1), radius: 1, color: Theme.text, outline: .fixed("#123456"))
    let svg = canvas.document(width: 2, height: 2, title: "a")
    #expect(svg.contains("fill=\"#16181d\" stroke=\"#123456\" class=\"fill-text\""))
    #expect(
      svg.contains("@media (prefers-color-scheme:dark){.fill-text{fill:#eceef2}"))
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
