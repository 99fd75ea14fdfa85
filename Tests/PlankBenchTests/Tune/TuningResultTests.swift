import ArgumentParser
import Evaluation
import Foundation
import PoseModel
import TestSupport
import Testing
import Tuning

@testable import PlankBench

/// What `tune` and `sweep` save, and what is made of it.
@Suite("Saved results of tuning")
struct TuningResultTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent(UUID().uuidString)
  private let experiment = Repository.file("experiments/first-steps").path

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }

  /// Expects the saved result to be read as it was written, and to give the page written with it.
  private func read<Result>(
    _ json: String, page: String, as kind: Result.Type
  ) throws -> ResultEnvelope<Result> {
    let envelope = try JSONDocument(json, file: "result.json")
      .decode(ResultEnvelope<Result>.self)
    #expect(envelope.json == json)
    let again = try JSONDocument(envelope.json, file: "again.json")
      .decode(ResultEnvelope<Result>.self)
    #expect(again == envelope)
    try ReportPage.write(
      [SavedResult(name: Result.command, envelope.page)], to: path("again.html"))
    #expect(try text("again.html") == text(page))
    return envelope
  }

  @Test("A saved recommendation gives the same text, page and picture")
  func tune() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let json = try await Tune.parse([
      experiment, "--format", "json", "--html", path("a.html"), "--picture", path("a.svg"),
    ]).outcome().text
    let envelope = try read(json, page: "a.html", as: TuningResult.self)
    let markdown = try await Tune.parse([experiment, "--format", "markdown"]).outcome().text
    #expect(MarkdownRenderer().render(envelope.document) == markdown)
    #expect(try TuningFigure(tuning: envelope).svg() == text("a.svg"))
    #expect(envelope.origin.dataset?.name == "scripted")
    #expect(envelope.result.streams.allSatisfy { !$0.worseFrames.isEmpty && $0.plateau != nil })
    // Where thresholds stand is in the evidence, unless they change nothing and keep the start.
    #expect(envelope.result.streams.map { $0.placements?.count } == [1, 2])
    #expect(markdown.contains(#"\`sag\`: halfway between the medians of \`sag\` -0.072 m and"#))
    #expect(!markdown.contains(#"\`elbow\_split\`: halfway"#))
  }

  @Test("The figure marks the recommended values, and what was found only if it is taken")
  func mark() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    for options in [[], ["--take", "plank", "--take", "form"]] {
      let json = try await Tune.parse([experiment, "--format", "json"] + options).outcome().text
      let result = try JSONDocument(json, file: "result.json")
        .decode(ResultEnvelope<TuningResult>.self).result
      for stream in result.streams {
        for profile in ObjectiveFigure(stream).profiles {
          let own = stream.parameters.first { $0.key == profile.line.parameter }
          #expect(profile.mark?.value == own?.value)
          #expect(profile.mark?.objective == stream.objective.recommended)
        }
      }
      let form = try #require(result.streams.last)
      #expect(form.parameters == form.found.parameters)
      #expect(form.start.parameters != form.found.parameters)
    }
  }

  @Test("A mark lies between two values of its axis, and is left out beyond its ends")
  func position() throws {
    let line = try JSONDecoder().decode(
      ObjectiveViews.Profile.self,
      from: Data(
        #"{"parameter":"sag","unit":"m","values":[1,2,4],"objective":[0,0,0],"chosen":0}"#.utf8))
    #expect([1, 1.5, 3, 4, 0.9, 4.1].map(line.position) == [0, 0.5, 1.5, 2, nil, nil])
  }

  @Test("Accuracies that only rounding tells apart are one row of what accuracy costs")
  func roundingCost() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let json = try await Tune.parse([experiment, "--format", "json"]).outcome().text
    var object = try #require(
      JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    var result = try #require(object["result"] as? [String: Any])
    var streams = try #require(result["streams"] as? [[String: Any]])
    var front = try #require(streams[1]["front"] as? [String: Any])
    var points = Array(try #require(front["points"] as? [[String: Any]]).prefix(2))
    for (index, values) in [(0.5063, 1.5), (0.5063 - 1e-16, 0.0)].enumerated() {
      points[index]["values"] = [
        "form.balanced_accuracy": values.0, "form.excess_transitions_per_minute": values.1,
        "form.detection_latency_p50_s": 0.1,
      ]
    }
    front["points"] = points
    streams[1]["front"] = front
    result["streams"] = streams
    object["result"] = result
    let text = String(
      decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
    let envelope = try JSONDocument(text, file: "result.json")
      .decode(ResultEnvelope<TuningResult>.self)
    let document = MarkdownRenderer().render(envelope.document)
    #expect(MarkdownRenderer().render(try saved(json).document).contains("What accuracy costs"))
    #expect(!document.contains("What accuracy costs"), "\(document)")
  }

  private func saved(_ json: String) throws -> ResultEnvelope<TuningResult> {
    try JSONDocument(json, file: "result.json").decode(ResultEnvelope<TuningResult>.self)
  }

  @Test("The experiment of the page on tuning is the one in the repository")
  func documentedExperiment() throws {
    let page = try String(contentsOf: Repository.file("docs/tuning.md"), encoding: .utf8)
    let file = try String(
      contentsOf: Repository.file("experiments/first-steps/experiment.yaml"), encoding: .utf8)
    #expect(page.contains("```yaml\n\(file)```"))
  }

  @Test("A saved sweep gives the same text and page")
  func sweep() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let json = try await Sweep.parse([
      experiment, "--store", path("a.sqlite"), "--format", "json", "--html", path("a.html"),
    ]).outcome().text
    let envelope = try read(json, page: "a.html", as: SweepSummary.self)
    let markdown = try await Sweep.parse([
      experiment, "--store", path("a.sqlite"), "--resume", "--format", "markdown",
    ]).outcome().text
    #expect(MarkdownRenderer().render(envelope.document) == markdown)
    let best = try #require(envelope.result.streams.first?.best.first)
    #expect(best.values[.init(.balancedAccuracy, in: .plank)]?.number != nil)
  }
}
