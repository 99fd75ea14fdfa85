import Evaluation
import PlankDetection
import PoseDatasets
import Statistics
import Testing

@testable import PlankBench

@Suite("Gate specification") struct GateSpecificationTests {
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
    #expect(gate.answers.parameters == "../thresholds.json")
    #expect(gate.answers.assignments == ["sag=3cm", "pike=7cm"])
    #expect((gate.answers.smoothing, gate.answers.debounce) == ("none", "parameters"))
    #expect((gate.baseline, gate.resamples, gate.seed) == ("baseline.json", 500, 7))
    #expect(gate.answers.detector == nil && gate.predictions == nil)
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
      word: "a separate rule"),
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

@Suite("The file of a baseline") struct BaselineFileTests {
  private static let complete = """
    {
      "format": "planklab-baseline",
      "schema_version": 2,
      "reason": "a test",
      "subjects": 2,
      "frame_cost_ratio": 1.5,
      "dataset": {"name": "d", "hash": "00", "poses_hash": "01", "labels_hash": "02", "manifest_hash": "03", "split": null, "parts": []},
      "origin": {"date": "2026-01-02T03:04:05Z", "program": "planklab"},
      "thresholds": {"format": "planklab-thresholds", "schema_version": 1, "detector": "gravity",
        "parameters": {"sag": 0.04}},
      "metrics": [
        {"metric": "plank.accuracy", "value": 0.9, "interval": {"method": "cluster_t", "level": 0.95, "lower": 0.8, "upper": 1, "subjects": 2}},
        {"metric": "plank.recall[high]", "value": null, "interval": null}
      ],
      "sequences": [
        {"name": "a", "plank": "none*3 high*5", "form": "aligned?*8"}
      ]
    }
    """

  @Test("A file gives what was kept")
  func complete() throws {
    let baseline = try Baseline.parse(Self.complete, file: "b.json")
    #expect((baseline.reason, baseline.subjects) == ("a test", 2))
    #expect(baseline.frameCostRatio == 1.5)
    #expect(baseline.dataset.labelsHash == "02" && baseline.dataset.split == nil)
    #expect(
      baseline.origin
        == Baseline.Origin(
          date: "2026-01-02T03:04:05Z", program: "planklab", commit: nil, isDirty: nil))
    #expect(baseline.thresholds?.parameters[.sag] == 0.04)
    #expect(
      baseline.metrics == [
        Baseline.Line(
          key: try MetricKey("plank.accuracy"), value: 0.9,
          interval: Interval(method: .clusterT, level: 0.95, lower: 0.8, upper: 1, clusters: 2)),
        Baseline.Line(key: try MetricKey("plank.recall[high]"), value: nil),
      ])
    #expect(baseline.sequences.map(\.name) == ["a"])
    #expect(baseline.sequences.first?.form.text == "aligned?*8")
  }

  @Test("A file reads back as it was, and has a metric or a sequence per line")
  func roundTrip() throws {
    let baseline = try Baseline.parse(Self.complete, file: "b.json")
    #expect(try Baseline.parse(baseline.text, file: "b.json") == baseline)
    let lines = baseline.text.split(separator: "\n")
    #expect(lines.count { $0.contains("\"metric\"") } == 2)
    #expect(lines.contains { $0.contains("{\"form\":\"aligned?*8\",\"name\":\"a\"") })
  }

  @Test("A file of an older version is refused with the command that writes it again")
  func older() {
    let text = #"{"format": "planklab-baseline", "schema_version": 1, "facts": {}}"#
    let error = #expect(throws: FieldError.self) { try Baseline.parse(text, file: "b.json") }
    #expect(
      error?.remedy == "write the baseline again with `planklab baseline update --reason TEXT`")
  }

  private static let mistakes = [
    Mistake(from: "planklab-baseline", to: "planklab-thresholds", line: 2, word: "planklab-base"),
    Mistake(from: "\"schema_version\": 2", to: "\"schema_version\": 1", line: 3, word: "again"),
    Mistake(from: "\"reason\"", to: "\"raison\"", line: 1, word: "add `reason`"),
    Mistake(from: "\"subjects\": 2,", to: "\"subjects\": two,", line: 5, word: "`two`"),
    Mistake(from: "\"subjects\": 2,", to: "\"subjects\": 2.5,", line: 5, word: "whole"),
    Mistake(from: "\"subjects\": 2,", to: "\"subjects\": 2 ", line: 6, word: "comma"),
    Mistake(from: "1.5", to: "nan", line: 6, word: "number"),
    Mistake(from: "1.5", to: "1e999", line: 6, word: "number"),
    Mistake(from: "1.5,", to: "1.5, \"subjects\": 2,", line: 6, word: "`subjects` more than once"),
    Mistake(from: "1.5,", to: "1.5, \"facts\": {},", line: 6, word: "the key `facts`"),
    Mistake(from: "\"poses_hash\": \"01\", ", to: "", line: 7, word: "poses_hash"),
    Mistake(from: "\"sag\": 0.04", to: "\"sag\": 4", line: 10, word: "`thresholds.parameters.sag`"),
    Mistake(from: "plank.accuracy", to: "plank.luck", line: 12, word: "again"),
    Mistake(from: "\"value\": 0.9", to: "\"value\": \"good\"", line: 12, word: "number"),
    Mistake(from: "\"lower\": 0.8", to: "\"lower\": 1.8", line: 12, word: "order"),
    Mistake(from: "cluster_t", to: "guess", line: 12, word: "bca"),
    Mistake(
      from: "null, \"interval\": null}", to: "null, \"interval\": null},", line: 14, word: "`]`"),
    Mistake(from: "\"form\": \"aligned?*8\"", to: "\"from\": 1", line: 16, word: "form"),
  ]

  @Test("Every mistake is an error with its line and a remedy", arguments: mistakes)
  func mistakeIsLocated(mistake: Mistake) {
    mistake.expectError(in: Self.complete) {
      _ = try Baseline.parse($0, file: "b.json")
    }
  }
}

