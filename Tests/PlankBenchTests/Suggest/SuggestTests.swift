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

  @Test("The first line says what to do, and a loss comes before the gain")
  func screen() throws {
    let text = Self.text(of: Self.result(.sure))
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.first?.hasPrefix("Insert the rule `none if elbowAngle < 127deg`") == true)
    #expect(lines.allSatisfy { $0.count <= 80 })
    let loss = try #require(text.firstRange(of: "Lowers the recall of `high` in studio"))
    let gain = try #require(text.firstRange(of: "Well supported: Balanced"))
    #expect(loss.lowerBound < gain.lowerBound)
    let line = text.split(separator: "\n").map { $0.trimmingPrefix(while: \.isWhitespace) }
      .joined(separator: " ")
    #expect(line.contains("without `clips` the same search finds a change that costs 0.14 there."))
    #expect(line.contains("0.945 -> 0.953 (change +0.008, standard error 0.003)"))
    #expect(line.contains("Any limit of `elbowAngle` from 120 deg to 134 deg"))
    #expect(line.contains("With your smoothing and debounce, on all people: 0.950 -> 0.942."))
    #expect(line.contains("not tried on held-out people: Drop the rule `none if x`."))
    #expect(line.contains("planklab suggest 'my data' --patch coach-suggested.yaml"))
  }

  @Test("Several changes are one answer, with the score of all of them")
  func several() {
    var result = Self.result(.sure)
    result.edits.append(result.edits[0])
    result.path.append(
      PathScore(edits: 2, seen: 0.97, leftOut: 0.961, standardError: 0.004, sourceLeftOut: 0.95))
    result.made = 2
    let lines = Self.text(of: result).split(separator: "\n").joined(separator: " ")
    #expect(
      lines.hasPrefix(
        "Make these 2 changes: the balanced accuracy rises from 0.945 to 0.961 on held-out people "
          + "(standard error 0.004)."))
    #expect(lines.contains("2. Insert the rule `none if elbowAngle < 127deg` before `none if x`"))
  }

  @Test("An evaluation says what the search found, or where to look")
  func pointer() {
    var next = NextSteps(
      fixes: [], findings: PerStream(plank: .nothingHelps, form: .unlabeled), tried: ["sag"])
    #expect(next.reasons.joined().contains("`planklab suggest` looks for a rule"))
    #expect(next.ruleCommand.isEmpty && next.ruleChange == nil)
    next.rules = Self.result(.unconfirmed)
    #expect(next.ruleSentence.contains("no change of the plank rules that is shown"))
    #expect(!next.reasons.joined().contains("`planklab suggest` looks"))
    #expect(next.ruleCommand == ["planklab", "suggest", "my data", "--verbose"])
    next.rules = Self.result(.sure)
    #expect(
      next.ruleSentence.contains(
        "rules: Insert the rule `none if elbowAngle < 127deg` before `none if x`"))
    #expect(next.ruleCommand.suffix(2) == ["--patch", "coach-suggested.yaml"])
    let cards = FixCards(next: next).rules.text
    #expect(cards.contains("Or change the plank rules") && cards.contains("95.3"))
  }

  @Test(
    "What is not suggested says why",
    arguments: [
      (
        SuggestedEdit.Verdict.unconfirmed,
        "Keep `coach`: no change is shown to help held-out people."
      ),
      (.onePerson, "Keep `coach`: the best change helps only one person."),
      (.tooFewPeople, "Record 7 more people"),
    ])
  func refusals(verdict: SuggestedEdit.Verdict, start: String) {
    let text = Self.text(of: Self.result(verdict)).split(separator: "\n").joined(separator: " ")
    #expect(text.hasPrefix(start), "\(text)")
  }

  @Test("A saved result is shown again as it was")
  func saved() throws {
    let envelope = ResultEnvelope(Self.result(.sure), on: nil, provenance: [:])
    let read = try JSONDocument(envelope.json, file: "s.json")
      .decode(ResultEnvelope<SuggestionResult>.self)
    #expect(read == envelope)
    #expect(read.page == envelope.page)
  }

  private static func text(of result: SuggestionResult) -> String {
    TextRenderer().render(SuggestionScreen(result).document)
  }

  private static func result(_ verdict: SuggestedEdit.Verdict) -> SuggestionResult {
    let edit = SuggestedEdit(
      edit: .insert(
        position: 0, label: "none", conditions: [EditCondition("elbowAngle", below: true, 127)]),
      rules: ["none if x", "forearm otherwise"],
      thresholds: [
        SuggestedEdit.Threshold(
          name: "elbowAngle", unit: "deg", before: nil, value: 127, lower: 120, upper: 134)
      ], verdict: verdict, tried: 110_000_000, seen: ScoreChange(before: 0.945, after: 0.958),
      leftOut: verdict == .tooFewPeople ? nil : ScoreChange(before: 0.945, after: 0.953),
      standardError: verdict == .tooFewPeople ? nil : 0.003, sameChoices: 7,
      mended: [
        AnswerChange(truth: "none", before: "high", after: "none", worth: 0.01, seconds: 40)
      ], people: [PeopleChange(source: "films", better: 3, worse: 1, count: 10)],
      lost: [ClassLoss(source: "studio", label: "high", before: 0.9, after: 0.85)],
      withoutSource: [SourceChange(source: "clips", change: -0.14)],
      debounced: ScoreChange(before: 0.95, after: 0.942),
      alternatives: [
        AlternativeEdit(
          edit: .dropRule(rule: 0), thresholds: [], seen: ScoreChange(before: 0.945, after: 0.957),
          debounced: ScoreChange(before: 0.95, after: 0.951))
      ])
    return SuggestionResult(
      stream: .plank, detector: "coach", people: verdict == .tooFewPeople ? 5 : 20, frames: 1000,
      sources: ["films", "clips"],
      harm: 1, folds: 10,
      path: [
        PathScore(
          edits: 0, seen: 0.945, leftOut: edit.leftOut?.before, standardError: nil,
          sourceLeftOut: 0.94),
        PathScore(
          edits: 1, seen: 0.958, leftOut: edit.leftOut?.after, standardError: edit.standardError,
          sourceLeftOut: 0.93),
      ], made: verdict == .sure ? 1 : 0, edits: [edit], remaining: [],
      commands: ResultCommands(again: ["suggest", "my data"], data: ["my data"]))
  }
}
