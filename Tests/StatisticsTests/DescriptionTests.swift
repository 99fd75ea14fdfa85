import Statistics
import TestSupport
import Testing

@Suite("Description")
struct DescriptionTests {
  @Test(
    "A sample without values, or with one that is not finite, has no description",
    arguments: [[], [1, .nan], [.infinity], [-.infinity, 0, 1]] as [[Double]])
  func undescribable(values: [Double]) {
    #expect(Description.median(values) == nil)
    #expect(Description.quantile(values, at: 0.5) == nil)
  }
}

@Suite("Description properties") struct DescriptionPropertyTests {
  /// A random sample of 1 to 60 numbers, many of them equal.
  private func sample(_ seed: UInt64) -> [Double] {
    var random = SplitMix64(seed: seed)
    return (0..<1 + random.index(below: 60)).map { _ in
      random.unit() < 0.3 ? Double(random.index(below: 4)) : 20 * random.unit() - 10
    }
  }

  private func close(_ left: Double?, _ right: Double?) -> Bool {
    guard let left, let right else { return false }
    return abs(left - right) < 1e-12
  }

  @Test(
    "A quantile is what sorting and interpolating by hand gives",
    arguments: Draws.seeds(50 as UInt64))
  func quantileBySorting(seed: UInt64) {
    let values = sample(seed)
    let sorted = values.sorted()
    for fraction in [0, 0.1, 0.25, 0.5, 0.77, 0.99, 1] {
      let position = Double(values.count - 1) * fraction
      let below = Int(position)
      let above = min(below + 1, values.count - 1)
      let expected = sorted[below] + (position - Double(below)) * (sorted[above] - sorted[below])
      #expect(close(Description.quantile(values, at: fraction), expected))
    }
  }

  @Test("A value of a rank is that of the sorted sample", arguments: Draws.seeds(20 as UInt64))
  func ranked(seed: UInt64) {
    let stream = RandomStream(seed: seed, purpose: "ranked")
    let values = (0..<1 + Int(seed)).map { _ in Double(stream.index(below: 10)) }
    for (rank, expected) in values.sorted().enumerated() {
      var copy = values
      #expect(Description.value(ranked: rank, reordering: &copy) == expected)
    }
    var broken = values + [.nan]
    #expect(Description.value(ranked: 0, reordering: &broken) == nil)
  }

  @Test(
    "The median is the quantile of one half, in place too",
    arguments: Draws.seeds(50 as UInt64))
  func medianIsQuantile(seed: UInt64) {
    let values = sample(seed)
    var reordered = values
    let median = Description.median(values)
    #expect(close(median, Description.quantile(values, at: 0.5)))
    #expect(Description.median(reordering: &reordered) == median)
    #expect(reordered.sorted() == values.sorted())
    // Many equal values, of an even or odd count.
    let tied = (values + values.dropFirst(Int(seed) % 2)).map { ($0 * 4).rounded() }
    let sorted = tied.sorted()
    #expect(
      Description.median(tied) == (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2)
  }
}
