import Evaluation
import Testing

@Suite("Metric catalogue")
struct MetricTests {
  @Test("Keys are unique and name the stream, the metric and the class")
  func keys() throws {
    let keys = MetricKey.all.map(\.description)
    #expect(Set(keys).count == keys.count)
    #expect(keys.count == 2 * 17 + 3 * (6 + 3) + 3)
    #expect(keys.contains("plank.f1_macro"))
    #expect(keys.contains("plank.recall[sideLeft]"))
    #expect(keys.contains("form.precision[sag]"))
    #expect(keys.contains("form.false_transitions_per_minute"))
    #expect(keys.contains("session.hold_error_s"))
    #expect(!keys.contains("plank.hold_error_s"))
    for key in MetricKey.all { #expect(try MetricKey(key.description) == key) }
    #expect(try MetricKey("plank.recall[high]").label == "high")
  }

  @Test(
    "A name that no metric has is answered with the nearest names",
    arguments: [
      ("plank.f1_marco", "`plank.f1_macro`"), ("plank.recall", "`plank.recall[none]`"),
      ("form.recall[high]", "`form.recall[pike]`"), ("accuracy", "`plank.accuracy`"),
      ("PLANK.Accuracy", "`plank.accuracy`"),
      ("detection_latency_p50", "`plank.detection_latency_p50_s`"),
    ])
  func unknown(name: String, nearest: String) {
    let error = #expect(throws: UnknownMetric.self) { try MetricKey(name) }
    #expect(error?.description.contains("did you mean") == true)
    #expect(error?.description.contains(nearest) == true, "\(error?.description ?? "")")
  }

  @Test(
    "A sweep's cells give the metrics that need no whole answers, and suggest the nearest others")
  func tunable() throws {
    #expect(try MetricKey(tunable: "form.hit_rate").metric == .hitRate)
    #expect(MetricKey.tunable.count == 2 * (7 + 2 + 3) + 3 * (6 + 3) + 1)
    let error = #expect(throws: UnknownMetric.self) {
      try MetricKey(tunable: "plank.false_transitions_per_minute")
    }
    #expect(error?.description.contains("a sweep does not keep") == true)
    #expect(error?.description.contains("`plank.transitions_per_minute`") == true)
  }

  @Test("Larger is better for shares and worse for disturbances")
  func directions() {
    let worse = Metric.all.filter { !$0.higherIsBetter }.map(\.name)
    #expect(
      worse == [
        "false_plank_share", "transitions_per_minute", "excess_transitions_per_minute",
        "false_transitions_per_minute", "missed_transitions", "flickers_per_minute",
        "detection_latency_p50_s", "detection_latency_p90_s", "release_latency_p50_s",
        "hold_error_s", "longest_hold_error_s",
      ])
  }

  @Test("Ratios end at one, what has a unit never ends, and only errors of chance go below zero")
  func ranges() {
    for metric in Metric.all {
      #expect((metric.range.upperBound == 1) == (metric.unit == "-"), "\(metric.name)")
      let isCorrelation = [.cohenKappa, .matthewsCorrelation].contains(metric)
      #expect(metric.range.lowerBound == (isCorrelation ? -1 : 0), "\(metric.name)")
    }
  }

  @Test("The sections of a report hold every metric of the catalogue, in its order")
  func resultsFollowTheCatalogue() {
    let result = report([Scenario("nnffhh")])
    let keys = [result.plank, result.form].flatMap { stream in
      Metric.Section.allCases.flatMap { section in
        stream.view.results(section) + stream.view.results(section, .perClass)
      }
    }
    let session = Metric.Section.allCases.flatMap { section in
      result.plank.view.results(section, .session)
    }
    #expect((keys + session).map(\.key) == MetricKey.all)
  }
}
