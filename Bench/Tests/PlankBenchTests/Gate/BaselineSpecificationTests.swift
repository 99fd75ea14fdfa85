import Evaluation
import PoseDatasets
import Statistics
import Testing

@testable import PlankBench

@Suite("Baseline specification")
struct BaselineSpecificationTests {
  private static let complete = """
    {
      "format": "planklab-baseline",
      "schema_version": 1,
      "reason": "a test",
      "subjects": 2,
      "frame_cost_ratio": 1.5,
      "dataset": {"name": "d", "hash": "00", "poses_hash": "01", "labels_hash": "02", "manifest_hash": "03", "split": null},
      "facts": {
        "commit": "none"
      },
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
    let baseline = try BaselineSpecification.parse(Self.complete, file: "b.json")
    #expect((baseline.reason, baseline.subjects) == ("a test", 2))
    #expect(baseline.frameCostRatio == 1.5)
    #expect(baseline.dataset.labelsHash == "02" && baseline.dataset.split == nil)
    #expect(baseline.facts == ["commit": "none"])
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

  private static let mistakes = [
    Mistake(from: "planklab-baseline", to: "planklab-thresholds", line: 2, word: "planklab-base"),
    Mistake(from: "\"schema_version\": 1", to: "\"schema_version\": 2", line: 3, word: "again"),
    Mistake(from: "\"subjects\": 2,", to: "\"subjects\": two,", line: 5, word: "whole"),
    Mistake(from: "1.5", to: "nan", line: 6, word: "number"),
    Mistake(from: "\"poses_hash\": \"01\", ", to: "", line: 7, word: "poses_hash"),
    Mistake(from: "plank.accuracy", to: "plank.luck", line: 12, word: "again"),
    Mistake(from: "\"value\": 0.9", to: "\"value\": \"good\"", line: 12, word: "number"),
    Mistake(from: "\"lower\": 0.8", to: "\"lower\": 1.8", line: 12, word: "order"),
    Mistake(from: "cluster_t", to: "guess", line: 12, word: "bca"),
    Mistake(from: "\"form\": \"aligned?*8\"", to: "\"from\": 1", line: 16, word: "form"),
  ]

  @Test("Every mistake is an error with its line and a remedy", arguments: mistakes)
  func mistakeIsLocated(mistake: Mistake) {
    mistake.expectError(in: Self.complete) {
      _ = try BaselineSpecification.parse($0, file: "b.json")
    }
  }
}
