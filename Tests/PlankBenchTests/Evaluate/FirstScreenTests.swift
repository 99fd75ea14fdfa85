import Evaluation
import Foundation
import PoseModel
import TestSupport
import Testing

@testable import PlankBench
@testable import Reports

@Suite("First screen of an evaluation") struct FirstScreenTests {
  /// Ten frames per second; one letter per frame: n none, f forearm, h high, x to ignore.
  private func outcome(
    _ truth: String, _ answers: String, name: String = "one", subject: String? = "anna",
    source: String? = nil, isLabeled: Bool = true
  ) throws -> SequenceOutcome {
    let times = truth.indices.map { Double(truth.distance(from: truth.startIndex, to: $0)) / 10 }
    func plank(_ letter: Character) -> PlankClass? {
      switch letter {
      case "n": PlankClass.none
      case "f": .forearm
      case "h": .high
      default: nil
      }
    }
    let segments = zip(truth, times).map { letter, time in
      LabeledSegment(
        start: Seconds(time), end: Seconds(time + 0.1), plank: plank(letter),
        form: "fh".contains(letter) ? .aligned : nil)
    }
    let track = try LabelTrack(
      segments.enumerated().map { index, segment in
        var segment = segment
        if index + 1 < times.count { segment.end = Seconds(times[index + 1]) }
        return segment
      })
    return SequenceOutcome(
      name: name, subject: subject, source: source, times: times,
      truth: isLabeled ? track.truth(at: times) : FrameTruth(count: times.count),
      plank: StreamOutcome(answers: answers.map { plank($0)?.code ?? 0 }),
      form: StreamOutcome(answers: answers.map { _ in 0 }), frameWeight: Seconds(0.1))
  }

  private func text(
    _ outcomes: [SequenceOutcome],
    explain: ExplainCommand? = ExplainCommand(
      places: ["one": ["data", "one"], "two": ["data", "two"]]),
    needs: [UnmetNeed] = [], others: [DetectorScore] = [], agreement: LabelAgreement? = nil
  ) -> String {
    let scores = outcomes.map { SequenceScores($0) }
    var report = EvaluationReport(
      detector: DetectorFacts(
        name: "scripted", description: "Answers from a script.",
        parameters: [
          .init(key: "plank_frames", value: 1, unit: "frames", defaultValue: 1),
          .init(key: "form_frames", value: 3, unit: "frames", defaultValue: 1),
        ], debounceKeys: ["plank_frames", "form_frames"]),
      sequences: outcomes.map { SequenceEvaluation($0, detail: .report) },
      uncertainty: PerStream { StreamUncertainty(scores, $0, MetricKey.headlines($0)) })
    report.explain = explain
    report.unmetNeeds = needs
    report.otherDetectors = others
    report.annotatorAgreement = agreement
    for outcome in outcomes {
      report.flicker += AnswerFlicker(outcome, isMissing: outcome.times.map { _ in false })
    }
    let envelope = ResultEnvelope(
      report,
      on: DatasetIdentity(
        name: "tests", hash: "00", posesHash: "01", labelsHash: "02", manifestHash: "03"),
      provenance: ["smoothing": "none", "debounce": "parameters"])
    return TextRenderer().render(envelope.screen)
  }

