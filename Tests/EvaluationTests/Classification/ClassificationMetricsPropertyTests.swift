import Evaluation
import TestSupport
import Testing

@Suite("Classification metrics properties")
struct ClassificationMetricsPropertyTests {
  private static let labels = ["aligned", "sag", "pike"]

  private func rows(_ seed: UInt64) -> [[Double]] {
    var random = SplitMix64(seed: seed)
    return (0..<3).map { _ in
      (0..<3).map { _ in random.unit() < 0.3 ? 0 : Double(random.index(below: 50)) }
    }
  }

  private func metrics(_ rows: [[Double]], labels: [String] = labels) -> MatrixMetrics {
    MatrixMetrics(ConfusionMatrix(labels: labels, rows: rows))
  }

  @Test("A common factor changes nothing", arguments: UInt64(0)..<40)
  func scale(seed: UInt64) {
    let rows = rows(seed)
    let seconds = rows.map { row in row.map { $0 / 30 } }
    #expect(agree(metrics(rows), metrics(seconds)))
  }

  @Test("The order of the classes changes nothing but their order", arguments: UInt64(0)..<40)
  func order(seed: UInt64) {
    let rows = rows(seed)
    let straight = metrics(rows)
    let turned = metrics(
      rows.reversed().map { Array($0.reversed()) }, labels: Self.labels.reversed())
    for (one, other) in zip(straight.overall, turned.overall) {
      #expect(agree(one.value, other.value))
      #expect(one.excluded == other.excluded.reversed())
    }
    for metric in [Metric.precision, .recall, .f1] {
      for code in 0..<3 { #expect(straight[metric, code] == turned[metric, 2 - code]) }
    }
  }

  @Test(
    "Truth and answers trade places: recall and precision swap, kappa and correlation stay",
    arguments: UInt64(0)..<40)
  func transposition(seed: UInt64) {
    let rows = rows(seed)
    let straight = metrics(rows)
    let turned = metrics((0..<3).map { column in rows.map { $0[column] } })
    #expect(agree(straight[.cohenKappa], turned[.cohenKappa]))
    #expect(agree(straight[.matthewsCorrelation], turned[.matthewsCorrelation]))
    #expect(agree(straight[.f1Macro], turned[.f1Macro]))
    for code in 0..<3 {
      #expect(isNear(straight[.recall, code], turned[.precision, code].number))
      #expect(agree(straight[.f1, code], turned[.f1, code]))
    }
  }

  @Test("Values stay within their ranges", arguments: UInt64(0)..<40)
  func ranges(seed: UInt64) {
    let result = metrics(rows(seed))
    for item in result.overall + result.byClass {
      guard let number = item.value.number else { continue }
      let range = item.metric.range
      #expect(number >= range.lowerBound - 1e-12 && number <= range.upperBound + 1e-12)
    }
  }
}