@Suite("Baseline") struct BaselineTests {
  private static let dataset = Evaluation.DatasetIdentity(
    name: "tests", hash: "00", posesHash: "01", labelsHash: "02", manifestHash: "03")

  private func obstacles(_ change: (inout Evaluation.DatasetIdentity) -> Void) -> [String] {
    var other = Self.dataset
    change(&other)
    return Baseline(
      reason: "a test", origin: Baseline.Origin(date: "", program: ""), dataset: Self.dataset,
      subjects: 0, frameCostRatio: nil, metrics: [], sequences: []
    ).obstacles(to: other)
  }

  @Test("The same data is no obstacle; a name is not data")
  func same() {
    #expect(obstacles { _ in } == [])
    #expect(obstacles { $0 = identity(name: "renamed") } == [])
  }

  @Test("Differences of poses, labels, manifest and split are reported separately")
  func apart() {
    #expect(
      obstacles { $0 = identity(poses: "x") }
        == ["the poses differ from the baseline's because recordings were changed"])
    #expect(
      obstacles { $0 = identity(labels: "x") }
        == ["the labels have changed since the baseline was written"])
    #expect(
      obstacles { $0 = identity(manifest: "x") }
        == ["the manifest differs from the baseline's"])
    #expect(obstacles { $0 = identity(split: "test") } == ["a different split was evaluated"])
    #expect(obstacles { $0 = identity(poses: "x", labels: "x", manifest: "x") }.count == 2)
  }

  @Test("A hash that does not belong to its parts was edited")
  func editedHash() {
    let found = obstacles { $0 = identity(hash: "x") }
    #expect(found.count == 1 && found[0].contains("the baseline was edited"))
  }

  private func identity(
    name: String = "tests", hash: String = "00", poses: String = "01", labels: String = "02",
    manifest: String = "03",
    split: String? = nil
  ) -> Evaluation.DatasetIdentity {
    Evaluation.DatasetIdentity(
      name: name, hash: hash, posesHash: poses, labelsHash: labels, manifestHash: manifest,
      split: split)
  }
}
