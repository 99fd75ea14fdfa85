import Foundation
import Testing

@testable import Statistics

/// Results of scipy and statsmodels; the golden file states the versions.
struct ResamplingGolden: Decodable {
  struct Case: Decodable {
    let estimate: Double
    let omissions: [Double]
    let replicates: [Double]
    let expected: Expected

    var sample: ClusterSample {
      ClusterSample(estimate: estimate, omissions: omissions, replicates: replicates)
    }
  }
  struct Expected: Decodable {
    let percentile: [Double]
    let bca: [Double]
    let clusterT: [Double]
    let probability: Double

    enum CodingKeys: String, CodingKey {
      case percentile, bca, clusterT
      case probability = "pBelow03"
    }
  }
  struct SignFlip: Decodable {
    let differences: [Double]
    let p: Double
  }
  struct Family: Decodable {
    let p: [Double]
    let adjusted: [Double]
  }
  let intervals: [Case]
  let signFlips: [SignFlip]
  let holm: [Family]

  static func read() throws -> ResamplingGolden {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../Goldens/resampling.json")
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(ResamplingGolden.self, from: Data(contentsOf: file))
  }
}

@Suite("Resampling against scipy and statsmodels")
struct ResamplingGoldenTests {
  private func isNear(_ interval: Interval, _ ends: [Double]) -> Bool {
    isNear(interval.lower...interval.upper, ends)
  }

  private func isNear(_ range: ClosedRange<Double>, _ ends: [Double]) -> Bool {
    abs(range.lowerBound - ends[0]) < 1e-10 && abs(range.upperBound - ends[1]) < 1e-10
  }

  @Test("Intervals are scipy's on the same resamples", arguments: 0..<3)
  func intervals(index: Int) throws {
    let golden = try ResamplingGolden.read().intervals[index]
    #expect(isNear(try golden.sample.percentile(), golden.expected.percentile))
    #expect(isNear(try golden.sample.bca(), golden.expected.bca))
    #expect(isNear(try golden.sample.clusterT(), golden.expected.clusterT))
    let below = try golden.sample.test().probability(below: 0.3)
    #expect(abs(below - golden.expected.probability) < 1e-10)
  }

  @Test("The exact sign-flip test is scipy's permutation test", arguments: 0..<5)
  func signFlips(index: Int) throws {
    let golden = try ResamplingGolden.read().signFlips[index]
    let stream = RandomStream(seed: 1, purpose: "sign flips")
    let test = try #require(SignFlipTest(golden.differences, stream: stream))
    #expect(test.isExact)
    #expect(abs(test.probability - golden.p) < 1e-12)
  }

  @Test("Holm's correction is statsmodels'", arguments: 0..<4)
  func holm(index: Int) throws {
    let golden = try ResamplingGolden.read().holm[index]
    let adjusted = Holm.adjusted(golden.p)
    #expect(adjusted.count == golden.adjusted.count)
    #expect(zip(adjusted, golden.adjusted).allSatisfy { abs($0 - $1) < 1e-12 })
  }
}
