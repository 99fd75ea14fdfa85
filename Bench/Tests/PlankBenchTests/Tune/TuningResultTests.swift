import ArgumentParser
import Evaluation
import Foundation
import ParameterTuning
@_spi(Bench) import PoseModel
import TestSupport
import Testing

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
    #expect(try TuningFigure(envelope).svg() == text("a.svg"))
    #expect(envelope.origin.dataset?.name == "scripted")
    #expect(envelope.result.streams.allSatisfy { !$0.worseFrames.isEmpty && $0.plateau != nil })
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
