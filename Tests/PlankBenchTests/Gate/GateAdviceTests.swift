import ArgumentParser
import Foundation
import PoseDatasets
import PoseModel
import TestSupport
import Testing

@testable import Evaluation
@testable import PlankBench

@Suite("Advice of gates")
struct GateAdviceTests {
  /// A report on both streams, labeled and answered by six people whose answers change alike.
  private func envelope(
    _ findings: [GateFinding], plank: Double = 0, form: Double = 0
  ) throws -> ResultEnvelope<GateReport> {
    let track = try LabelTrack([
      LabeledSegment(start: Seconds(0), end: Seconds(1), plank: .high, form: .aligned)
    ])
    let times = [0, 0.1, 0.2]
    let scores = SequenceScores(
      SequenceOutcome(
        name: "anna-1", subject: "anna", times: times, truth: track.truth(at: times),
        plank: StreamOutcome(answers: [2, 2, 2]), form: StreamOutcome(answers: [0, 0, 0]),
        frameWeight: Seconds(0.1)))
    let sample = GateSample.envelope(findings)
    var report = sample.result
    report.sides = [ScoredSide(name: GateReport.candidateSide, scores: [scores])]
    report.advice = StreamAdvice { stream in
      let unit = PairedCounts.Unit(
        amounts: SIMD8(repeating: 10), before: SIMD8(repeating: 6),
        after: SIMD8(repeating: 6 + 10 * (stream == .plank ? plank : form)))
      return Advice(PairedCounts(Array(repeating: unit, count: 6)), settings: 1)
    }
    return ResultEnvelope(report, on: sample.origin.dataset, provenance: [:])
  }

  private func form(
    _ verdict: GateVerdict, severity: GateRule.Severity = .critical
  ) -> GateFinding {
    GateSample.finding(
      "form", verdict, severity: severity, key: MetricKey(.f1Macro, in: .form))
  }

