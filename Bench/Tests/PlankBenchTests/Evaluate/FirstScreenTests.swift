import Evaluation
@_spi(Bench) import PoseModel
import Testing

@testable import PlankBench

@Suite("First screen of an evaluation")
struct FirstScreenTests {
  /// Ten frames per second; one letter per frame: n none, f forearm, h high, x to ignore.
  private func outcome(
    _ truth: String, _ answers: String, name: String = "one", subject: String? = "anna",
    isLabeled: Bool = true
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
      name: name, subject: subject, times: times,
      truth: isLabeled ? track.truth(at: times) : FrameTruth(count: times.count),
      plank: StreamOutcome(answers: answers.map { plank($0)?.code ?? 0 }),
      form: StreamOutcome(answers: answers.map { _ in 0 }), frameWeight: Seconds(0.1))
  }

  private func text(
    _ outcomes: [SequenceOutcome],
    explain: ExplainCommand? = ExplainCommand(
      places: ["one": ["data", "one"], "two": ["data", "two"]])
  ) -> String {
    let scores = outcomes.map(SequenceScores.init)
    var facts = EvaluationReport.Facts()
    facts.uncertainty = PerStream { StreamUncertainty(scores, $0, MetricKey.headlines($0)) }
    facts.explain = explain
    for outcome in outcomes {
      facts.flicker += AnswerFlicker(outcome, isMissing: outcome.times.map { _ in false })
    }
    let report = EvaluationReport(
      detector: DetectorFacts(
        name: "scripted", description: "Answers from a script.",
        parameters: [
          .init(key: "plank_frames", value: 1, unit: "frames", defaultValue: 1),
          .init(key: "form_frames", value: 3, unit: "frames", defaultValue: 1),
        ], debounceKeys: ["plank_frames", "form_frames"]),
      sequences: outcomes.map { SequenceEvaluation($0) }, facts)
    let envelope = ResultEnvelope(
      report,
      on: DatasetIdentity(
        name: "tests", hash: "00", posesHash: "01", labelsHash: "02", manifestHash: "03"),
      provenance: ["smoothing": "none", "debounce": "parameters"])
    return TextRenderer(width: FirstScreen.width).render(FirstScreen(envelope).document)
  }

  /// Two people of several mistakes each.
  private func twoPeople(name: String = "one") throws -> [SequenceOutcome] {
    [
      try outcome(
        "nnnnnnffffffffffhhhhhhhhhxxxffff", "nnnnnnffnfffffhhhhhhfhhhhhnnffnf", name: name),
      try outcome(
        "nnnnnnnnnnffffffffffhhhhhhhhhhhh", "nnhhhnnnnnfffnffffffhhhhhhhhhhfh", name: "two",
        subject: "ben"),
    ]
  }

  @Test("It has three moments on at most 25 lines of at most 80 columns")
  func size() throws {
    let lines = text(try twoPeople()).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count - 1 <= 25)
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines.count { $0.contains("planklab explain data") } == 3)
  }

  @Test("Long names cost moments, never lines; commands are broken as shells allow")
  func longNames() throws {
    let name = String(repeating: "recordings/", count: 6) + "one"
    let dataset = String(repeating: "datasets/", count: 7) + "studio"
    let command = ExplainCommand(
      places: [name: [dataset, name], "two": [dataset, "two"]],
      options: [["--detector", "article"], ["--set", "sag=3cm"], ["--smoothing", "ema"]])
    let screen = text(try twoPeople(name: name), explain: command)
    #expect(screen.count { $0 == "\n" } <= 25)
    let lines = screen.split(separator: "\n")
    #expect(lines.contains { $0.hasSuffix(" \\") })
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(screen)")
  }

  @Test("Classes are quoted, so that `none` is not read as a pronoun")
  func quotes() throws {
    let screen = text(try twoPeople())
    #expect(screen.contains("`none` -> `high` for 0.3 s"))
    #expect(!screen.contains(" none is "))
  }

  @Test("The debounce is what its parameters say")
  func debounce() throws {
    #expect(
      text(try twoPeople()).contains(
        "debounce: 1 frame (plank_frames), 3 frames (form_frames)"))
  }

  @Test("Intervals are in brackets for two people; for one, the report says that there are none")
  func intervals() throws {
    let two = text(try twoPeople())
    #expect(two.contains("Brackets: 95 % intervals."))
    #expect(two.contains(/accuracy 0\.\d{3} \(0\.\d{3} \.\.\. [01]\.\d{3}\)/))
    let one = text([try twoPeople()[0]])
    #expect(one.contains("No intervals") && !one.contains("Brackets") && !one.contains(" ... "))
  }

  @Test("A perfect score has brackets, and a sentence says what so few people allow")
  func perfect() throws {
    let people = try ["anna", "ben", "cem"].map {
      try outcome("nnnnhhhh", "nnnnhhhh", name: $0, subject: $0)
    }
    let screen = text(people).replacing(/\s+/, with: " ")
    #expect(screen.contains("Plank: accuracy 1.000 (0.368 ... 1.000), macro F1 1.000 (0.368"))
    #expect(
      screen.contains(
        "The same in every person: `plank.accuracy`, `plank.f1_macro`, `form.accuracy`. Up to 63 % "
          + "of all people may still be different, and the intervals allow for that."))
    #expect(text(try twoPeople()).contains("The same in every person: `form.accuracy`. Up to 78 %"))
  }

  @Test("Metrics of classes that nobody labeled are no headlines, and the classes are named")
  func unknownClasses() throws {
    let screen = text([try outcome("nnnnnn", "nnffnn")])
    #expect(screen.contains("Plank: accuracy 0.667."))
    #expect(!screen.contains("macro F1") && !screen.contains("balanced accuracy"))
    #expect(screen.contains("Never labeled: `forearm`, `high`"))
    #expect(screen.contains("Form: not labeled."))
  }

  @Test("Without labels it tells flicker, what was answered, and that accuracy takes labels")
  func unlabeled() throws {
    let still = String(repeating: "f", count: 40)
    let answers = still + "hf" + still
    let screen = text([try outcome(answers, answers, isLabeled: false)])
    #expect(screen.contains("None of them has a label."))
    #expect(screen.contains("the plank answer changes 14.6 times per minute"))
    #expect(screen.contains("`forearm` 8.1 s, `high` 0.1 s"))
    #expect(screen.contains("To see how often answers are right, make labels"))
    #expect(screen.contains("# 2 changes within 2 s\n  planklab explain data one --at 4\n"))
    #expect(!screen.contains("accuracy"))
  }

  @Test("Where answers were read, moments have no command")
  func predictions() throws {
    let screen = text(try twoPeople(), explain: nil)
    #expect(screen.contains("for 0.3 s: two at 0.3 s"))
    #expect(!screen.contains("planklab explain"))
  }

  @Test("A command quotes what a shell would take apart")
  func quoting() {
    let command = ExplainCommand(
      places: ["it's": ["my data", "it's"]], options: [["--set", "sag=3 cm"]])
    #expect(
      command.lines(sequence: "it's", time: Seconds(2.0 / 3)) == [
        "planklab explain 'my data' 'it'\\''s' --at 0.666667 --set 'sag=3 cm'"
      ])
  }

  @Test("Nothing is wrong where all is right, unless there is no evidence")
  func right() throws {
    #expect(
      text([try outcome("nnnnff", "nnnnff")]).contains(
        "Every scored frame has the right answer."))
  }
}

@Suite("Sections of an evaluation")
struct ReportSectionTests {
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
