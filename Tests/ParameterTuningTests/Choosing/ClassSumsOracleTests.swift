import Evaluation
import PoseModel
import Testing

@testable import ParameterTuning

@Suite("Class sums")
struct ClassSumsOracleTests {
  @Test("Every metric equals the scoring code's", arguments: 0..<200)
  func equality(seed: Int) throws {
    var random = TuningRandom(seed: seed)
    let labels = AnswerStream.plank.labels
    let sparse = random.pick([0, 0.5, 0.8])
    let rows = labels.map { _ in
      labels.map { _ in random.chance(sparse) ? 0 : random.uniform(0, 50) }
    }
    var sums = ClassSums()
    for row in labels.indices {
      sums.right[row] = rows[row][row]
      for column in labels.indices {
        sums.truth[row] += rows[row][column]
        sums.answered[column] += rows[row][column]
      }
    }
    let expected = ClassificationMetrics(ConfusionMatrix(labels: labels, rows: rows))
    for result in expected.overall + expected.byClass {
      let label = result.label.flatMap { labels.firstIndex(of: $0) }
      let found = sums.value(result.metric, label: label)
      #expect((found == nil) == (result.value.number == nil), "\(result.metric)")
      #expect(abs((found ?? 0) - (result.value.number ?? 0)) < 1e-9, "\(result.metric)")
    }
  }
}
