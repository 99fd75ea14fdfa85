import Statistics
import Testing

@Suite("Description")
struct DescriptionTests {
  @Test("The mean is the sum over the count")
  func mean() {
    #expect(Description.mean([1, 2, 3, 6]) == 3)
    #expect(Description.mean([-0.25]) == -0.25)
  }

  @Test("The median is the middle value, or the mean of the two in the middle")
  func median() {
    #expect(Description.median([5, 1, 9]) == 5)
    #expect(Description.median([5, 1, 9, 2]) == 3.5)
    #expect(Description.median([7]) == 7)
    #expect(Description.median([2, 2, 2, 2, 8]) == 2)
  }

  @Test(
    "A quantile interpolates between order statistics at (n - 1) f",
    arguments: [(0, 1), (0.25, 1.75), (0.5, 3.5), (0.9, 6.9), (1, 9)] as [(Double, Double)])
  func quantile(fraction: Double, expected: Double) throws {
    // Sorted: 1, 1, 2, 3, 4, 5, 6, 9; numpy.quantile gives the same.
    let values: [Double] = [3, 1, 4, 1, 5, 9, 2, 6]
    let quantile = try #require(Description.quantile(values, at: fraction))
    #expect(abs(quantile - expected) < 1e-12)
  }

  @Test("Several quantiles come in the order of their fractions")
  func quantiles() {
    #expect(Description.quantiles([10, 0, 20], at: [1, 0, 0.25]) == [20, 0, 5])
    #expect(Description.quantiles([10, 0, 20], at: []) == [])
  }

  @Test("The median absolute deviation is scaled by 1.4826")
  func medianAbsoluteDeviation() {
    // Median 2; distances 1, 1, 0, 0, 2, 4, 7 with median 1.
    #expect(Description.medianAbsoluteDeviation([1, 1, 2, 2, 4, 6, 9]) == 1.4826)
    #expect(Description.medianAbsoluteDeviation([3, 3, 3, 100]) == 0)
    #expect(Description.medianAbsoluteDeviation([3]) == 0)
  }

  @Test(
    "A sample without values, or with one that is not finite, has no description",
    arguments: [[], [1, .nan], [.infinity], [-.infinity, 0, 1]] as [[Double]])
  func undescribable(values: [Double]) {
    #expect(Description.mean(values) == nil)
    #expect(Description.median(values) == nil)
    #expect(Description.quantile(values, at: 0.5) == nil)
    #expect(Description.medianAbsoluteDeviation(values) == nil)
  }
}
