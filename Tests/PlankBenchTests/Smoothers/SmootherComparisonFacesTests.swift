import Evaluation
import Foundation
import PlankDetection
import PoseModel
import Testing
import Tuning

@testable import PlankBench

@Suite("Faces of a comparison of smoothers")
struct SmootherComparisonFacesTests {
  private func point(
    _ smoother: String, _ jitter: Double, _ lag: Double, origin: SmootherFamily.Origin = .grid,
    answers: MetricTable? = nil
  ) throws -> SmootherPoint {
    let none = MetricValue.undefined(.notLinear)
    let choice = try SmoothingChoice(text: smoother)
    let name = smoother.split(separator: ":")[0]
    return SmootherPoint(
      choice, choice.isNone ? .raw : SmootherFamily(origin: origin, name: String(name)),
      calm: SmootherCalm(step: .value(jitter), spread: .value(jitter), acceleration: none),
      delay: SmootherDelay(
        entries: .value(lag), movement: .value(lag), halfTime: none, ninetyTime: none,
        overshoot: .value(0), ramps: [none, none, none], groupDelay: none,
        whiteGain: .value(jitter), coloredGain: .value(0.9)),
      answers: answers)
  }

  private func envelope(_ comparison: SmootherComparison) -> ResultEnvelope<SmootherComparison> {
    ResultEnvelope(
      comparison,
      on: DatasetIdentity(
        name: "a & b", hash: "00", posesHash: "01", labelsHash: "02", manifestHash: "03"),
      provenance: ["detector": "gravity"])
  }

  private func comparison() throws -> ResultEnvelope<SmootherComparison> {
    envelope(try comparison(nil))
  }

  private func comparison(_ contest: SteadyContest?) throws -> SmootherComparison {
    SmootherComparison(
      detector: "gravity", target: .joints, rate: Hertz(30),
      size: .init(sequences: 2, frames: 600, transitions: 4),
      points: [
        try point("none", 1, 0), try point("ema:cutoff=5Hz", 0.5, 0.05),
        try point("ema:cutoff=2Hz", 0.2, 0.2),
        try point("gaussian:deviation=0.1s", 0.1, 0, origin: .bound),
      ], lagCost: 3, contest: contest,
      commands: ResultCommands(again: ["smoothers", "compare", "data"], data: ["data"]),
      stress: [.init(condition: .halfRate, point: try point("ema:cutoff=5Hz", 0.6, 0.1))],
      angles: [AngleBias(choice: .none, mean: .value(175.25), deviation: .value(2))],
      notes: ["a note"])
  }

  private func markdown(isFull: Bool) throws -> String {
    let made = try comparison()
    return MarkdownRenderer().render(made.result.document(made.origin, isFull: isFull))
  }

  @Test("The recommendation is the least cost of what an app could run")
  func recommendation() throws {
    let text = try markdown(isFull: true)
    let trade = try comparison().result.trade
    #expect(
      trade
        == "Best trade (1 s of lag counts as 3 x the raw jitter): `ema:cutoff=5Hz` removes "
        + "50 % of the jitter, 50 ms late.")
    #expect(text.contains("a note") && text.contains("175.25") && text.contains("half rate"))
  }

  @Test("The raw measurements are in the table, though no smoother is worse")
  func raw() throws {
    let text = try markdown(isFull: false)
    #expect(text.contains("| **none** | 100.0 % |"), "\(text)")
  }

  @Test("Without labels, the verdict is the best trade alone")
  func verdict() throws {
    #expect(try comparison().result.verdict.map(\.text).count == 1)
  }

  @Test("The result reads back from JSON as it was, and its documents are the same")
  func roundTrip() throws {
    let answered = envelope(try comparison(StagedContest.usual))
    for made in [try comparison(), answered] {
      let read = try JSONDecoder().decode(
        ResultEnvelope<SmootherComparison>.self, from: Data(made.json.utf8))
      #expect(read == made)
      #expect(read.page == made.page && read.document == made.document)
      #expect(read.json == made.json)
    }
  }

  @Test("JSON names the recommendation and the front, and says why numbers are missing")
  func json() throws {
    let text = try comparison().json
    for part in [
      "\"best_trade\": \"ema:cutoff=5Hz@joints\"", "\"equal_lag\"", "\"origin\": \"bound\"",
      "\"reason\"", "\"command\": \"smoothers compare\"",
    ] {
      #expect(text.contains(part), "\(part)")
    }
  }

  @Test("A report is text, page, numbers and figures; the page holds the figures behind folds")
  func files() throws {
    let files = Dictionary(
      uniqueKeysWithValues: try comparison().files().map { ($0.name, $0.text) })
    #expect(
      Set(files.keys) == [
        "report.md", "report.html", "result.json", "jitter-lag.svg", "spread-lag.svg",
      ])
    let figure = try #require(files["jitter-lag.svg"])
    #expect(figure.contains("a &amp; b") && figure.contains("gaussian"))
    let spread = try #require(files["spread-lag.svg"])
    let drawing = try #require(spread.range(of: "</style>\n"))
    #expect(files["report.html"]?.contains(spread[drawing.upperBound...]) == true)
  }

  @Test("Text without the list keeps the best; a limit that nothing meets says so")
  func short() throws {
    let (short, full) = (try markdown(isFull: false), try markdown(isFull: true))
    #expect(!short.contains("Every smoother") && full.contains("Every smoother"))
    #expect(short.contains("a note") && short.contains("| 5.0 % | none |"))
    #expect(full.count > short.count)
  }

  @Test("The screen fits 80 columns and says first what to do")
  func screen() throws {
    let made = envelope(try comparison(StagedContest.usual))
    let text = TextRenderer().render(made.result.screen(made.origin))
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(text)")
    #expect(lines.count <= 36)
    #expect(lines[0].hasPrefix("Debounce with `dwell"), "\(text)")
    for part in [
      "Measured on ", "wrong changes/min", "balanced", "plank, as it is",
      "● plank, debounced", "form, both", "Best trade", "--verbose",
      "planklab evaluate data --debounce dwell:enter=0.1s,switch=0.1s,exit=0.1s",
    ] {
      #expect(text.contains(part), "\(part)")
    }
    let full = MarkdownRenderer().render(made.result.document(made.origin, isFull: true))
    for part in [
      "On equal terms", "instead of as it is", "form: wrong changes/min", "| debounce |",
    ] {
      #expect(full.contains(part), "\(part)")
    }
  }

  @Test("A figure labels its recommendation and marks the points found by search")
  func figureMarks() throws {
    let files = Dictionary(
      uniqueKeysWithValues: try comparison().files().map { ($0.name, $0.text) })
    let figure = try #require(files["jitter-lag.svg"])
    #expect(figure.contains("ema:cutoff=5Hz") && figure.contains("least jitter plus lag"))
    #expect(!figure.contains("found by search") && !figure.contains("at the edge"))
  }
}