  @Test("Merge never stands above a stream that loses, whatever its rules say")
  func lookFirst() throws {
    let planks = GateSample.finding("planks", .improved)
    func answer(_ findings: [GateFinding], form: Double = -0.35) throws -> String {
      let report = try envelope(findings, form: form).result
      #expect(report.status == .success)
      #expect(report.tone == (report.looksFirst ? .warning : .good))
      return report.answer
    }
    #expect(
      try answer([planks]) == "Look first: form fell by 35 points and no rule judges it")
    #expect(
      try answer([planks, form(.inconclusive)])
        == "Look first: form fell by 35 points and its rules cannot tell")
    #expect(
      try answer([planks, form(.regressed, severity: .warning)])
        == "Look first: form fell by 35 points and its rules only warn")
    #expect(
      try answer([planks, form(.pass)], form: -0.02)
        == "Look first: form fell by 2.0 points, which its rules allow")
    #expect(try answer([planks], form: -0.004).hasPrefix("Merge: planks is better"))
    #expect(try answer([planks], form: 0.2).hasPrefix("Merge: planks is better"))
  }

  @Test("The first line has the largest loss over all rules and streams")
  func largest() throws {
    let planks = GateSample.finding("planks", .regressed)
    var worse = GateSample.finding("sides", .regressed)
    worse.value = 0.5
    #expect(
      try envelope([planks, worse], form: -0.1).result.answer
        == "Do not merge: sides is worse by 40 points, and 1 more")
    #expect(
      try envelope([planks], form: -0.35).result.answer
        == "Do not merge: form fell by 35 points and no rule judges it, and 1 more")
    #expect(
      try envelope([form(.regressed)], form: -0.35).result.answer
        == "Do not merge: form is worse by 15 points")
    #expect(
      try envelope([planks], plank: -0.2, form: -0.1).result.answer
        == "Do not merge: planks is worse by 15 points")
  }

  @Test("Every face says the advice word for word, and names the stream that no rule judges")
  func faces() throws {
    let found = try envelope([GateSample.finding("planks", .pass)], form: -0.35)
    let sentence = try #require(found.result.advice?.form?.sentence)
    #expect(sentence.hasPrefix("Keep yours (proven): "))
    let line = "not judged by any rule: form. " + sentence
    #expect(
      found.result.judgements.map(\.text) == [
        "Plank: Either: both give the same answers.", line,
      ])
    let screen = TextRenderer().render(GateScreen(envelope: found).document)
    let words = screen.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains(line), "\(screen)")
    #expect(MarkdownRenderer().render(found.document).contains("not judged by any rule: form."))
    #expect(JUnitReport.render(found).contains("name=\"advice on form\" value=\"\(line)\""))
    #expect(
      GitHubSummary.annotations(found.result)
        == "::warning title=form fell by 35 points and no rule judges it::\(sentence)\n")
    let page = found.result.page(found.origin).html.text
    #expect(page.contains(sentence))
  }

  @Test("A labeled stream that no rule judges is named without a baseline, too")
  func noBaseline() throws {
    var report = try envelope([GateSample.finding("planks", .pass)]).result
    report.advice = nil
    #expect(report.judgements.map(\.text) == ["not judged by any rule: form."])
    #expect(report.answer.hasPrefix("Merge: every rule of gate.yaml holds"))
  }

  @Test("A rule that waits for labels says so, and is skipped in JUnit")
  func waits() throws {
    let rule = GateRule(name: "form", subject: .metric(MetricKey(.f1Macro, in: .form)))
    var finding = GateFinding(rule)
    finding.note(GateReason(.unlabeled))
    let envelope = GateSample.envelope([GateSample.finding("planks", .pass), finding])
    #expect(finding.verdictText == "not labeled yet")
    #expect(envelope.result.answer == "Merge: every rule of gate.yaml holds")
    let junit = JUnitReport.render(envelope)
    #expect(junit.contains("skipped=\"1\"") && junit.contains("<skipped message="))
    #expect(GateSample.report([finding]).answer == "Not judged: gate.yaml waits for labels")
  }

  @Test(
    "The advice of gate and of baseline update is that of both evaluations",
    arguments: [(["sag=9cm"], 0, 1), (["sag=9cm", "elbow_split=170deg"], 1, 1)])
  func same(assignments: [String], plank: Int, form: Int) async throws {
    let gate = try GateFolder()
    defer { gate.remove() }
    #expect(try await gate.update().sentences.isEmpty)
    try gate.write(set: assignments)
    let report = try await gate.report()
    let (before, after) = (try await gate.scores([]), try await gate.scores(assignments))
    for (stream, settings) in [(AnswerStream.plank, plank), (.form, form)] {
      let advice = try #require(Advice(PairedCounts(before, after, stream), settings: settings))
      #expect(report.advice?[stream] == advice)
    }
    let advice = try #require(report.advice)
    #expect(advice.form?.step.keeps == true)
    #expect(report.answer.hasPrefix("Look first: form fell by "))
    #expect(try await gate.update().sentences == advice.sentences)
    #expect(try await gate.report().advice?.all.map(\.step) == [.same, .same])
  }

  @Test("A baseline of other sequences gives no advice, but the reason")
  func otherSequences() async throws {
    let gate = try GateFolder()
    defer { gate.remove() }
    _ = try await gate.update()
    let text = try String(contentsOf: gate.baseline, encoding: .utf8)
    try text.replacing("s01-floor", with: "s09-floor")
      .write(to: gate.baseline, atomically: true, encoding: .utf8)
    let report = try await gate.report()
    let reason = "the baseline has no answers for the sequence s01-floor"
    #expect(report.advice == nil && report.result.obstacles == [reason])
    #expect(report.answer.hasPrefix("Not judged: "))
    let updated = try await gate.update()
    #expect(updated.sentences.isEmpty && updated.remarks.contains("note: no advice: \(reason)"))
    #expect(try await gate.report().result.obstacles.isEmpty)
  }
}

/// A gate on the scripted dataset whose only rule is about planks.
private struct GateFolder {
  private static let data = Repository.file("datasets/scripted").path
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent(UUID().uuidString)
  private var path: String { folder.appendingPathComponent("gate.yaml").path }
  var baseline: URL { folder.appendingPathComponent("baseline.json") }

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try write(set: [])
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  func write(set assignments: [String]) throws {
    try """
    dataset: \(Self.data)
    detector: gravity
    set: [\(assignments.joined(separator: ", "))]
    baseline: baseline.json
    rules: [{metric: plank.accuracy, at_least: 0}]

    """.write(toFile: path, atomically: true, encoding: .utf8)
  }

  func update() async throws -> (sentences: [String], remarks: [String]) {
    let outcome = try await BaselineUpdate.parse([path, "--reason", "a test"]).outcome()
    return (outcome.text.split(separator: "\n").dropFirst().map(String.init), outcome.remarks)
  }

  func report() async throws -> GateReport {
    let text = try await Gate.parse([path, "--format", "json"]).outcome().text
    return try JSONDocument(text, file: "gate.json").decode(ResultEnvelope<GateReport>.self).result
  }

  func scores(_ assignments: [String]) async throws -> [SequenceScores] {
    try await DatasetEvaluation(
      of: DatasetCollection(opening: [Self.data], split: nil),
      detector: BenchDetector("gravity", assignments: assignments), progress: { _, _, _ in }
    ).runs.map(\.evaluation.scores)
  }
}
