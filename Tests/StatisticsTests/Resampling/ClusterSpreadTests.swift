import Testing

@testable import Statistics

@Suite("Standard errors from resamples")
struct ClusterSpreadTests {
  /// Eight clusters of known values.
  private static let values = [1.0, 2, 4, 7, 11, 16, 22, 29]

  private func sample(_ number: @escaping ([Int]) -> Double) -> ClusterSample {
    let resamples = ClusterResamples(
      clusters: Self.values.count, count: 20_000,
      stream: RandomStream(seed: 3, purpose: "bootstrap"))
    return ClusterSample.make(resamples) { [number($0)] }[0]
  }

  @Test("Of a total, resamples give the spread of new clusters and the jackknife too little")
  func total() throws {
    var total = sample { drawn in drawn.reduce(0) { $0 + Self.values[$1] } }
    let count = Double(Self.values.count)
    let mean = Self.values.reduce(0, +) / count
    let variance = Self.values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    let expected = (count * variance).squareRoot()
    let jackknife = try total.standardError()
    #expect(abs(jackknife - expected * (count - 1) / count) < 1e-9)
    total.spread = .bootstrap
    #expect(abs(try total.standardError() / expected - 1) < 0.02)
  }

  @Test("Of a median, the jackknife sees two values only and resamples see all")
  func median() throws {
    var median = sample { drawn in
      let sorted = drawn.map { Self.values[$0] }.sorted()
      return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
    #expect(Set(median.omissions.compactMap(\.self)).count == 2)
    median.spread = .bootstrap
    let error = try median.standardError()
    let interval = try median.clusterT()
    #expect(abs(interval.width / (2 * StudentT.quantile(0.975, freedom: 7) * error) - 1) < 1e-12)
    #expect(error > 3 && error < 8)
    #expect(try median.bca().lower < 9)
  }

  @Test("A difference keeps what its spread is made from")
  func difference() {
    var left = sample { Double($0[0]) }
    left.spread = .bootstrap
    #expect((left - left).spread == .bootstrap)
  }
}
