import Statistics
import Testing

@Suite("Spectra properties")
struct SpectraPropertyTests {
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

  @Test("White noise of variance 1 has the density 2 over the rate", arguments: [8.0, 30])
  func whiteNoise(rate: Double) throws {
    let spectrum = try #require(
      PowerSpectrum(noise(40_000, seed: 5), rate: rate, segmentLength: 400))
    let mean = spectrum.power(from: 0.1 * rate, to: 0.4 * rate) / (0.3 * rate)
    #expect(abs(mean * rate / 2 - 1) < 0.03)
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
    var left = try #require(
      PowerSpectrum(Array(values[0..<64]), rate: 8, segmentLength: 32))
    let right = try #require(
      PowerSpectrum(Array(values[64..<96]), rate: 8, segmentLength: 32))
    let first = left.densities[5]
    left += right
    #expect(left.segmentCount == 4)
    #expect(abs(left.densities[5] - (3 * first + right.densities[5]) / 4) < 1e-12)
  }

  @Test("Averaging white noise four times as long halves its Allan deviation")
  func whiteAllan() throws {
    let values = noise(50_000, seed: 11)
    let one = deviation(of: try #require(AllanVariance(values, averaging: 4)))
    let four = deviation(of: try #require(AllanVariance(values, averaging: 16)))
    #expect(abs(one / four - 2) < 0.1)
    #expect(abs(one - 0.5) < 0.02)
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

  @Test("A line is all that a fit takes away")
  func line() {
    let residuals = LineFit.residuals(of: [1, 3, 5, 7])
    #expect(residuals.allSatisfy { abs($0) < 1e-12 })
    let bent = LineFit.residuals(of: [0, 1, 0, 1])
    #expect(abs(bent.reduce(0, +)) < 1e-12)
  }
}
