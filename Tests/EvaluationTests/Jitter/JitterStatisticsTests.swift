import PoseModel
import TestSupport
import Testing

@testable import Evaluation

@Suite("Jitter") struct JitterStatisticsTests {
  private func row(
    _ values: [Float], times: [Double]? = nil, truth: String? = nil, unit: String = "m"
  ) throws -> JitterRow {
    var scenario = Scenario(truth ?? String(repeating: "f", count: values.count))
    scenario.times = times ?? scenario.times
    return try #require(scenario.jitter(values, unit: unit).rows.first)
  }

  @Test("The step is the root of the mean square, the acceleration the mean second difference")
  func byHand() throws {
    let result = try row([0, 1, 3, 2], times: [0, 0.25, 0.5, 0.75])
    #expect(isNear(result.rmsStep, 2.0.squareRoot()))
    // Second differences 1 and -3 over 0.25^2.
    #expect(isNear(result.acceleration, (16.0 + 48) / 2))
    // Median 1.5; distances 1.5, 0.5, 1.5, 0.5.
    #expect(isNear(result.robustSpread, 1.4826))
    #expect(result.frames == 4 && result.pairs == 3)
    #expect(result.triples == 2 && result.holds == 1)
    #expect(result.accelerationUnit == "m/s^2")
  }

  @Test("Uneven time gives second divided differences")
  func unevenTime() throws {
    // x = t^2 has the second derivative 2 everywhere.
    let times = [0, 0.125, 0.5, 0.625]
    let result = try row(times.map { Float($0 * $0) }, times: times)
    #expect(isNear(result.acceleration, 2))
  }

  @Test("Undefined frames and gaps above half a second break pairs and triples")
  func breaks() throws {
    let result = try row(
      [0, 1, .nan, 5, 7, 10, 10], times: [0, 0.25, 0.5, 0.75, 1, 1.25, 2])
    #expect(result.pairs == 3)
    #expect(result.triples == 1)
    #expect(isNear(result.rmsStep, ((1.0 + 4 + 9) / 3).squareRoot()))
    #expect(result.frames == 6)
    let slow = try row([0, 1, 3], times: [0, 0.5, 1])
    #expect(slow.pairs == 2)
  }

  @Test("Steps are taken within a hold, and distances from the hold's own median")
  func holdsApart() throws {
    let result = try row([0, 2, 100, 104], truth: "ffhh")
    #expect(result.pairs == 2 && result.triples == 0 && result.holds == 2)
    #expect(isNear(result.rmsStep, 10.0.squareRoot()))
    // Distances 1, 1, 2, 2.
    #expect(isNear(result.robustSpread, 1.4826 * 1.5))
    #expect(result.acceleration == .undefined(.noValidTriple))
  }

  @Test("Holds alone have the same numbers as holds beside movements, and movements have none")
  func holdsAlone() {
    let scenario = Scenario("nnffnn")
    func jitter(_ detail: JitterDetail) -> JitterStatistics {
      scenario.jitter([0, 2, 5, 4, 1, 1], detail: detail)
    }
    #expect(jitter(.stepsOnHolds).rows == jitter(.steps).rows)
    #expect(jitter(.stepsOnHolds).movementRows.map(\.frames) == [0])
    #expect(jitter(.steps).movementRows.map(\.frames) == [4])
  }

  @Test("A signal's numbers do not depend on the signals that were measured before it")
  func signalsApart() {
    let scenario = Scenario("nffffffffhh.nllll")
    var random = SplitMix64(seed: 4)
    func numbers(_ count: Int, missing: Double) -> [Float] {
      (0..<count).map { _ in random.unit() < missing ? .nan : Float(random.unit()) }
    }
    let measurements = [0.1, 1, 0.5, 0].map { missing in
      MeasurementSeries(
        name: "x\(missing)", unit: "m", values: numbers(scenario.times.count, missing: missing))
    }
    let joints = JointSeries(
      layout: JointLayout(joints: [.root, .leftWrist], dimension: 3),
      positions: numbers(6 * scenario.times.count, missing: 0.05))
    func rows(_ measurements: [MeasurementSeries], _ joints: JointSeries? = nil) -> [[JitterRow]] {
      let jitter = JitterStatistics(
        times: scenario.times, truth: scenario.truth, measurements: measurements, joints: joints,
        detail: .steps)
      return [jitter.rows, jitter.movementRows]
    }
    let together = rows(measurements, joints)
    let alone = measurements.map { rows([$0]) } + [rows([], joints)]
    #expect(together == [0, 1].map { kind in alone.flatMap { $0[kind] } })
    #expect(together[0].map(\.signal.name).last == "leftWrist")
  }

