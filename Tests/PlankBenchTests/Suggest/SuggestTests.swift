import PlankDetection
import PoseModel
import Testing

@testable import Evaluation
@testable import PlankBench
@testable import Tuning

/// Patches that are read back, and the words for what was found.
@Suite("Suggested changes")
struct SuggestTests {
  @Test("A detector that is written is read back", arguments: DetectorDefinition.builtIn)
  func roundTrip(detector: DetectorDefinition) throws {
    let text = DetectorYAML.text(detector, comments: ["two\nlines"])
    #expect(try DetectorSpecification.parse(text, file: "patch.yaml") == detector)
  }

  @Test("An edited detector is read back with its new numbers and measurements")
  func editedRoundTrip() throws {
    let reach = try Measurement("reach", "distance(wrists, shoulders) / bodyHeight")
    let twice = try Measurement("twice", "2 * reach", using: [reach])
    let edits: [RuleEdit] = [
      .move(parameter: "coach_knee_angle", value: 127.5), .dropRule(rule: 2), .swap(rule: 0),
      .insert(
        position: 1, label: "none",
        conditions: [
          EditCondition("twice", below: true, 0.6), EditCondition("elbowAngle", below: false, 127),
        ]),
      .narrow(rule: 1, condition: EditCondition("twice", below: false, -0.25)),
    ]
    var detector = DetectorDefinition.coach
    for edit in edits {
      detector = try detector.applying(edit, to: .plank, candidates: [reach, twice])
    }
    #expect(detector.name == "coach-suggested")
    #expect(detector.expressions.map(\.name).suffix(2) == ["reach", "twice"])
    #expect(detector.defaults[ParameterKey("suggested_twice_2")] == -0.25)
    #expect(
      detector.plank.sentences[1]
        == "none if twice < suggested_twice and elbowAngle > suggested_elbow_angle and twice > "
        + "suggested_twice_2")
    let text = DetectorYAML.text(detector)
    #expect(try DetectorSpecification.parse(text, file: "patch.yaml") == detector)
  }

  @Test("The first line says what to do and how sure that is, and a loss comes before the gain")
  func screen() throws {
    let found = Self.result(gain: 0.5)
    let text = Self.text(of: Self.report([found]))
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.first?.hasPrefix("Plank rules: Insert the rule `none if elbowAngle") == true)
    #expect(lines.allSatisfy { $0.count <= 80 })
    let loss = try #require(text.firstRange(of: "Lowers the recall of `high` in studio"))
    let gain = try #require(text.firstRange(of: "Mends "))
    #expect(loss.lowerBound < gain.lowerBound)
    let line = Self.line(text)
    #expect(line.contains(try #require(found.advice).sentence))
    #expect(line.contains("without `clips` the same search finds a change that costs 0.14 there."))
    #expect(line.contains("Any limit of `elbowAngle` from 120 deg to 134 deg"))
    #expect(line.contains("Instead, not judged: Drop the rule `none if x`."))
    #expect(line.contains("planklab suggest 'my data' --patch coach-suggested.yaml"))
  }

  @Test("Several changes are one answer, with the judgement of all of them")
  func several() throws {
    var found = Self.result(gain: 0.5)
    found.edits.append(found.edits[0])
    found.made = 2
    let line = Self.line(Self.text(of: Self.report([found])))
    #expect(
      line.hasPrefix("Plank rules: Make 2 changes. " + (try #require(found.advice).sentence)))
    #expect(line.contains("2. Insert the rule `none if elbowAngle < 127deg` before `none if x`"))
  }

  @Test("An evaluation says what the search found, or where to look")
  func pointer() throws {
    var next = NextSteps(
      fixes: [], findings: PerStream(plank: .nothingHelps, form: .unlabeled), tried: ["sag"])
    #expect(next.reasons.joined().contains("`planklab suggest` looks for a rule"))
    #expect(next.ruleCommand.isEmpty && next.ruleChanges.isEmpty)
    next.rules = Self.report([Self.result(gain: -0.5)])
    #expect(next.ruleSentence.contains("no change of the plank rules to advise"))
    #expect(!next.reasons.joined().contains("`planklab suggest` looks"))
    #expect(next.ruleCommand == ["planklab", "suggest", "my data", "--verbose"])
    let found = Self.result(gain: 0.5)
    next.rules = Self.report([found])
    #expect(
      next.ruleSentence.contains(
        "rules: Insert the rule `none if elbowAngle < 127deg` before `none if x`"))
    #expect(next.ruleCommand.suffix(2) == ["--patch", "coach-suggested.yaml"])
    let cards = FixCards(next: next).rules.text
    #expect(cards.contains("Or change the rules"))
    #expect(cards.contains(HTML.prose(try #require(found.advice).sentence).text))
  }

  @Test("What is not advised is named with its judgement; without a gain, the detector is kept")
  func refusals() throws {
    let found = Self.result(gain: -0.5)
    #expect(
      Self.line(Self.text(of: Self.report([found]))).hasPrefix(
        "Plank rules: best found: Insert the rule `none if elbowAngle < 127deg` before "
          + "`none if x`. " + (try #require(found.advice).sentence)))
    var nothing = found
    nothing.edits = []
    #expect(
      Self.line(Self.text(of: Self.report([nothing]))).hasPrefix(
        "Plank rules: Keep `coach`: no single change makes it better."))
  }

  @Test("Every stream has its result, and one that is not searched says why")
  func streams() {
    var form = Self.result(gain: 0.5)
    form.stream = .form
    let both = Self.report([Self.result(gain: -0.5), form])
    #expect(both.made == 1 && both.advice.form == form.advice && both.advice.plank != nil)
    let one = SuggestionReport(
      detector: "coach", streams: [form], unsearched: [.init(.plank, .oneClass)])
    #expect(
      Self.line(Self.text(of: one)).contains(
        "Plank rules: not searched; one class of plank is labeled; label the others."))
    #expect(one.advice.plank == nil)
  }

  @Test("A saved result is shown again as it was")
  func saved() throws {
    let envelope = ResultEnvelope(
      Self.report([Self.result(gain: 0.5)]), on: nil, provenance: [:])
    let read = try JSONDocument(envelope.json, file: "s.json")
      .decode(ResultEnvelope<SuggestionReport>.self)
    #expect(read == envelope)
    #expect(read.page == envelope.page)
  }

  private static func text(of report: SuggestionReport) -> String {
    TextRenderer().render(SuggestionScreen(report).document)
  }

  private static func line(_ text: String) -> String {
    text.split(separator: "\n").map { $0.trimmingPrefix(while: \.isWhitespace) }
      .joined(separator: " ")
  }

  private static func report(_ found: [SuggestionResult]) -> SuggestionReport {
    var report = SuggestionReport(detector: "coach", streams: found)
    report.commands = ResultCommands(again: ["suggest", "my data"], data: ["my data"])
    return report
  }

  /// One edit, which so much of a class gains by in each of twenty people.
  private static func result(gain: Double) -> SuggestionResult {
    let counts = PairedCounts(
      (1...20).map { person in
        let seconds = 10 + Double(person) / 10
        return PairedCounts.Unit(
          amounts: SIMD8(seconds, 0, 0, 0, 0, 0, 0, 0),
          before: SIMD8(seconds / 2, 0, 0, 0, 0, 0, 0, 0),
          after: SIMD8(seconds * (1 + gain) / 2, 0, 0, 0, 0, 0, 0, 0))
      })
    let edit = SuggestedEdit(
      edit: .insert(
        position: 0, label: "none", conditions: [EditCondition("elbowAngle", below: true, 127)]),
      rules: ["none if x", "forearm otherwise"],
      thresholds: [
        SuggestedEdit.Threshold(
          name: "elbowAngle", unit: "deg", before: nil, value: 127, lower: 120, upper: 134)
      ], advice: Advice(counts, settings: 1), tried: 110_000_000,
      seen: ScoreChange(before: 0.945, after: 0.958), sameChoices: 7,
      mended: [
        AnswerChange(truth: "none", before: "high", after: "none", worth: 0.01, seconds: 40)
      ], people: [PeopleChange(source: "films", better: 3, worse: 1, count: 10)],
      lost: [ClassLoss(source: "studio", label: "high", before: 0.9, after: 0.85)],
      withoutSource: [SourceChange(source: "clips", change: -0.14)],
      alternatives: [
        AlternativeEdit(
          edit: .dropRule(rule: 0), thresholds: [], seen: ScoreChange(before: 0.945, after: 0.957))
      ])
    return SuggestionResult(
      stream: .plank, people: 20, frames: 1000, sources: ["films", "clips"], harm: 1, folds: 10,
      path: [
        PathScore(
          edits: 0, seen: 0.945, leftOut: 0.945, standardError: nil, sourceLeftOut: 0.94),
        PathScore(
          edits: 1, seen: 0.958, leftOut: 0.953, standardError: 0.003, sourceLeftOut: 0.93),
      ], made: gain > 0 ? 1 : 0, edits: [edit], remaining: [])
  }
}
