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
    let logitT: [Double]?
    let probability: Double

    enum CodingKeys: String, CodingKey {
      case percentile, bca, clusterT, logitT
      case probability = "pBelow03"
    }
  }
  struct Family: Decodable {
    let p: [Double]
    let adjusted: [Double]
  }
  struct Bound: Decodable {
    let people: Int
    let share: Double
  }
  struct Weights: Decodable {
    let amounts: [[Double]]
    let effective: Double
  }
  let intervals: [Case]
  let holm: [Family]
  let bounds: [Bound]
  let weights: [Weights]

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
    // Numbers are rounded to about 1e-9 before intervals are made of them.
    abs(range.lowerBound - ends[0]) < 5e-9 && abs(range.upperBound - ends[1]) < 5e-9
  }

  @Test("Intervals are scipy's on the same resamples", arguments: 0..<4)
  func intervals(index: Int) throws {
    let golden = try ResamplingGolden.read().intervals[index]
    #expect(isNear(try golden.sample.percentile(), golden.expected.percentile))
    #expect(isNear(try golden.sample.bca(), golden.expected.bca))
    #expect(isNear(try golden.sample.clusterT(), golden.expected.clusterT))
    if let ends = golden.expected.logitT {
      #expect(isNear(try golden.sample.clusterT(scale: LogitScale(0...1)), ends))
    }
    let below = try golden.sample.test().probability(below: 0.3)
    #expect(abs(below - golden.expected.probability) < 1e-10)
  }

  @Test("People who are all alike have the bound of an exact binomial test", arguments: 0..<6)
  func bounds(index: Int) throws {
    let golden = try ResamplingGolden.read().bounds[index]
    let share = ClusterSample.leastShareAlike(Double(golden.people))
    #expect(abs(share - golden.share) < 1e-9)
  }

  @Test("Effective numbers of people are Kish's", arguments: 0..<3)
  func weights(index: Int) throws {
    let golden = try ResamplingGolden.read().weights[index]
    let found = try #require(ClusterWeights(amounts: golden.amounts))
    #expect(abs(found.effective - golden.effective) < 1e-6)
  }

  @Test("Holm's correction is statsmodels'", arguments: 0..<4)
  func holm(index: Int) throws {
    let golden = try ResamplingGolden.read().holm[index]
    let adjusted = Holm.adjusted(golden.p)
    #expect(adjusted.count == golden.adjusted.count)
    #expect(zip(adjusted, golden.adjusted).allSatisfy { abs($0 - $1) < 1e-12 })
  }
}