  @Test("A step of an angle is the short way around the circle")
  func angles() throws {
    let result = try row([179, -179, 178, -178], unit: "deg")
    #expect(isNear(result.rmsStep, ((4.0 + 9 + 16) / 3).squareRoot()))
    #expect(isNear(result.robustSpread, 1.4826 * 1.5))
    let plain = try row([179, -179], unit: "m")
    #expect(plain.rmsStep == .value(358))
  }

  @Test("Without a hold, or without a valid frame in it, everything is undefined")
  func undefined() throws {
    for result in [
      try row([1, 2, 3], truth: "nn."), try row([.nan, .nan]), try row([]),
      try row([.infinity, .nan]),
    ] {
      #expect(result.rmsStep == .undefined(.noValidPair))
      #expect(result.robustSpread == .undefined(.noValidFrame))
      #expect(result.acceleration == .undefined(.noValidTriple))
      #expect(result.holds == 0)
    }
  }

  @Test("A joint moves in space; its spread sums the axes' squares")
  func joints() throws {
    let scenario = Scenario("fff")
    let layout = JointLayout(joints: [.root, .leftWrist], dimension: 3)
    let positions: [Float] = [
      0, 0, 0, 1, 1, 1,
      3, 4, 0, 1, 1, 1,
      0, 0, 0, .nan, .nan, .nan,
    ]
    let rows = scenario.jitter(joints: JointSeries(layout: layout, positions: positions)).rows
    #expect(rows.map(\.signal.name) == ["root", "leftWrist"])
    let root = try #require(rows.first)
    #expect(root.rmsStep == .value(5))
    #expect(isNear(root.acceleration, 1000, within: 1e-6))
    // Medians 0 and 0; distances 0, 3, 0 and 0, 4, 0: more than half are 0.
    #expect(root.robustSpread == .value(0))
    #expect(rows[1].pairs == 1 && rows[1].frames == 2)
  }

  @Test("Measurements come first, joints in the order of the skeleton")
  func order() {
    let scenario = Scenario("ff")
    var jitter = JitterStatistics()
    for joints in [[Joint.leftWrist, .root], [.root, .spine]] {
      let layout = JointLayout(joints: joints, dimension: 3)
      jitter += JitterStatistics(
        times: scenario.times, truth: scenario.truth,
        measurements: [MeasurementSeries(name: "elbowAngle", unit: "deg", values: [1, 2])],
        joints: JointSeries(
          layout: layout, positions: Array(repeating: 0, count: 2 * layout.stride)))
    }
    #expect(jitter.rows.map(\.signal.name) == ["elbowAngle", "root", "spine", "leftWrist"])
    #expect(jitter.rows.map(\.pairs) == [2, 2, 1, 1])
  }
}

@Suite("Hold segments")
struct HoldSegmentsTests {
  @Test("A hold is one plank class and one form, without gaps")
  func holds() {
    var scenario = Scenario("nnffff.ffxhhn")
    scenario.formTruth = "..aass.ss.a.."
    #expect(HoldSegments.find(in: scenario.truth) == [2..<4, 4..<6, 7..<9, 10..<11, 11..<12])
  }

  @Test("The last hold ends with the sequence; `none` is not a hold")
  func edges() {
    #expect(HoldSegments.find(in: Scenario("fff").truth) == [0..<3])
    #expect(HoldSegments.find(in: Scenario("nnn").truth).isEmpty)
    #expect(HoldSegments.find(in: Scenario("").truth).isEmpty)
  }

  @Test("Behind a smoother, the start of a hold, in which it settles, is not jitter")
  func settling() {
    // A ramp ends where the hold starts; a moving average over four frames continues for three.
    let scenario = Scenario("nnnnnnhhhhhhhh", rate: 8)
    let smoothed: [Float] = [0, 1, 2, 3, 4, 5, 5.75, 6.25, 6.5, 6.5, 6.5, 6.5, 6.5, 6.5]
    func step(_ settling: Double) -> MetricValue? {
      scenario.jitter(smoothed, settling: settling).rows.first?.rmsStep
    }
    #expect(step(0)?.number ?? 0 > 0.2)
    #expect(step(0.375) == .value(0))
    #expect(step(1) == .undefined(.noValidPair))
  }
}

@Suite("Absolute residuals") struct AbsoluteResidualsTests {
  private func residuals(_ values: some Collection<Double>) -> AbsoluteResiduals {
    var copy = Array(values)
    var residuals = AbsoluteResiduals()
    copy.withUnsafeMutableBufferPointer { residuals.add($0, from: 0) }
    return residuals
  }

