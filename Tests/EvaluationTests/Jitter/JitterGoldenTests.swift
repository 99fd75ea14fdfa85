import Evaluation
import PoseModel
import Testing

/// Values of numpy, scipy and allantools; `scripts/oracles/jitter.py` says how.
@Suite("Jitter goldens")
struct JitterGoldenTests {
  /// A signal on holds, or a bone, with its jitter.
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    let kind: String
    let name: String
    let signal: String?
    let times: [Double]?
    let truth: String?
    let values: [[Double]?]?
    let expected: [Double?]?
    let rate: Double?
    let column: [Double]?
    let ratio: Double?
    let allan: [[Double]]?
    let best: Int?
    let positions: [[[Double]?]]?

    var testDescription: String { name }
  }

  static let cases = GoldenFile.cases("jitter.json", of: Case.self)
  static func cases(_ kind: String) -> [Case] { cases.filter { $0.kind == kind } }

  @Test("The file has at least fifty random cases of each kind, and edge cases")
  func fileIsComplete() {
    for kind in ["steps", "spectra", "bones"] {
      #expect(Self.cases(kind).count { $0.name.hasPrefix(kind) } >= 50, "\(kind)")
    }
    #expect(Self.cases("steps").contains { $0.name == "no hold" })
    #expect(Self.cases("spectra").contains { $0.ratio == nil })
    #expect(Set(Self.cases("steps").map(\.signal)) == ["m", "deg", "joint"])
  }

  @Test("Steps, spread, acceleration, jerk and correlation are numpy's", arguments: cases("steps"))
  func steps(golden: Case) throws {
    var scenario = Scenario(try #require(golden.truth))
    scenario.times = try #require(golden.times)
    let values = try #require(golden.values)
    let isJoint = golden.signal == "joint"
    let numbers = values.flatMap { row in
      (row ?? Array(repeating: Double.nan, count: isJoint ? 3 : 1)).map { Float($0) }
    }
    let jitter = JitterStatistics(
      times: scenario.times, truth: scenario.truth,
      measurements: isJoint
        ? [] : [MeasurementSeries(name: "value", unit: golden.signal ?? "", values: numbers)],
      joints: isJoint
        ? JointSeries(layout: JointLayout(joints: [.root], dimension: 3), positions: numbers) : nil)
    let row = try #require(jitter.rows.first)
    let own = [
      row.rmsStep, row.rmsSpeed, row.noise, row.robustSpread, row.acceleration, row.jerk,
      row.lagOneCorrelation,
    ]
    for (index, (value, expected)) in zip(own, try #require(golden.expected)).enumerated() {
      // The distances of the spread are kept as 32-bit floats.
      let precision = index == 3 ? 1e-6 : 1e-9
      #expect(
        isNear(value, expected, within: precision * max(1, expected ?? 0)),
        "number \(index): \(value), not \(String(describing: expected))")
    }
  }

  @Test(
    "The share of fast power is scipy's, Allan deviations allantools'", arguments: cases("spectra"))
  func spectra(golden: Case) throws {
    let column = try #require(golden.column)
    let rate = try #require(golden.rate)
    let scenario = Scenario(String(repeating: "f", count: column.count), rate: rate)
    let jitter = JitterStatistics(
      times: scenario.times, truth: scenario.truth,
      measurements: [MeasurementSeries(name: "value", unit: "m", values: column.map { Float($0) })],
      detail: .spectra)
    let spectral = try #require(jitter.rows.first?.spectral)
    #expect(isNear(spectral.highFrequencyRatio, golden.ratio))
    let allan = try #require(golden.allan)
    #expect(spectral.allan.count == allan.count)
    for (own, expected) in zip(spectral.allan, allan) {
      #expect(abs(own.seconds * rate - expected[0]) < 1e-9)
      #expect(abs(own.deviation - expected[1]) < 1e-9 * max(1, expected[1]))
    }
    #expect(isNear(spectral.bestAveraging, golden.best.map { Double($0) / rate }))
  }

  @Test("The variation of a bone's length is numpy's", arguments: cases("bones"))
  func bones(golden: Case) throws {
    let scenario = Scenario(try #require(golden.truth))
    let layout = JointLayout(joints: [.leftShoulder, .leftElbow], dimension: 3)
    let positions = try #require(golden.positions).joined().flatMap { joint in
      (joint ?? [.nan, .nan, .nan]).map { Float($0) }
    }
    let jitter = JitterStatistics(
      times: scenario.times, truth: scenario.truth, measurements: [],
      joints: JointSeries(layout: layout, positions: positions))
    let bone = try #require(jitter.bones.first { $0.name == "leftShoulder-leftElbow" })
    let expected = try #require(golden.expected)
    #expect(isNear(bone.length, expected[0]))
    #expect(isNear(bone.variation, expected[1]))
  }
}
