import Evaluation
import Testing

@Suite("Metric catalogue")
struct MetricTests {
  @Test("Keys are unique and name the stream, the metric and the class")
  func keys() {
    let keys = MetricKey.all.map(\.description)
    #expect(Set(keys).count == keys.count)
    #expect(keys.count == 2 * 16 + 3 * (6 + 3) + 2)
    #expect(keys.contains("plank.f1_macro"))
    #expect(keys.contains("plank.recall[sideLeft]"))
    #expect(keys.contains("form.precision[sag]"))
    #expect(keys.contains("form.false_transitions_per_minute"))
    #expect(keys.contains("session.hold_error_s"))
    #expect(!keys.contains("plank.hold_error_s"))
  }

  @Test("Larger is better for shares and worse for disturbances")
  func directions() {
    let worse = Metric.allCases.filter { !$0.higherIsBetter }.map(\.rawValue)
    #expect(
      worse == [
        "transitions_per_minute", "excess_transitions_per_minute",
        "false_transitions_per_minute", "missed_transitions", "flickers_per_minute",
        "detection_latency_p50_s", "detection_latency_p90_s", "release_latency_p50_s",
        "hold_error_s", "longest_hold_error_s",
      ])
  }

  @Test("Rates are a minute, the rest are pure numbers or counts")
  func units() {
    #expect(Metric.flickersPerMinute.unit == "1/min")
    #expect(Metric.missedTransitions.unit == "transitions")
    #expect(Metric.cohenKappa.unit == "-")
    #expect(Metric.longestHoldError.unit == "s")
  }

  @Test("Every result of a report has a key of the catalogue, in the catalogue's order")
  func resultsFollowTheCatalogue() {
    let result = report([Scenario("nnffhh")])
    let keys = [result.plank, result.form].flatMap { stream in
      (stream.view.metrics.overall + stream.view.metrics.byClass + stream.view.stability.results
        + stream.view.temporal.results)
        .map { $0.key(in: stream.stream) }
    }
    let session = result.plank.view.temporal.sessionResults.map(\.metric.sessionKey)
    #expect(keys + session == MetricKey.all.map(\.description))
  }

  @Test("A value is a number or a reason, never both")
  func values() {
    #expect(MetricValue.value(0.5).number == 0.5)
    #expect(MetricValue.value(0.5).reason == nil)
    #expect(MetricValue.undefined(.noTruth).number == nil)
    #expect(MetricValue.undefined(.noTruth).reason == .noTruth)
  }
}
