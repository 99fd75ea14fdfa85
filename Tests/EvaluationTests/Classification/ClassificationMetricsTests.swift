import Evaluation
import Testing

@Suite("Classification metrics")
struct ClassificationMetricsTests {
  private func metrics(_ rows: [[Double]]) -> MatrixMetrics {
    let labels = rows.count == 2 ? ["no", "yes"] : ["aligned", "sag", "pike"]
    return MatrixMetrics(ConfusionMatrix(labels: labels, rows: rows))
  }

  @Test("Two classes by hand")
  func twoClasses() {
    let result = metrics([[50, 9], [4, 37]])
    #expect(isNear(result[.accuracy], 0.87))
    #expect(isNear(result[.balancedAccuracy], (50.0 / 59 + 37.0 / 41) / 2))
    let (no, yes) = (100.0 / 113, 74.0 / 87)
    #expect(isNear(result[.f1Macro], (no + yes) / 2))
    #expect(isNear(result[.f1Weighted], 0.59 * no + 0.41 * yes))
    // Chance: (59 54 + 41 46) / 100^2 = 0.5072.
    #expect(isNear(result[.cohenKappa], 0.3628 / 0.4928))
    // (50 37 - 9 4) / sqrt(59 41 54 46)
    #expect(isNear(result[.matthewsCorrelation], 1814 / 6_008_796.0.squareRoot()))
    #expect(result.counts.truth[1] == 41)
  }

  @Test("A class that occurs nowhere is left out of the macro F1 and named")
  func absentClass() {
    let result = metrics([[2, 0, 0], [1, 1, 0], [0, 0, 0]])
    #expect(isNear(result[.f1Macro], (4.0 / 5 + 2.0 / 3) / 2))
    #expect(result.excluded(.f1Macro) == ["pike"])
    #expect(result.overall.map(\.excluded) == [[], ["pike"], ["pike"], ["pike"], [], [], []])
    #expect(result[.f1, 2] == .undefined(.occursNowhere))
    #expect(result[.recall, 2] == .undefined(.noTruth))
    #expect(result[.precision, 2] == .undefined(.neverAnswered))
  }

  @Test("A class that is only answered counts 0 in the macro F1 and not in balanced accuracy")
  func classOnlyAnswered() {
    // The example of `docs/metrics.md`: y = 0, 0, 1, 1 and p = 0, 0, 2, 0.
    let result = metrics([[2, 0, 0], [1, 0, 1], [0, 0, 0]])
    #expect(isNear(result[.f1Macro], 4.0 / 15))
    #expect(isNear(result[.balancedAccuracy], 0.5))
    #expect(result.excluded(.f1Macro).isEmpty)
    #expect(isNear(result[.f1MacroTruth], 0.4))
    #expect(result.excluded(.f1MacroTruth) == ["pike"])
    #expect(result.excluded(.balancedAccuracy) == ["pike"])
    #expect(isNear(result[.cohenKappa], 0.2))
  }

  @Test("One wrong frame of a class without truth costs what it lasts, not a class")
  func strayFrame() {
    let result = metrics([[1199, 0, 1], [0, 1200, 0], [0, 0, 0]])
    #expect(isNear(result[.f1Macro], (2398.0 / 2399 + 1) / 3))
    #expect(isNear(result[.f1MacroTruth], (2398.0 / 2399 + 1) / 2))
  }

  @Test("A class that is answered and never true is in the mean F1 over all classes only")
  func answeredWithoutTruth() {
    let result = metrics([[2, 0, 0], [1, 0, 1], [0, 0, 0]])
    #expect(isNear(result[.f1MacroTruth], 0.4))
    #expect(isNear(result[.f1Macro], 4.0 / 15))
    let nothing = metrics([[0, 0, 0], [0, 0, 0], [0, 0, 0]])
    #expect(nothing[.f1MacroTruth] == .undefined(.noScoredFrames))
  }

  @Test("Nothing scored leaves every value undefined, for that reason")
  func empty() {
    let result = metrics([[0, 0], [0, 0]])
    let values = (result.overall + result.byClass).map(\.value)
    #expect(values.allSatisfy { $0 == .undefined(.noScoredFrames) })
  }

  @Test("One class answered as itself leaves kappa and correlation undefined")
  func singleClass() {
    let result = metrics([[7, 0], [0, 0]])
    #expect(result[.accuracy] == .value(1))
    #expect(result[.f1Macro] == .value(1))
    #expect(result[.cohenKappa] == .undefined(.certainAgreement))
    #expect(result[.matthewsCorrelation] == .undefined(.singleClass))
  }

  @Test("A constant answer has kappa 0 and no correlation")
  func constantAnswer() {
    let result = metrics([[30, 0, 0], [37, 0, 0], [44, 0, 0]])
    #expect(result[.cohenKappa] == .value(0))
    #expect(result[.matthewsCorrelation] == .undefined(.singleClass))
    #expect(isNear(result[.balancedAccuracy], 1.0 / 3))
  }
}
