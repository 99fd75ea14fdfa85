import TestSupport
import Testing

@testable import Evaluation

@Suite("Absolute residuals")
struct AbsoluteResidualsTests {
  private func residuals(_ values: some Collection<Double>) -> AbsoluteResiduals {
    var copy = Array(values)
    var residuals = AbsoluteResiduals()
    copy.withUnsafeMutableBufferPointer { residuals.add($0, from: 0) }
    return residuals
  }

  @Test(
    "The median depends neither on how values are divided nor on the order of the parts",
    arguments: [
      [32_768], [32_769], [30_000, 2768], [30_000, 5000, 5000], [5000, 30_000, 5000],
      [100, 40_000], [33_000, 33_000], [8192, 8193, 16_384, 1],
    ])
  func division(sizes: [Int]) throws {
    var random = SplitMix64(seed: 11)
    let values = (0..<sizes.reduce(0, +)).map { _ in Double(Float(random.unit() - 0.3)) }
    var start = 0
    let parts = sizes.map { size in
      defer { start += size }
      return residuals(values[start..<start + size])
    }
    func sum(_ parts: [AbsoluteResiduals]) -> AbsoluteResiduals {
      parts.reduce(into: AbsoluteResiduals()) { $0.add($1) }
    }
    let sums = [sum(parts), sum(parts.reversed()), sum([residuals([]), sum(parts)])]
    let whole = try #require(residuals(values).median)
    for sum in sums {
      #expect(sum.count == values.count)
      #expect(sum.median == whole)
    }
    let sorted = values.map(abs).sorted()
    let exact = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    let isKept = values.count <= AbsoluteResiduals.exactLimit
    #expect(abs(whole / exact - 1) <= (isKept ? 1e-12 : 1e-3))
  }
}
