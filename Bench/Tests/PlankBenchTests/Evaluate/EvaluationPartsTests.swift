import Evaluation
import Foundation
import TestSupport
import Testing

@testable import PlankBench

@Suite("Parts of an evaluation that are computed for who sees them")
struct EvaluationPartsTests {
  private static let scripted = Repository.file("datasets/scripted").path

  private static func evaluate(
    _ parts: EvaluationParts, _ path: String = scripted, detector: String = "coach",
    smoothing: String? = nil
  ) async throws -> ResultEnvelope<EvaluationReport> {
    let command = EvaluateCommand(data: [path], options: [], assignments: [])
    let evaluation = try await DatasetEvaluation(
      of: DatasetCollection(opening: [path], progress: { _, _, _ in }),
      detector: BenchDetector(detector, smoothing: smoothing),
      .init(parts: parts, next: parts.contains(.next) ? command : nil), progress: { _, _, _ in })
    return ResultEnvelope(evaluation.report, on: evaluation.dataset, provenance: [:])
  }

  /// Calls a body with the path of a recording that has no labels beside it.
  private static func withUnlabeled<Result>(
    _ body: (String) async throws -> Result
  ) async throws -> Result {
    let files = FileManager.default
    let folder = files.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? files.removeItem(at: folder) }
    let copy = folder.appendingPathComponent("s01-floor.poses.jsonl").path
    try files.copyItem(atPath: scripted + "/s01-floor.poses.jsonl", toPath: copy)
    return try await body(copy)
  }

  private static func text(_ document: Document) -> String { TextRenderer().render(document) }

  @Test(
    "A section says the same whether the other parts are computed or not",
    arguments: ["gravity", "coach"], [nil, "one-euro@joints+median:frames=3@measurements"])
  func sections(detector: String, smoothing: String?) async throws {
    let whole = try await Self.evaluate(.all, detector: detector, smoothing: smoothing)
    // Measured times differ from run to run.
    let sections = ReportSection.allCases.filter { $0 != .timing }
    for parts in Set(sections.map(\.parts)) {
      let some = try await Self.evaluate(parts, detector: detector, smoothing: smoothing)
      for section in sections where section.parts == parts {
        let found = Self.text(some.result.document(of: [section], some.origin))
        #expect(found == Self.text(whole.result.document(of: [section], whole.origin)))
      }
    }
  }

  @Test("The first screen shows the same as after computing everything")
  func screen() async throws {
    func same(_ path: String) async throws {
      let screen = FirstScreen(try await Self.evaluate(.screen, path))
      let whole = FirstScreen(try await Self.evaluate(.all, path))
      #expect(Self.text(screen.document) == Self.text(whole.document))
    }
    try await same(Self.scripted)
    try await Self.withUnlabeled(same)
  }

  @Test("Jitter is computed only where it is shown")
  func jitter() async throws {
    #expect(try await Self.evaluate([]).result.jitter.rows.isEmpty)
    #expect(try await Self.evaluate(.screen).result.jitter.rows.isEmpty)
    #expect(try await !Self.evaluate(.jitter).result.jitter.rows.isEmpty)
    try await Self.withUnlabeled { path in
      let report = try await Self.evaluate(.screen, path).result
      #expect(report.isUnlabeled && !report.jitter.rows.isEmpty)
    }
  }

  @Test("Other detectors, intervals and next steps are computed only where they are shown")
  func others() async throws {
    let report = try await Self.evaluate([]).result
    #expect(report.otherDetectors.isEmpty && report.next == nil)
    #expect(report.plank.uncertainty == nil && report.form.uncertainty == nil)
    let screen = try await Self.evaluate(.screen).result
    #expect(!screen.otherDetectors.isEmpty && screen.next != nil)
    #expect(screen.plank.uncertainty != nil)
  }
}
