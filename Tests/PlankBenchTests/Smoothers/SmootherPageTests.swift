import Evaluation
import Foundation
import PlankDetection
import PoseModel
import Statistics
import Testing
import Tuning

@testable import PlankBench

@Suite("The page of a comparison of smoothers")
struct SmootherPageTests {
  private static let hostile = "</b><img src=x onerror=alert(1)>"

  private static func point(
    _ smoother: String, _ jitter: Double, _ lag: MetricValue, _ origin: SmootherFamily.Origin,
    named name: String
  ) throws -> SmootherPoint {
    let none = MetricValue.undefined(.notLinear)
    let choice = try SmoothingChoice(text: smoother)
    return SmootherPoint(
      choice, choice.isNone ? .raw : SmootherFamily(origin: origin, name: name),
      calm: SmootherCalm(step: .value(jitter), spread: .value(jitter), acceleration: none),
      delay: SmootherDelay(
        entries: lag, movement: lag, halfTime: none, ninetyTime: none, overshoot: .value(0),
        ramps: [none, none, none], groupDelay: none, whiteGain: .value(jitter),
        coloredGain: .value(0.9)), answers: nil)
  }

  private static func envelope(
    _ contest: SteadyContest?, hasLag: Bool = true, named name: String = "ema"
  ) throws -> ResultEnvelope<SmootherComparison> {
    func lag(_ value: Double) -> MetricValue {
      hasLag ? .value(value) : .undefined(.notLinear)
    }
    return ResultEnvelope(
      SmootherComparison(
        detector: name, target: .joints, rate: Hertz(30),
        size: .init(sequences: 2, frames: 600, transitions: 4),
        points: [
          try point("none", 1, lag(0), .grid, named: "none"),
          try point("ema:cutoff=5Hz", 0.5, lag(0.05), .grid, named: name),
          try point("ema:cutoff=2Hz", 0.2, lag(0.2), .grid, named: name),
          try point("gaussian:deviation=0.1s", 0.1, lag(0), .bound, named: "ahead"),
        ], lagCost: 3, contest: contest, stress: [], angles: [], notes: ["a note"]),
      on: DatasetIdentity(
        name: name, hash: "00", posesHash: "01", labelsHash: "02", manifestHash: "03"),
      provenance: [:])
  }

  @Test("All sides stand with their intervals as the result has them")
  func numbers() throws {
    let made = try Self.envelope(StagedContest.usual)
    let html = made.page.html.text
    let contest = try #require(made.result.contest)
    #expect(html.contains("<h1>\(HTML.prose(contest.sentence).text)</h1>"))
    for row in contest.rows {
      guard [.falseTransitionsPerMinute, .flickersPerMinute].contains(row.key.metric) else {
        continue
      }
      for side in SteadyContest.Answers.allCases.map({ row[$0] }) {
        let value = try #require(side.value.number)
        #expect(html.contains(SteadyContest.text(value, side.interval, row.key.metric.decimals)))
      }
    }
    #expect(html.contains("panel verdict good") && html.contains("</b> Debounce</p>"))
  }

  @Test("Curves that matter carry labels, marks carry their numbers, others are dim")
  func plot() throws {
    let html = try Self.envelope(nil).page.html.text
    #expect(html.contains("label fill-series-"))
    #expect(html.contains("<title>ema:cutoff=5Hz: 0.500, 50.0 ms late</title>"))
    #expect(html.contains("class=\"curve dim ahead\""))
    #expect(html.contains("<h1>Best trade") && html.contains("No labels to judge by"))
  }

  @Test("Without a lag there is neither plot nor recommendation")
  func empty() throws {
    let html = try Self.envelope(nil, hasLag: false).page.html.text
    #expect(html.contains("<h1>No smoother has both a jitter and a lag.</h1>"))
    #expect(!html.contains("<div class=\"plot\">"))
  }

  @Test("Names that are made to do harm stay texts")
  func hostileNames() throws {
    let html = try Self.envelope(StagedContest.usual, named: Self.hostile).page.html.text
    #expect(!html.contains("<img") && html.contains("&lt;img src=x"))
  }
}
