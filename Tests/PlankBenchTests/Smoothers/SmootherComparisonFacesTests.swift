import Evaluation
import Testing

@testable import PlankBench

@Suite("Faces of a comparison of smoothers")
struct SmootherComparisonFacesTests {
  private func point(_ family: String, _ jitter: Double, _ lag: Double, isCausal: Bool = true)
    -> SmootherPoint
  {
    let none = MetricValue.undefined(.notLinear)
    return SmootherPoint(
      family: family, text: "\(family):x=\(lag)@joints", isCausal: isCausal,
      calm: SmootherCalm(step: .value(jitter), spread: .value(jitter), acceleration: none),
      delay: SmootherDelay(
        entries: .value(lag), movement: .value(lag), halfTime: none, ninetyTime: none,
        overshoot: .value(0), ramps: [none, none, none], groupDelay: none,
        whiteGain: .value(jitter), coloredGain: .value(0.9)))
  }

  private var comparison: SmootherComparison {
    SmootherComparison(
      dataset: DatasetIdentity(
        name: "a & b", hash: "00", posesHash: "01", labelsHash: "02", manifestHash: "03"),
      detector: "gravity", target: "joints", rate: 30,
      size: .init(sequences: 2, frames: 600, transitions: 4), raw: [],
      points: [
        point("none", 1, 0), point("ema", 0.5, 0.05), point("ema", 0.2, 0.2),
        point("gaussian", 0.1, 0, isCausal: false),
      ], lagCost: 3,
      stress: [.init(condition: .halfRate, point: point("ema", 0.6, 0.1))],
      angles: [AngleBias(text: "none", mean: .value(175.25), deviation: .value(2))],
      notes: ["a note"])
  }

  @Test("The recommendation is the least cost of what an app could run")
  func recommendation() {
    let text = MarkdownRenderer().render(comparison.document(isFull: true))
    #expect(text.contains("ema:x=0.05@joints, 50.0 % of the raw jitter, 50 ms late"))
    #expect(text.contains("a note") && text.contains("175.25") && text.contains("half rate"))
  }

  @Test("JSON names every point, the front and why numbers are missing")
  func json() {
    let text = comparison.json.text
    for part in [
      "\"recommended\"", "\"ema:x=0.05@joints\"", "\"front\"", "\"equal_lag\"", "\"stress\"",
      "\"remarks\"", "\"schema_version\"",
    ] {
      #expect(text.contains(part), "\(part)")
    }
  }

  @Test("A report is text, page, numbers and figures; the page holds the figures")
  func files() throws {
    let files = Dictionary(uniqueKeysWithValues: comparison.files.map { ($0.name, $0.text) })
    #expect(
      Set(files.keys) == [
        "report.md", "report.html", "result.json", "jitter-lag.svg", "spread-lag.svg",
      ])
    let figure = try #require(files["jitter-lag.svg"])
    #expect(figure.contains("a &amp; b") && figure.contains("gaussian"))
    #expect(files["report.html"]?.contains(figure) == true)
  }

  @Test("Text without the list keeps the best; a limit that nothing meets says so")
  func short() {
    let (short, full) = (
      MarkdownRenderer().render(comparison.document(isFull: false)),
      MarkdownRenderer().render(comparison.document(isFull: true))
    )
    #expect(!short.contains("Every smoother") && full.contains("Every smoother"))
    #expect(short.contains("a note") && short.contains("| 5.0 % | none |"))
    #expect(full.count > short.count)
  }

  @Test("A figure names what it recommends and marks what a search found")
  func figureMarks() throws {
    let files = Dictionary(uniqueKeysWithValues: comparison.files.map { ($0.name, $0.text) })
    let figure = try #require(files["jitter-lag.svg"])
    #expect(figure.contains("ema:x=0.05") && figure.contains("least jitter plus lag"))
    #expect(!figure.contains("found by search") && !figure.contains("at the edge"))
  }
}
