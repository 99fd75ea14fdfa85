import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import PlankBench

@Suite("One advice in every command")
struct OneAdviceTests {
  struct World: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let people: Int
    var areNamed = true
    var offsets = [0.0]

    var options: [String] { offsets.count > 1 ? ["--source-tag", "source"] : [] }
  }

  static let worlds = [
    World(testDescription: "3 people", people: 3), World(testDescription: "6 people", people: 6),
    World(testDescription: "12 people", people: 12),
    World(testDescription: "unnamed recordings", people: 6, areNamed: false),
    World(testDescription: "two sources that disagree", people: 12, offsets: [0, -0.15]),
  ]
  private static let start = -0.2

  private func result(_ json: String) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8))
    return try #require((object as? [String: Any])?["result"] as? [String: Any])
  }

  private func plank(_ result: [String: Any]?) throws -> [String: Any] {
    let advice = try #require(result?["advice"] as? [String: Any])
    return try #require(advice["plank"] as? [String: Any])
  }

  private func compared(
    _ experiment: SimulatedExperiment, _ limit: Double, _ world: World
  ) async throws -> [String: Any] {
    let detector = experiment.path("detector.yaml")
    let json = try await Compare.parse(
      [experiment.folder.path, detector, "\(detector) limit=\(limit)", "--format", "json"]
        + ["--resamples", "100"] + world.options
    ).outcome().text
    let pairs = try #require(try result(json)["pairs"] as? [[String: Any]])
    return try plank(pairs.first)
  }

  /// Whether two objects of advice are equal, but for proofs that more candidates make harder.
  private func expectEqual(_ left: [String: Any], _ right: [String: Any], _ what: String) {
    var (left, right) = (left, right)
    if left["candidates"] as? Int != right["candidates"] as? Int {
      for key in ["candidates", "step", "sentence"] { (left[key], right[key]) = (nil, nil) }
    }
    #expect(NSDictionary(dictionary: left) == NSDictionary(dictionary: right), "\(what)")
  }

  @Test("tune, gate and baseline update give the advice of compare", arguments: worlds)
  func given(world: World) async throws {
    let experiment = try SimulatedExperiment(
      people: world.people, seed: 7, start: Self.start, areNamed: world.areNamed,
      offsets: world.offsets)
    defer { experiment.remove() }
    let expected = try await compared(experiment, 0, world)
    let sentence = try #require(expected["sentence"] as? String)
    #expect(sentence.hasPrefix("Take it"), "\(sentence)")

    try """
    dataset: dataset.yaml
    detector: detector.yaml
    parameters: {plank_frames: 1, other: 0.9}
    axes: {limit: [\(Self.start), 0]}
    objective: plank.balanced_accuracy
    allow_ungrouped: true
    refine: false
    resamples: 0
    \(world.offsets.count > 1 ? "source_tag: source" : "")
    """.write(toFile: experiment.path("pair.yaml"), atomically: true, encoding: .utf8)
    let tuned = try await Tune.parse([experiment.path("pair.yaml"), "--format", "json"])
      .outcome().text
    let streams = try #require(try result(tuned)["streams"] as? [[String: Any]])
    let decision = try #require(streams.first?["decision"] as? [String: Any])
    expectEqual(try #require(decision["advice"] as? [String: Any]), expected, "tune")

    // A gate has one source.
    guard world.offsets.count == 1 else { return }
    try """
    dataset: .
    detector: detector.yaml
    baseline: baseline.json
    rules:
      - {metric: plank.accuracy, at_least: 0}
    """.write(toFile: experiment.path("gate.yaml"), atomically: true, encoding: .utf8)
    let update = ["update", experiment.path("gate.yaml"), "--reason", "new"]
    _ = try await BaselineUpdate.parse(Array(update.dropFirst())).outcome()
    let detector = experiment.path("detector.yaml")
    try String(contentsOfFile: detector, encoding: .utf8)
      .replacing("default: \(Self.start)", with: "default: 0.0")
      .write(toFile: detector, atomically: true, encoding: .utf8)
    let gate = try await Gate.parse([experiment.path("gate.yaml"), "--format", "json"])
      .outcome().text
    expectEqual(try plank(result(gate)), expected, "gate")
    let updated = try await BaselineUpdate.parse(Array(update.dropFirst())).outcome()
    #expect((updated.text + updated.remarks.joined()).contains("Plank: \(sentence)"))
  }

  @Test("evaluate and suggest give the advice of compare for what they find", arguments: worlds)
  func found(world: World) async throws {
    let experiment = try SimulatedExperiment(
      people: world.people, seed: 7, start: Self.start, areNamed: world.areNamed,
      offsets: world.offsets)
    defer { experiment.remove() }
    let words =
      [experiment.folder.path, "--detector", experiment.path("detector.yaml"), "--format", "json"]
      + world.options
    let next = try #require(
      try await result(Evaluate.parse(words).outcome().text)["next"] as? [String: Any])
    let fixes = try #require(next["fixes"] as? [[String: Any]])
    let fix = try #require(fixes.first { $0["parameter"] as? String == "limit" })
    expectEqual(
      try #require(fix["advice"] as? [String: Any]),
      try await compared(experiment, try #require(fix["to"] as? Double), world), "evaluate")

    let suggested = try await result(
      Suggest.parse(words + ["--stream", "plank"]).outcome().text)
    let found = try #require(suggested["streams"] as? [[String: Any]])
    let edit = try #require((found.first?["edits"] as? [[String: Any]])?.first)
    let thresholds = try #require(edit["thresholds"] as? [[String: Any]])
    guard thresholds.count == 1, thresholds[0]["name"] as? String == "limit" else { return }
    let value = try #require(thresholds[0]["value"] as? Double)
    expectEqual(
      try #require(edit["advice"] as? [String: Any]),
      try await compared(experiment, value, world), "suggest")
  }
}
