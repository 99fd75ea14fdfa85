import Evaluation
import PoseModel
import Statistics
import Testing

@Suite("Jitter in detail") struct SpectralJitterTests {
  private func jitter(
    _ values: [Float], truth: String? = nil, rate: Double = 30, times: [Double]? = nil,
    detail: JitterDetail = .spectra
  ) -> JitterStatistics {
    var scenario = Scenario(truth ?? String(repeating: "f", count: values.count), rate: rate)
    scenario.times = times ?? scenario.times
    return scenario.jitter(values, detail: detail)
  }

  private func noise(_ count: Int, correlation: Double = 0, seed: UInt64 = 4) -> [Float] {
    let stream = RandomStream(seed: seed, purpose: "tests.jitter")
    var state = stream.gaussian()
    let fresh = (1 - correlation * correlation).squareRoot()
    return (0..<count).map { _ in
      state = correlation * state + fresh * stream.gaussian()
      return Float(state)
    }
  }

  @Test("On holds alone, jitter is the same but for smoothness, and nothing is measured outside")
  func holdsAlone() throws {
    let truth = String(repeating: "f", count: 900) + String(repeating: "n", count: 300)
    let all = jitter(noise(1200), truth: truth)
    let alone = jitter(noise(1200), truth: truth, detail: .spectraOnHolds)
    let (row, expected) = (try #require(alone.rows.first), try #require(all.rows.first))
    #expect(row.spectral == expected.spectral && row.spectral?.spectra.isEmpty == false)
    #expect(row.rmsStep == expected.rmsStep && row.robustSpread == expected.robustSpread)
    #expect(row.spectralArcLength == nil && expected.spectralArcLength != nil)
    #expect(alone.summary.movementRows.isEmpty && !all.summary.movementRows.isEmpty)
  }

  @Test("White noise has its power above 3 Hz; what averaging cannot help with has not")
  func highFrequencies() throws {
    let white = try #require(jitter(noise(4000)).rows.first?.spectral)
    #expect(abs(try #require(white.highFrequencyRatio.number) - 12 / 14.7) < 0.03)
    #expect(white.isStillFalling)
    let colored = try #require(jitter(noise(4000, correlation: 0.99)).rows.first?.spectral)
    #expect(try #require(colored.highFrequencyRatio.number) < 0.15)
  }

  @Test("White noise on a drift is averaged best until the drift takes over")
  func bestAveraging() throws {
    // Allan variance s^2 / (f tau) + (v tau)^2 / 2 is least at tau^3 = s^2 / (f v^2).
    let speed = 0.5
    let values = noise(30 * 60).enumerated().map { index, value in
      0.1 * value + Float(speed * Double(index) / 30)
    }
    let spectral = try #require(jitter(values).rows.first?.spectral)
    let best = try #require(spectral.bestAveraging.number)
    // 0.11 s; the averaging times double from one to the next.
    #expect(best > 0.05 && best < 0.25)
    #expect(!spectral.isStillFalling)
  }

  @Test("Holds under four periods of 0.3 Hz have no spectrum, and none under four frames")
  func tooShort() throws {
    let short = try #require(jitter(noise(399)).rows.first?.spectral)
    #expect(short.highFrequencyRatio == .undefined(.holdTooShort))
    #expect(short.spectra.isEmpty && !short.allan.isEmpty)
    let enough = try #require(jitter(noise(400)).rows.first?.spectral)
    #expect(enough.spectra.first?.segmentCount == 1)
    let none = try #require(jitter([1, 2, 3]).rows.first?.spectral)
    #expect(none.bestAveraging == .undefined(.holdTooShort))
  }

  @Test("Gaps up to a quarter of a second are bridged, longer ones cut")
  func gaps() throws {
    var values = noise(420)
    values[200] = .nan
    let bridged = try #require(jitter(values).rows.first?.spectral)
    #expect(bridged.spectra.first?.segmentCount == 1)
    for frame in 200..<208 { values[frame] = .nan }
    let cut = try #require(jitter(values).rows.first?.spectral)
    #expect(cut.spectra.isEmpty)
  }

  @Test("Spectra are worked out only when asked for")
  func detail() throws {
    let row = try #require(jitter(noise(500), detail: .steps).rows.first)
    #expect(row.spectral == nil && row.spectralArcLength == nil)
    #expect(row.jerk.number != nil)
  }

  @Test("Movement while nobody planks is kept apart from holds")
  func movement() throws {
    let truth = String(repeating: "n", count: 60) + String(repeating: "f", count: 60)
    let values = (0..<120).map { Float($0 < 60 ? Double($0) : 5) }
    let result = jitter(values, truth: truth)
    let hold = try #require(result.rows.first)
    let movement = try #require(result.movementRows.first)
    #expect(hold.rmsStep == .value(0) && hold.lagOneCorrelation == .undefined(.constant))
    #expect(movement.rmsStep == .value(1))
    #expect(movement.spectralArcLength?.number != nil)
    #expect(hold.pairs == 59 && movement.pairs == 59)
  }

  @Test("Sequences add up, spectra too")
  func pooling() throws {
    var left = jitter(noise(500, seed: 1))
    left += jitter(noise(500, seed: 2))
    let row = try #require(left.rows.first)
    let spectral = try #require(row.spectral)
    #expect(spectral.spectra.count == 1 && spectral.spectra.first?.segmentCount == 2)
    #expect(spectral.allan.first?.differences == 2 * 499)
    #expect(abs(try #require(row.noise.number) - 1) < 0.1)
  }
}