  @Test(
    "The median depends neither on how values are divided nor on the order of the parts",
    arguments: [
      [32_768], [32_769], [30_000, 2768], [30_000, 5000, 5000], [5000, 30_000, 5000],
      [100, 40_000], [33_000, 33_000], [8192, 8193, 16_384, 1],
    ])
  func division(sizes: [Int]) throws {
    var random = SplitMix64(seed: 11)
    let values = (0..<sizes.reduce(0, +)).map { _ in Double(Float(random.unit() - 0.3)) }
    var start = 0
    let parts = sizes.map { size in
      defer { start += size }
      return residuals(values[start..<start + size])
    }
    func sum(_ parts: [AbsoluteResiduals]) -> AbsoluteResiduals {
      parts.reduce(into: AbsoluteResiduals()) { $0.add($1) }
    }
    let sums = [sum(parts), sum(parts.reversed()), sum([residuals([]), sum(parts)])]
    let whole = try #require(residuals(values).median)
    for sum in sums {
      #expect(sum.count == values.count)
      #expect(sum.median == whole)
    }
    let sorted = values.map(abs).sorted()
    let exact = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    let isKept = values.count <= AbsoluteResiduals.exactLimit
    #expect(abs(whole / exact - 1) <= (isKept ? 1e-12 : 1e-3))
  }
}

@Suite("Jitter properties") struct JitterPropertyTests {
  /// Nearly normal noise of a standard deviation: the sum of twelve uniform numbers.
  private func noise(_ count: Int, deviation: Double, seed: UInt64) -> [Float] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in
      Float(deviation * (0..<12).reduce(-6.0) { sum, _ in sum + random.unit() })
    }
  }

  private func jitter(_ values: [Float], start: Double = 0) -> JitterStatistics {
    Scenario(String(repeating: "f", count: values.count), rate: 30, start: start).jitter(values)
  }

  @Test("The spread of many frames is within 0.1 % even if they have only a few values")
  func spreadOfFewValues() throws {
    // Two thirds are 1 from the median 0, the others 1.01.
    let cycle: [Float] = [-1, 1, -1, 1, -1.01, 1.01]
    let values = (0..<48_000).map { cycle[$0 % cycle.count] }
    let row = try #require(jitter(values).rows.first)
    #expect(isNear(row.robustSpread, 1.4826, within: 1.4826e-3))
  }

  @Test("Sequences add up in any grouping", arguments: [100, 20_000])
  func grouping(count: Int) {
    let parts = (UInt64(0)..<3).map { jitter(noise(count, deviation: 0.02, seed: $0)) }
    let (left, right) = bothGroupings(parts) { $0 += $1 }
    for (one, two) in zip(left.rows, right.rows) {
      #expect(one.robustSpread == two.robustSpread)
      #expect(agree(one.rmsStep, two.rmsStep))
      #expect(agree(one.acceleration, two.acceleration))
      #expect(one.pairs == two.pairs && one.holds == two.holds)
      #expect(one.pairs == 3 * (count - 1))
    }
  }

  @Test("A shift in time, and of the values by a power of two, changes nothing")
  func shifts() throws {
    let values = noise(500, deviation: 1, seed: 3).map { ($0 * 1024).rounded() / 1024 }
    let one = try #require(jitter(values).rows.first)
    let other = try #require(jitter(values.map { $0 + 64 }, start: 512).rows.first)
    #expect(agree(one.rmsStep, other.rmsStep))
    #expect(agree(one.robustSpread, other.robustSpread))
    #expect(agree(one.acceleration, other.acceleration, within: 1e-6))
  }
}

/// Values of numpy, scipy and allantools; `scripts/oracles/jitter.py` says how.
@Suite("Jitter goldens") struct JitterGoldenTests {
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

  static let cases = GoldenFile.cases("EvaluationTests/Goldens/jitter.json", of: Case.self)
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
    let jitter =
      isJoint
      ? scenario.jitter(
        joints: JointSeries(
          layout: JointLayout(joints: [.root], dimension: 3), positions: numbers))
      : scenario.jitter(numbers, unit: golden.signal ?? "")
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
    let jitter = scenario.jitter(column.map { Float($0) }, detail: .spectra)
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
    let jitter = scenario.jitter(joints: JointSeries(layout: layout, positions: positions))
    let bone = try #require(jitter.bones.first { $0.name == "leftShoulder-leftElbow" })
    let expected = try #require(golden.expected)
    #expect(isNear(bone.length, expected[0]))
    #expect(isNear(bone.variation, expected[1]))
  }
}
