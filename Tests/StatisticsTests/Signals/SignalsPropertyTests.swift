import Foundation
import Statistics
import TestSupport
import Testing

@Suite("Spectra properties") struct SpectraPropertyTests {
  private func noise(_ count: Int, seed: UInt64) -> [Double] {
    let stream = RandomStream(seed: seed, purpose: "tests.spectra")
    return (0..<count).map { _ in stream.gaussian() }
  }

  @Test(
    "Squared magnitudes add up to the power of the samples, at any length",
    arguments: [1, 2, 3, 8, 15, 64, 97, 100])
  func parseval(length: Int) {
    let samples = noise(length, seed: 3)
    let magnitudes = RealFourierTransform(length: length).squaredMagnitudes(of: samples)
    #expect(magnitudes.count == length / 2 + 1)
    let total = magnitudes.enumerated().reduce(0) { sum, bin in
      sum + bin.element * (bin.offset == 0 || 2 * bin.offset == length ? 1 : 2)
    }
    let power = samples.reduce(0) { $0 + $1 * $1 }
    #expect(abs(total / Double(length) - power) < 1e-9 * power)
  }

  @Test("Too few samples, and samples that are not finite, have no spectrum")
  func undefined() {
    #expect(PowerSpectrum([1, 2, 3], rate: 1, segmentLength: 4) == nil)
    #expect(PowerSpectrum([1, 2, .nan, 4], rate: 1, segmentLength: 4) == nil)
    #expect(AllanVariance([1, 2, 3], averaging: 2) == nil)
    #expect(AllanVariance([1, .infinity], averaging: 1) == nil)
    #expect(MovementSmoothness.spectralArcLength(speed: [1], rate: 30) == nil)
    #expect(MovementSmoothness.spectralArcLength(speed: [0, 0, 0], rate: 30) == nil)
    #expect(MovementSmoothness.logDimensionlessJerk(speed: [1, 1, 1], rate: 30) == nil)
  }

  @Test("Spectra pool by segments")
  func pooling() throws {
    let values = noise(96, seed: 9)
    var left = try #require(PowerSpectrum(Array(values[0..<64]), rate: 8, segmentLength: 32))
    let right = try #require(PowerSpectrum(Array(values[64..<96]), rate: 8, segmentLength: 32))
    let first = left.densities[5]
    left += right
    #expect(left.segmentCount == 4)
    #expect(abs(left.densities[5] - (3 * first + right.densities[5]) / 4) < 1e-12)
  }

  @Test("Allan variances of all octaves are those of each", arguments: [0, 3, 4, 7, 8, 100, 257])
  func allanOctaves(count: Int) throws {
    let values = noise(count, seed: 3)
    let octaves = AllanVariance.octaves(of: values)
    #expect(octaves.map(\.averaging) == [1, 2, 4, 8, 16, 32, 64].filter { 4 * $0 <= count })
    for (averaging, variance) in octaves {
      #expect(variance == AllanVariance(values, averaging: averaging))
    }
    #expect(AllanVariance.octaves(of: values + [.nan]).isEmpty)
  }

  @Test("An even grid leaves values alone, an uneven one draws straight lines")
  func resampling() {
    #expect(
      UniformResampling.values([1, 5, 2], at: [0, 0.1, 0.2], step: 0.1) == [1, 5, 2])
    #expect(UniformResampling.values([0, 3, 4], at: [0, 1.5, 2], step: 0.5) == [0, 1, 2, 3, 4])
    #expect(UniformResampling.values([7], at: [3], step: 0.5) == [7])
    #expect(UniformResampling.values([], at: [], step: 0.5) == [])
  }
}

/// Values of scipy, allantools and numpy; `scripts/oracles/spectra.py` says how.
@Suite("Spectra goldens") struct SpectraGoldenTests {
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let rate: Double
    let values: [Double]
    let segment: Int
    let density: [Double]
    let allan: [[Double]]
    let arcLength: Double?
    let jerk: Double?
    var testDescription: String { name }
  }

  static let cases = GoldenFile.cases("StatisticsTests/Goldens/spectra.json", of: Case.self)

  @Test("The file has at least fifty random cases")
  func fileIsComplete() {
    #expect(Self.cases.count { $0.name.hasPrefix("random") } >= 50)
  }

  @Test("Densities are those of scipy's welch", arguments: cases)
  func welch(golden: Case) throws {
    let spectrum = try #require(
      PowerSpectrum(golden.values, rate: golden.rate, segmentLength: golden.segment))
    #expect(spectrum.densities.count == golden.density.count)
    let scale = max(1e-6, golden.density.max() ?? 0)
    for (own, expected) in zip(spectrum.densities, golden.density) {
      #expect(abs(own - expected) <= 1e-9 * scale)
    }
    #expect(abs(spectrum.frequencyStep * Double(golden.segment) - golden.rate) < 1e-12)
  }

  @Test("Allan deviations are those of allantools' oadev", arguments: cases)
  func allan(golden: Case) throws {
    for row in golden.allan {
      let variance = try #require(AllanVariance(golden.values, averaging: Int(row[0])))
      #expect(abs(deviation(of: variance) - row[1]) <= 1e-9 * max(1, row[1]), "m = \(row[0])")
    }
  }

  @Test("Smoothness is that of its formulas with another transform", arguments: cases)
  func smoothness(golden: Case) throws {
    let speed = golden.values.map { abs($0) }
    for (own, expected) in [
      (MovementSmoothness.spectralArcLength(speed: speed, rate: golden.rate), golden.arcLength),
      (MovementSmoothness.logDimensionlessJerk(speed: speed, rate: golden.rate), golden.jerk),
    ] {
      #expect((own == nil) == (expected == nil))
      guard let own, let expected else { continue }
      #expect(abs(own - expected) <= 1e-6 * max(1, abs(expected)))
    }
  }

  @Test("A bell has the smoothness that its authors publish")
  func publishedSmoothness() throws {
    let speed = (0..<200).map { index in
      let t = -1 + 0.01 * Double(index)
      return exp(-5 * t * t)
    }
    let arc = try #require(MovementSmoothness.spectralArcLength(speed: speed, rate: 100))
    let jerk = try #require(MovementSmoothness.logDimensionlessJerk(speed: speed, rate: 100))
    #expect(abs(arc - -1.41403) < 5e-6)
    #expect(abs(jerk - -5.81636) < 5e-6)
  }
}

/// The deviation: the root of half the mean square.
func deviation(of variance: AllanVariance) -> Double {
  (variance.squares / Double(2 * variance.count)).squareRoot()
}
