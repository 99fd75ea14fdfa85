import Evaluation
import PoseModel
import TestSupport
import Testing

@Suite("Jitter")
struct JitterStatisticsTests {
  private func row(
    _ values: [Float], times: [Double]? = nil, truth: String? = nil, unit: String = "m"
  ) throws -> JitterRow {
    var scenario = Scenario(truth ?? String(repeating: "f", count: values.count))
    scenario.times = times ?? scenario.times
    let jitter = JitterStatistics(
      times: scenario.times, truth: scenario.truth,
      measurements: [MeasurementSeries(name: "hipDeviation", unit: unit, values: values)])
    return try #require(jitter.rows.first)
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
      JitterStatistics(
        times: scenario.times, truth: scenario.truth,
        measurements: [MeasurementSeries(name: "x", unit: "m", values: [0, 2, 5, 4, 1, 1])],
        detail: detail)
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
    let jitter = JitterStatistics(
      times: scenario.times, truth: scenario.truth, measurements: [],
      joints: JointSeries(layout: layout, positions: positions))
    let rows = jitter.rows
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
