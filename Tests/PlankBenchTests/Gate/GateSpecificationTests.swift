import Evaluation
import PoseDatasets
import Testing

@testable import PlankBench

@Suite("Gate specification")
struct GateSpecificationTests {
  private static let complete = """
    dataset: ../sessions
    split: test
    parameters: ../thresholds.json
    set: [sag=3cm, pike=7cm]
    smoothing: none
    debounce: parameters
    baseline: baseline.json
    resamples: 500
    seed: 7
    rules:
      - metric: plank.f1_macro
        name: planks
        direction: higher
        at_least: 0.9
        largest_drop: 0.05
        margin: 0.01
        minimum_subjects: 3
        inconclusive: fail
      - metric: plank.recall
        class: high
        tag: {view: side}
        at_least: 0.8
        severity: warning
      - metric: plank.flickers_per_minute
        subject: anna
        at_most: 2
      - metric: timing.frame_cost_ratio
        largest_drop: 0.5
    """

  @Test("A file gives the candidate, and its rules in order")
  func complete() throws {
    let gate = try GateSpecification.parse(Self.complete, file: "gate.yaml")
    #expect(gate.dataset == "../sessions")
    #expect(gate.split == "test")
    #expect(gate.parameters == "../thresholds.json")
    #expect(gate.assignments == ["sag=3cm", "pike=7cm"])
    #expect((gate.smoothing, gate.debounce) == ("none", "parameters"))
    #expect((gate.baseline, gate.resamples, gate.seed) == ("baseline.json", 500, 7))
    #expect(gate.detector == nil && gate.predictions == nil)
    #expect(
      gate.rules.map(\.name) == [
        "planks", "plank.recall[high] of view side", "plank.flickers_per_minute of subject anna",
        "timing.frame_cost_ratio",
      ])
    let first = try #require(gate.rules.first)
    #expect((first.atLeast, first.atMost) == (0.9, nil))
    #expect((first.largestDrop, first.margin) == (0.05, 0.01))
    #expect((first.minimumSubjects, first.inconclusive) == (3, .fail))
    #expect(first.severity == .critical)
    #expect(gate.rules[1].severity == .warning)
    #expect(gate.rules[1].slice == .tag(key: "view", value: "side"))
    #expect(gate.rules[2].slice == .subject("anna"))
    #expect(gate.rules.map(\.higherIsBetter) == [true, true, false, false])
  }

  @Test("What is left out has defaults")
  func defaults() throws {
    let gate = try GateSpecification.parse(
      "dataset: d\nrules: [{metric: plank.accuracy, at_least: 0}]", file: "gate.yaml")
    #expect((gate.resamples, gate.seed, gate.baseline) == (10_000, 0, nil))
    let rule = try #require(gate.rules.first)
    #expect((rule.minimumSubjects, rule.inconclusive, rule.severity) == (0, .warn, .critical))
  }

  private static let mistakes = [
    Mistake(from: "dataset: ../sessions\n", to: "", line: 1, word: "dataset"),
    Mistake(from: "split:", to: "splitt:", line: 2, word: "split"),
    Mistake(from: "resamples: 500", to: "resamples: 99", line: 8, word: "100"),
    Mistake(from: "resamples: 500", to: "resamples: many", line: 8, word: "whole"),
    Mistake(from: "seed: 7", to: "seed: -7", line: 9, word: "seed"),
    Mistake(from: "set: [sag=3cm, pike=7cm]", to: "set: sag=3cm", line: 4, word: "list"),
    Mistake(from: "plank.f1_macro", to: "plank.f1_marco", line: 11, word: "docs/metrics.md"),
    Mistake(from: "plank.f1_macro", to: "plank.recall", line: 11, word: "brackets"),
    Mistake(from: "    class: high", to: "    class: tall", line: 19, word: "plank.recall[tall]"),
    Mistake(from: "name: planks", to: "nmae: planks", line: 12, word: "name"),
    Mistake(
      from: "direction: higher", to: "direction: lower", line: 13, word: "docs/metrics.md says"),
    Mistake(from: "direction: higher", to: "direction: up", line: 13, word: "higher"),
    Mistake(from: "at_least: 0.9", to: "at_least: .nan", line: 14, word: "number"),
    Mistake(from: "at_least: 0.9", to: "at_least: high", line: 14, word: "number"),
    Mistake(from: "largest_drop: 0.05", to: "largest_drop: -0.05", line: 15, word: "0 or more"),
    Mistake(from: "margin: 0.01", to: "margin: -1", line: 16, word: "0 or more"),
    Mistake(from: "margin: 0.01", to: "margin: 1", line: 16, word: "5 points are 0.05"),
    Mistake(from: "largest_drop: 0.05", to: "largest_drop: 5", line: 15, word: "less than 1"),
    Mistake(from: "minimum_subjects: 3", to: "minimum_subjects: -3", line: 17, word: "0"),
    Mistake(from: "minimum_subjects: 3", to: "minimum_subjects: 2.5", line: 17, word: "whole"),
    Mistake(from: "inconclusive: fail", to: "inconclusive: ignore", line: 18, word: "warn"),
    Mistake(from: "{view: side}", to: "side", line: 21, word: "map"),
    Mistake(from: "{view: side}", to: "{view: side, who: me}", line: 21, word: "{view: side}"),
    Mistake(from: "severity: warning", to: "severity: low", line: 23, word: "critical"),
    Mistake(
      from: "    tag: {view: side}", to: "    subject: anna\n    tag: {view: side}", line: 21,
      word: "a rule of its own"),
    Mistake(
      from: "    subject: anna\n    at_most: 2", to: "    subject: anna", line: 24,
      word: "at_least, at_most, largest_drop or margin"),
    Mistake(
      from: "largest_drop: 0.5\n", to: "margin: 0.5\n", line: 27, word: "remove margin"),
    Mistake(
      from: "timing.frame_cost_ratio\n", to: "timing.frame_cost_ratio\n    subject: anna\n",
      line: 27, word: "remove margin and slice"),
  ]

  @Test("Every mistake is an error with its line and a remedy", arguments: mistakes)
  func mistakeIsLocated(mistake: Mistake) {
    let error = mistake.expectError(in: Self.complete + "\n") {
      _ = try GateSpecification.parse($0, file: "gate.yaml")
    }
    #expect(error?.file == "gate.yaml")
    #expect(error?.remedy.isEmpty == false)
  }

  @Test("A rule may wait for labels of forms, which a rule about planks never does")
  func whenLabeled() throws {
    func rules(_ stream: String) throws -> [GateRule] {
      try GateSpecification.parse(
        "dataset: d\nrules: [{metric: \(stream).accuracy, at_least: 0, when_labeled: true}]",
        file: "gate.yaml"
      ).rules
    }
    #expect(try rules("form").map(\.whenLabeled) == [true])
    let error = #expect(throws: FieldError.self) { try rules("plank") }
    #expect(error?.remedy.contains("remove when_labeled") == true)
  }

  @Test("A gate without rules is refused", arguments: ["rules: []", "rules:", ""])
  func noRules(rules: String) {
    let error = #expect(throws: FieldError.self) {
      try GateSpecification.parse("dataset: d\n" + rules, file: "gate.yaml")
    }
    #expect(error?.description.contains("rule") == true, "\(error?.description ?? "")")
  }
}
