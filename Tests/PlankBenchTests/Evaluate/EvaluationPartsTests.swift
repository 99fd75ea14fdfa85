import Evaluation
import Foundation
import PlankDetection
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
    let bench = try BenchDetector(detector, smoothing: smoothing)
    return try await evaluate(parts, DatasetCollection(opening: [path]), bench).0
  }

  private static func evaluate(
    _ parts: EvaluationParts, _ datasets: DatasetCollection, _ bench: BenchDetector
  ) async throws -> (ResultEnvelope<EvaluationReport>, [SequenceOutcome]) {
    let command = EvaluateCommand(data: ["data"], options: [], assignments: [])
    let evaluation = try await DatasetEvaluation(
      of: datasets, detector: bench,
      .init(parts: parts, next: parts.looksForChanges ? command : nil), progress: { _, _, _ in })
    let identity = try datasets.identity { _, _, _ in }
    return (
      ResultEnvelope(evaluation.report, on: identity, provenance: [:]),
      evaluation.runs.map(\.outcome)
    )
  }

  /// The first screen after computing what it needs, and whether other detectors were counted for it.
  private static func screen(
    _ path: String, detector: String, _ parts: EvaluationParts = .screen
  ) async throws -> (text: String, countsOthers: Bool) {
    let datasets = try DatasetCollection(opening: [path])
    let bench = try BenchDetector(detector)
    let (envelope, outcomes) = try await evaluate(parts, datasets, bench)
    var countsOthers = false
    let screen = try await FirstScreen(envelope) {
      countsOthers = true
      return try await OtherDetectors(besides: bench.detector.definition)
        .scores(of: outcomes, datasets) { _, _, _ in }
    }
    return (text(screen.document), countsOthers)
  }

  /// Calls a body with the path of a copy of a recording beside which there are no labels.
  private static func withUnlabeled(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let copy = folder.appendingPathComponent("bare.poses.jsonl")
    let own = URL(fileURLWithPath: scripted + "/s01-floor.poses.jsonl")
    try FileManager.default.copyItem(at: own, to: copy)
    try await body(copy.path)
  }

  private static func text(_ document: Document) -> String { TextRenderer().render(document) }

  @Test(
    "A section says the same whether the other parts are computed or not",
    arguments: ["gravity", "coach"], [nil, "one-euro@joints+median:frames=3@measurements"])
  func sections(detector: String, smoothing: String?) async throws {
    let whole = try await Self.evaluate(
      .report.union(.movements), detector: detector, smoothing: smoothing)
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

  @Test("A report without details says what one with them says, but for these")
  func details() async throws {
    let plain = try await Self.evaluate(.report).result
    let detailed = try await Self.evaluate(.report.union(.details)).result
    for (left, right) in [(plain.plank, detailed.plank), (plain.form, detailed.form)] {
      #expect(left.details == nil && right.details != nil)
      #expect(left.view == right.view && left.overTime == right.overTime)
      #expect(left.endToEnd == right.endToEnd)
    }
    #expect(plain.metrics == detailed.metrics && plain.activities == detailed.activities)
  }

  @Test("The first screen shows the same as after computing everything")
  func screen() async throws {
    func check(_ path: String, _ detector: String, without parts: EvaluationParts = []) async throws
      -> Bool
    {
      let screen = try await Self.screen(path, detector: detector, .screen.subtracting(parts))
      let rest: EvaluationParts = .report.subtracting(parts.isEmpty ? [] : .next)
      let whole = FirstScreen(try await Self.evaluate(rest, path, detector: detector))
      #expect(screen.text == Self.text(whole.document))
      #expect(screen.countsOthers == screen.text.contains("Other detectors"))
      return screen.countsOthers
    }
    // Full, with room, and with an answer that leads to another detector.
    #expect(try await !check(Self.scripted, "coach"))
    #expect(try await check(Self.scripted + "/s05-clip.poses.jsonl", "gravity", without: .lead))
    #expect(try await check(Self.scripted, "profile"))
    try await Self.withUnlabeled { path in
      let countsOthers = try await check(path, "coach")
      #expect(!countsOthers)
    }
  }

  @Test("Jitter is computed only where it is shown")
  func jitter() async throws {
    #expect(try await Self.evaluate([]).result.jitter.rows.isEmpty)
    #expect(try await Self.evaluate(.screen).result.jitter.rows.isEmpty)
    let held = try await Self.evaluate(.jitter).result.jitter
    #expect(!held.rows.isEmpty && held.movementRows.isEmpty)
    let whole = try await Self.evaluate([.jitter, .movements]).result.jitter
    #expect(whole.rows == held.rows && !whole.movementRows.isEmpty)
    try await Self.withUnlabeled { path in
      let rows = try await Self.evaluate(.screen, path).result.jitter.rows
      #expect(!rows.isEmpty)
    }
  }

  @Test("Other detectors, intervals and next steps are computed only where they are shown")
  func others() async throws {
    let report = try await Self.evaluate([]).result
    #expect(report.otherDetectors.isEmpty && report.next == nil)
    #expect(report.plank.uncertainty == nil && report.form.uncertainty == nil)
    let screen = try await Self.evaluate(.screen).result
    #expect(screen.otherDetectors.isEmpty && screen.next != nil)
    #expect(screen.plank.uncertainty != nil)
  }

  @Test("The first screen looks only at the change that it names, which is the whole result's")
  func lead() async throws {
    let screen = try #require(
      try await Self.evaluate(.screen, detector: "gravity").result.next)
    let whole = try #require(try await Self.evaluate(.report, detector: "gravity").result.next)
    #expect(screen.fixes.count == 1 && whole.fixes.count > 1)
    #expect(screen.lead?.command == whole.lead?.command && screen.lead?.right == whole.lead?.right)
    #expect(screen.together == nil && screen.lead?.evidence == nil)
    #expect(screen.findings == whole.findings && screen.tried == whole.tried)
  }
}
