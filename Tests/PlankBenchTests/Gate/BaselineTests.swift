import Evaluation
import PlankDetection
import PoseDatasets
import Statistics
import Testing

@testable import PlankBench

@Suite("The file of a baseline")
struct BaselineFileTests {
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
    #expect(error?.remedy == "write the baseline again with `planklab baseline update`")
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

@Suite("Baseline")
struct BaselineTests {
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
        == ["the poses differ from the baseline's: recordings were changed"])
    #expect(
      obstacles { $0 = identity(labels: "x") }
        == ["the labels differ from the baseline's: they were changed"])
    #expect(
      obstacles { $0 = identity(manifest: "x") }
        == ["the manifest differs from the baseline's"])
    #expect(obstacles { $0 = identity(split: "test") } == ["a different split was evaluated"])
    #expect(obstacles { $0 = identity(poses: "x", labels: "x", manifest: "x") }.count == 2)
  }

  @Test("A hash that does not belong to its parts was edited")
  func editedHash() {
    let found = obstacles { $0 = identity(hash: "x") }
    #expect(found.count == 1 && found[0].contains("it was edited"))
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
