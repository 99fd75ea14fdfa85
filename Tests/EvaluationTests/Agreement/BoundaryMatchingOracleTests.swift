import Testing

@testable import Evaluation

@Suite("Matchings against all matchings")
struct BoundaryMatchingOracleTests {
  @Test("No other matching has more pairs, or as many at less distance", arguments: 1...60)
  func best(seed: Int) {
    var state = UInt64(seed)
    func next(_ bound: UInt64) -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double((state >> 33) % bound)
    }
    let left = (0..<Int(next(6))).map { _ in next(40) / 4 }.sorted()
    let right = (0..<Int(next(6))).map { _ in next(40) / 4 }.sorted()
    let offsets = BoundaryMatching(left, right, within: 1).offsets
    let (pairs, distance) = Self.best(left[...], right, within: 1)
    #expect(offsets.count == pairs)
    #expect(abs(offsets.map(\.magnitude).reduce(0, +) - distance) < 1e-12)
  }

  @Test("Boundaries of a day, two per second, are matched without a table of all pairs")
  func day() {
    let left = (0..<172_800).map { Double($0) / 2 }
    let offsets = BoundaryMatching(left, left.map { $0 + 0.125 }, within: 1).offsets
    #expect(offsets.count == left.count && offsets.allSatisfy { $0 == 0.125 })
  }

  /// The best matching by trying all, crossing ones too.
  static func best(
    _ left: ArraySlice<Double>, _ right: [Double], within bound: Double
  ) -> (pairs: Int, distance: Double) {
    guard let first = left.first else { return (0, 0) }
    var best = Self.best(left.dropFirst(), right, within: bound)
    for (index, time) in right.enumerated() where abs(time - first) <= bound {
      var rest = right
      rest.remove(at: index)
      var found = Self.best(left.dropFirst(), rest, within: bound)
      found.pairs += 1
      found.distance += abs(time - first)
      if (found.pairs, -found.distance) > (best.pairs, -best.distance) { best = found }
    }
    return best
  }
}
