import Evaluation
import Foundation
import PlankDetection
import PoseModel
import TestSupport
import Testing

@testable import PlankBench
@testable import Reports

@Suite("What to change next") struct NextStepsTests {
  private static let scripted = Repository.file("datasets/scripted").path

  private func evaluate(
    _ path: String = scripted, detector: String? = "gravity", set assignments: [String] = [],
    debounce: String? = nil, searches: Bool = true
  ) async throws -> EvaluationReport {
    let options =
      (detector.map { ["--detector", $0] } ?? [])
      + (debounce.map { ["--debounce", $0] } ?? [])
    let command = EvaluateCommand(data: [path], options: options, assignments: assignments)
    return try await DatasetEvaluation(
      of: DatasetCollection(opening: [path]),
      detector: BenchDetector(
        .init(detector: detector, assignments: assignments, debounce: debounce)),
      .init(parts: [.intervals, .slices, .next], next: searches ? command : nil),
      progress: { _, _, _ in }
    ).report
  }

  private func assignments(_ words: [String]) -> [String] {
    words.indices.filter { words[$0] == "--set" }.map { words[$0 + 1] }
  }

  @Test(
    "Every number after a fix is that of a new evaluation with its command",
    arguments: ["gravity", "coach", "article"], [nil, "dwell:enter=0.3s"])
  func equality(detector: String, debounce: String?) async throws {
    let report = try await evaluate(
      detector: detector, set: ["hold_seconds=0.6"], debounce: debounce)
    let next = try #require(report.next)
    for fix in next.fixes {
      let fresh = try await evaluate(
        detector: detector, set: assignments(fix.command), debounce: debounce, searches: false)
      for stream in AnswerStream.allCases {
        #expect(fix.right[stream]?.before == report[stream].view[.accuracy].number)
        #expect(fix.right[stream]?.after == fresh[stream].view[.accuracy].number)
      }
      let view = fresh[fix.stream].view
      #expect(fix.confusionSeconds.after == view.confusionSeconds)
      #expect(fix.confusionSeconds.before == report[fix.stream].view.confusionSeconds)
      #expect(fix.falseTransitionsPerMinute.after == view[.falseTransitionsPerMinute])
      #expect(fix.advice.step.takes && fix.asGood.contains(fix.to))
      let people = fresh[fix.stream].slices.full.filter { $0.key == .subject }
      #expect(fix.people.map(\.right.after) == people.compactMap { $0.view[.accuracy].number })
    }
    if let together = next.together {
      let fresh = try await evaluate(
        detector: detector, set: assignments(together.command), debounce: debounce,
        searches: false)
      #expect(together.right.plank?.after == fresh.plank.view[.accuracy].number)
      #expect(together.right.form?.after == fresh.form.view[.accuracy].number)
    }
  }

  @Test("The search changes nothing else of the result")
  func nothingElse() async throws {
    let (with, without) = (try await evaluate(), try await evaluate(searches: false))
    #expect(without.next == nil)
    #expect(with.plank == without.plank && with.form == without.form)
    #expect(with.metrics == without.metrics && with.sequences == without.sequences)
  }

  private func copy(
    _ people: [(recording: String, subject: String?)], plank: String? = nil,
    isLabeled: Bool = true
  ) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    var manifest = "name: copy\nsequences:\n"
    for (recording, subject) in people {
      let poses = try Repository.text("datasets/scripted/\(recording).poses.jsonl")
      try folder.write(
        poses.replacing(/"subject":"[^"]*",/, with: ""), to: "\(recording).poses.jsonl")
      manifest += "  - poses: \(recording).poses.jsonl\n"
      if isLabeled { manifest += "    labels: \(recording).labels.csv\n" }
      if let subject { manifest += "    subject: \(subject)\n" }
      guard isLabeled else { continue }
      let labels = try Repository.text("datasets/scripted/\(recording).labels.csv")
      try folder.write(
        plank.map { "start,end,plank,form\n0,9,\($0),aligned\n" } ?? labels,
        to: "\(recording).labels.csv")
    }
    try folder.write(manifest, to: "dataset.yaml")
    return folder
  }

  @Test("Where nobody can tell, nothing is proposed, and the reason is said")
  func thin() async throws {
    let lone = try copy([("s01-floor", "anna"), ("s02-sides", "ben")], plank: "high")
    let bare = try copy([("s01-floor", "anna"), ("s02-sides", "ben")], isLabeled: false)
    for (folder, finding) in [(lone, NextSteps.Finding.oneClass), (bare, .unlabeled)] {
      let next = try #require(try await evaluate(folder.path).next)
      #expect(next.findings.plank == finding)
      #expect(next.fixes.isEmpty && next.tried.isEmpty)
    }
    let all = NextSteps(
      fixes: [], findings: PerStream(plank: .oneClass, form: .nothingHelps), tried: ["sag"])
    #expect(all.sentence.text.contains("only one class is labeled"))
    #expect(all.sentence.text.contains("none gains half a point"))
  }

  @Test("Beside a fix, too, the way to a better rule is shown once")
  func pointer() async throws {
    let next = try #require(try await evaluate(detector: "coach").next)
    #expect(next.findings == PerStream(plank: .notAdvised, form: .helps) && next.rules == nil)
    let text = MarkdownRenderer().render(next.document)
    #expect(text.ranges(of: "looks for a rule that is missing").count == 1)
  }

  @Test("One person is judged like several, and proves nothing")
  func onePerson() async throws {
    let folder = try copy([("s01-floor", "anna")])
    let next = try #require(try await evaluate(folder.path).next)
    #expect(!next.tried.isEmpty)
    #expect(next.fixes.allSatisfy { $0.advice.people == 1 && !$0.advice.step.isProven })
  }

  @Test("Without names, fixes are those of the same recordings, and say so")
  func unnamed() async throws {
    let folder = try copy([("s01-floor", nil), ("s02-sides", nil), ("s04-pelvis", nil)])
    let fix = try #require(try await evaluate(folder.path).next?.lead)
    #expect(!fix.advice.named && !fix.advice.step.isProven)
    #expect(fix.advice.sentence.contains("from 3 recordings of unnamed people"))
  }

  @Test(
    "Values are read back to the last bit",
    arguments: ParameterCatalogue.definitions)
  func optionText(definition: ParameterDefinition) throws {
    for value in [definition.defaultValue, definition.range.lowerBound, 1] + [0.027, 0.285, 0.1]
    where definition.accepts(value) {
      #expect(try definition.parse(definition.optionText(value)) == value)
    }
  }

  @Test("A command replaces the values that it changes and quotes hostile words")
  func command() throws {
    let parameters = try BenchDetector(.init(detector: "gravity")).detector.parameters
    let words = try EvaluateCommand(
      data: ["my data;rm"], options: ["--detector", "it's.yaml"],
      assignments: ["sag=3cm", "pike=4cm"]
    ).words([.init(parameter: "sag", value: 0.025)], parameters)
    #expect(
      words == [
        "planklab", "evaluate", "my data;rm", "--detector", "it's.yaml", "--set", "pike=4cm",
        "--set", "sag=2.5cm",
      ])
    #expect(
      words.lines.joined(separator: " ").hasPrefix(
        "planklab evaluate 'my data;rm' --detector 'it'\\''s.yaml'"))
    #expect(throws: DetectorError.self) {
      try EvaluateCommand(data: [], options: [], assignments: []).words(
        [.init(parameter: "$(x)", value: 1)], parameters)
    }
  }
}
