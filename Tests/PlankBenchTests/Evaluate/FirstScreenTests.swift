import Evaluation
import PoseModel
import Testing

@testable import PlankBench

@Suite("First screen of an evaluation")
struct FirstScreenTests {
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
    var facts = EvaluationReport.Facts()
    facts.uncertainty = PerStream { StreamUncertainty(scores, $0, MetricKey.headlines($0)) }
    facts.explain = explain
    facts.unmetNeeds = needs
    facts.otherDetectors = others
    facts.annotatorAgreement = agreement
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
      sequences: outcomes.map { SequenceEvaluation($0, detail: .report) }, facts)
    let envelope = ResultEnvelope(
      report,
      on: DatasetIdentity(
        name: "tests", hash: "00", posesHash: "01", labelsHash: "02", manifestHash: "03"),
      provenance: ["smoothing": "none", "debounce": "parameters"])
    return TextRenderer().render(FirstScreen(envelope).document)
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

  @Test("It begins with the verdict and the matrices, on 36 lines of 80 columns at most")
  func size() throws {
    let lines = text(try twoPeople()).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count - 1 <= 36)
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines[0].hasPrefix("scripted on tests: the plank is right 8"))
    #expect(lines[2].hasPrefix("  plank, s ") && lines[2].hasSuffix("recall"))
    #expect(lines.contains { $0.hasPrefix("  precision") })
    let screen = lines.joined(separator: " ")
    #expect(screen.contains("Weakest: `forearm` is taken for `none`"))
    #expect(screen.contains("See why:    planklab explain data one --at 0.8"))
  }

  @Test("Long names cost moments, never lines; commands are broken as shells allow")
  func longNames() throws {
    let name = String(repeating: "recordings/", count: 6) + "one"
    let dataset = String(repeating: "datasets/", count: 7) + "studio"
    let command = ExplainCommand(
      places: [name: [dataset, name], "two": [dataset, "two"]],
      options: [["--detector", "article"], ["--set", "sag=3cm"], ["--smoothing", "ema"]])
    let screen = text(try twoPeople(name: name), explain: command)
    #expect(screen.count { $0 == "\n" } <= 36)
    let lines = screen.split(separator: "\n")
    #expect(lines.contains { $0.hasSuffix(" \\") })
    #expect(lines.allSatisfy { $0.count <= 80 }, "\(screen)")
  }

  @Test("Classes are quoted, so that `none` is not read as a pronoun")
  func quotes() throws {
    let screen = text(try twoPeople())
    #expect(
      screen.contains("is taken for `none`") && screen.contains("Also wrong: `none` -> `high`"))
    #expect(!screen.contains(" none is "))
  }

  @Test("The debounce is what its parameters say")
  func debounce() throws {
    #expect(
      text([try outcome(Self.six, Self.six)]).contains(
        "debounce: 1 frame (plank_frames), 3 frames (form_frames)"))
  }

  @Test("Intervals are in brackets for two people; for one, the report says that there are none")
  func intervals() throws {
    let two = text(try twoPeople())
    #expect(two.contains("Brackets: 95 % intervals."))
    #expect(two.contains(/accuracy 0\.\d{3} \(0\.\d{3} \.\.\. [01]\.\d{3}\)/))
    let one = text([try outcome(Self.six, Self.six.replacing("nf", with: "ff"))])
    #expect(one.contains("No intervals: they need two or more people, and there is one."))
    #expect(!one.contains("Brackets") && !one.contains(" ... "))
    let unnamed = text([try outcome(Self.six, Self.six.replacing("f", with: "n"), subject: nil)])
    #expect(words(unnamed).contains("No intervals: no recording names its person"))
  }

  @Test("A perfect score has brackets, and a sentence says what so few people allow")
  func perfect() throws {
    let people = try ["anna", "ben", "cem"].map { (name: String) in
      let half = String(repeating: "n", count: 20) + String(repeating: "h", count: 20)
      return try outcome(half, half, name: name, subject: name)
    }
    let screen = text(people).replacing(/\s+/, with: " ")
    #expect(screen.contains("Plank: accuracy 1.000 (0.368 ... 1.000), macro F1 1.000 (0.368"))
    #expect(
      screen.contains(
        "The same in every person: `plank.accuracy`, `plank.f1_macro`, `form.accuracy`. Up to 63 % "
          + "of all people may still be different, and the intervals allow for that."))
    #expect(words(text(Array(people.prefix(2)))).contains("Up to 78 % of all people may still"))
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
        "Labeled: form only `aligned`. Accuracy is then its recall; nothing is known about other"),
      "\(planks)")
    #expect(screen.contains("Form: not labeled."))
    #expect(screen.contains("Timer: no plank is labeled; 0.20 s per session are counted"))
    #expect(words(text(try twoPeople())).contains("Never labeled: `sideLeft`, `sideRight`"))
  }

  @Test("Without labels it tells flicker, what was answered, and that accuracy takes labels")
  func unlabeled() throws {
    let still = String(repeating: "f", count: 40)
    let answers = still + "hf" + still
    let screen = text([try outcome(answers, answers, isLabeled: false)])
    #expect(screen.contains("none of them has a label"))
    #expect(screen.hasPrefix("scripted on tests: no frame has a label"))
    #expect(screen.contains("the plank answer changes 14.6 times per minute"))
    #expect(screen.contains("`forearm` 8.1 s, `high` 0.1 s"))
    #expect(words(screen).contains("make labels: planklab label data --html labels.html"))
    #expect(screen.contains("# 2 changes within 2 s\n  planklab explain data one --at 4\n"))
    #expect(!screen.contains("accuracy"))
  }

  @Test("Where answers were read, moments have no command")
  func predictions() throws {
    let screen = text(try twoPeople(), explain: nil)
    #expect(words(screen).contains("See one at 0.8 s."))
    #expect(!screen.contains("planklab"))
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

  @Test("Nothing is wrong where all is right, and intervals have a reason for not being there")
  func right() throws {
    let screen = words(text([try outcome(Self.six, Self.six)]))
    #expect(screen.hasPrefix("scripted on tests: all 40 scored frames are answered right."))
    #expect(screen.contains("Timer of any plank, per session: wrong by less than 0.01 s."))
    #expect(!screen.contains("rong:") && !screen.contains("Brackets"))
    let two = [
      try outcome(Self.six, Self.six), try outcome(Self.six, Self.six, name: "two", subject: "ben"),
    ]
    #expect(words(text(two)).contains("No interval"))
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
        "Always answering `none` would be right 96 % of the time. Weakest: `none` is taken for `forearm`"
      ), "\(screen)")
    #expect(!screen.contains("units"))
  }

  @Test("Counts of recordings have commas")
  func counts() throws {
    let many = try (0..<1000).map { try outcome("n", "n", name: "q\($0)") }
    #expect(words(text(many)).contains("1,000 frames in 1,000 recordings of 1 person:"))
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
    #expect(screen.contains("the rules for the plank could decide none of the 40 scored frames"))
    #expect(screen.contains("`leftWrist` is in no frame of the recording, and rules of `scripted`"))
    #expect(!screen.contains("accuracy") && !screen.contains("explain"))
  }

  @Test("A missing body height is named with what is taken for it and the rules that take it")
  func assumedHeight() throws {
    let need = UnmetNeed(
      .bodyHeight, of: ["supportDrop", "hipClearance"], rules: 3, recordings: 1)
    let screen = words(text([try outcome(Self.six, Self.six)], needs: [need]))
    #expect(
      screen.contains(
        "`body_height_m` is missing in the recording: 3 rules of `scripted` take Vision's 1.8 m "
          + "instead (`supportDrop`, `hipClearance`)."), "\(screen)")
  }

  @Test("No accuracy is printed from a handful of frames")
  func handful() throws {
    let few = String(Self.six.prefix(12))
    let screen = words(text([try outcome(few, few)]))
    #expect(screen.contains("too little to judge, because only 12 frames of 12 are scored"))
    #expect(screen.contains("Plank: no score, because only 12 frames are scored."), "\(screen)")
    #expect(!screen.contains("accuracy") && !screen.contains("%"), "\(screen)")
  }

  @Test("Two annotators bound what a perfect detector reaches, and nobody is accused")
  func annotators() throws {
    let one = try LabelTrack([
      LabeledSegment(start: Seconds(0), end: Seconds(10), plank: .high),
      LabeledSegment(start: Seconds(10), end: Seconds(20), plank: PlankClass.none),
    ])
    let other = try LabelTrack([
      LabeledSegment(start: Seconds(0), end: Seconds(12), plank: .high),
      LabeledSegment(start: Seconds(12), end: Seconds(20), plank: PlankClass.none),
    ])
    let agreement = LabelAgreement(
      first: one, second: other, times: (0..<20).map(Double.init), frameWeight: Seconds(1))
    let screen = words(text(try twoPeople(), agreement: agreement))
    #expect(
      screen.contains(
        "Two annotators, 20.0 s: kappa plank 0.800. If they err alike and independently, "
          + "a perfect detector reaches 0.89 (here 0."))
    #expect(!screen.contains("eiling") && !screen.contains("it is above"))
    let perfect = words(
      text([try outcome(Self.six, Self.six)], agreement: agreement))
    #expect(
      perfect.contains(
        "(here 1.000). At plank it is above: they share mistakes, or one makes more. Ask why."))
  }

  @Test("A mean over sources is not called a share of a number of planks")
  func latencyOverSources() throws {
    let one = words(text([try outcome(Self.six, Self.six)]))
    #expect(one.contains("Latency: 1 plank, 100.0 % answered, half within"), "\(one)")
    let several = words(
      text([
        try outcome(Self.six, Self.six, source: "home"),
        try outcome(Self.six, Self.six, name: "two", subject: "ben", source: "studio"),
      ]))
    #expect(
      several.contains("Latency: 2 planks, 100.0 % (mean of sources) answered"),
      "\(several)")
  }

  @Test("Without an observed start, the screen says why the latency is unknown")
  func hiddenStarts() throws {
    let screen = words(
      text([try outcome("xxxxx" + Self.six.suffix(30), "nnnnn" + Self.six.suffix(30))]))
    #expect(
      screen.contains(
        "Latency: 1 plank, 100.0 % answered, no start was observed"),
      "\(screen)")
  }

  @Test("Other detectors are named with both accuracies, and those that decide nothing by name")
  func others() throws {
    let first = try outcome(Self.six, String(repeating: "n", count: 40))
    let codes = PerStream { first.truth.codes($0) }
    func score(_ name: String, undetermined: UInt8) -> DetectorScore {
      let raw = undetermined == 0 ? codes.map { $0.map { _ in UInt8(0) } } : codes
      return DetectorScore(
        name: name,
        AccuracyTally(first, answers: codes, raw: raw, undetermined: undetermined))
    }
    let screen = words(
      text(
        [first], others: [score("coach", undetermined: 255), score("trunk", undetermined: 0)]))
    #expect(
      screen.contains(
        "Other detectors, accuracy of plank and form: `coach` 1.000 and 1.000. Undecided in most "
          + "frames: `trunk`."), "\(screen)")
    #expect(screen.contains("`coach` is right 100 % of the time"), "\(screen)")
  }

  /// Forty frames, three in four of them of a forearm plank.
  private static let six = String(repeating: "n", count: 10) + String(repeating: "f", count: 30)

  /// A text without its line breaks.
  private func words(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
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