  @Test("Metrics of classes that nobody labeled are no headlines, and the classes are named")
  func unknownClasses() throws {
    let still = String(repeating: "n", count: 40)
    let screen = words(text([try outcome(still + "nnnnnn", still + "nnffnn")]))
    #expect(screen.contains("Plank: accuracy 0.957."))
    #expect(!screen.contains("macro F1") && !screen.contains("balanced accuracy"))
    #expect(screen.contains("Only `none` is labeled, so missed planks cannot be counted"))
    let held = String(repeating: "f", count: 40)
    let planks = words(text([try outcome(held + "ffffff", held + "ffnnff")]))
    #expect(planks.contains("Only `forearm` is labeled, so false alarms cannot be counted"))
    #expect(
      planks.contains(
        "Labeled: only `aligned` for form. Accuracy therefore equals the recall of that class; nothing"
      ),
      "\(planks)")
    #expect(screen.contains("Form: not labeled."))
    #expect(
      screen.contains("Plank timer: no plank is labeled, but the timer counts 0.20 s per session"))
  }

  @Test("A few frames get no score")
  func tiny() throws {
    let screen = words(
      text([try outcome("f" + String(repeating: "x", count: 50), Self.six + Self.six.prefix(11))]))
    #expect(screen.hasPrefix("scripted on tests: too little to judge, because only 1 frame of 51"))
    #expect(screen.contains("Plank: no score, because only 1 frame is scored."))
  }

  @Test("A detector below a constant answer sends to units and axes")
  func belowConstant() throws {
    let screen = words(text([try outcome(Self.six, Self.six.replacing("f", with: "h"))]))
    #expect(screen.contains("less than always answering `forearm` (75 %)"))
    #expect(screen.contains("planklab dataset lint data"))
  }

  @Test("Units are not to blame where every class is found and one of them fills the time")
  func unequalClasses() throws {
    let still = String(repeating: "n", count: 80)
    let screen = words(
      text([try outcome(still + "nnnnnnnnffff", still + "ffffffffffff")]))
    #expect(
      screen.contains(
        "Always answering `none` would be right 96 % of the time. Worst error: `forearm` is predicted for"
      ), "\(screen)")
    #expect(!screen.contains("units"))
  }

  @Test("Where the rules decided nothing, there is no score, and what is missing is named")
  func undecided() throws {
    let first = try outcome(Self.six, Self.six)
    let blind = PerStream { stream in
      StreamOutcome(
        answers: first[stream].answers, isDetermined: first.times.map { _ in false },
        isHeld: first.times.map { _ in false })
    }
    let outcome = SequenceOutcome(
      name: "one", subject: "anna", times: first.times, truth: first.truth, plank: blind.plank,
      form: blind.form, frameWeight: Seconds(0.1))
    let need = UnmetNeed(.joint, joint: "leftWrist", of: ["elbowAngle"], rules: 3, recordings: 1)
    let screen = words(text([outcome], needs: [need]))
    #expect(screen.contains("the rules for plank could not decide any of the 40 scored frames"))
    #expect(
      screen.contains(
        "`leftWrist` is missing in all frames of the recording, but rules of `scripted`"))
    #expect(!screen.contains("accuracy") && !screen.contains("explain"))
  }

  @Test("The command of a page names all datasets, the split, and the tag of sources")
  func pageCommand() throws {
    let evaluations = try ["one", "two"].map {
      SequenceEvaluation(try outcome("ff", "ff", name: $0), detail: .report)
    }
    var report = EvaluationReport(
      detector: DetectorFacts(name: "scripted", description: ""), sequences: evaluations)
    let origin = ResultOrigin(
      command: EvaluationReport.command, data: .named("tests", split: "my test"),
      provenance: ["source_tag": "view"])
    #expect(report.page(origin).line == nil)
    report.explain = ExplainCommand(
      places: ["one": ["data", "one"], "two": ["more", "two"]],
      options: [["--detector", "gravity"]])
    #expect(
      report.page(origin).line
        == "planklab evaluate data more --split 'my test' --source-tag view --detector gravity")
  }

  private static let six = String(repeating: "n", count: 10) + String(repeating: "f", count: 30)

  /// A text without its line breaks.
  private func words(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}

@Suite("Jitter of an evaluation") struct EvaluatedJitterTests {
  @Test(
    "The hips' jitter on the first screen is that of the whole report",
    arguments: ["coach", "gravity"])
  func hips(detector: String) async throws {
    var found: [String] = []
    for parts in [EvaluationParts.quickJitter, .jitter] {
      let report = try await DatasetEvaluation(
        of: DatasetCollection(opening: [Repository.file("datasets/scripted").path]),
        detector: BenchDetector(.init(detector: detector)), .init(parts: parts),
        progress: { _, _, _ in }
      ).report
      let origin = ResultOrigin(command: EvaluationReport.command, provenance: [:])
      let verdict = EvaluationVerdict(report: report, origin: origin)
      let text = verdict.sentences.map(\.text).joined(separator: " ")
      found.append(String(try #require(text.firstMatch(of: /hips [0-9.]+ (cm|deg)/)).output.0))
    }
    #expect(found[0] == found[1])
  }
}

@Suite("Sections of an evaluation") struct ReportSectionTests {
  @Test("Names are read between commas, and all means every one")
  func names() throws {
    #expect(try ReportSection.list("matrix,stability") == [.matrix, .stability])
    #expect(try ReportSection.list("all") == ReportSection.allCases)
  }

  @Test("A name that is not known is refused with those that are", arguments: ["matrx", "", "a,"])
  func unknown(text: String) {
    let failure = #expect(throws: WorkflowFailure.self) { try ReportSection.list(text) }
    #expect(failure?.status == .usage)
    #expect(failure?.message.contains("stability") ?? false)
  }
}
