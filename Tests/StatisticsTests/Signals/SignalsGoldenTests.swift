import Foundation
import Statistics
import Testing

/// Values of scipy, allantools and numpy; `scripts/oracles/spectra.py` says how.
@Suite("Spectra goldens")
struct SpectraGoldenTests {
  /// A series with its spectra.
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

  private struct Content: Decodable {
    let cases: [Case]
  }

  static let cases: [Case] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Goldens/spectra.json")
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return (try? decoder.decode(Content.self, from: Data(contentsOf: file)).cases) ?? []
  }()

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
