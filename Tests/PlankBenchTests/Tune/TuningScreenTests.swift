import ArgumentParser
import Foundation
import PlankDetection
import TestSupport
import Testing

@testable import PlankBench
@testable import Reports

@Suite("First screen of tuning") struct TuningScreenTests {
  private func lines(_ outcome: Outcome) -> [String] { outcome.text.components(separatedBy: "\n") }

  private func limit(_ path: String) throws -> Double? {
    try ThresholdsFile.read(path).parameters.entries
      .first { $0.definition.key.rawValue == "limit" }?.value
  }

  @Test("Tuning starts from the thresholds that the app ships")
  func shipped() async throws {
    let experiment = try SimulatedExperiment(people: 8, seed: 1)
    let detector = experiment.path("detector.yaml")
    let file = experiment.path("app.json")
    let set = try await Evaluate.parse([
      experiment.folder.path, "--detector", detector, "--set", "limit=-0.2", "--thresholds", file,
    ]).outcome()
    #expect(set.remarks.contains { $0.contains("app.json: ") }, "\(set.remarks)")
    var thresholds = try String(contentsOfFile: file, encoding: .utf8)
    thresholds.replace(/"limit": [-0-9.]+/, with: "\"limit\": -0.2")
    try thresholds.write(toFile: file, atomically: true, encoding: .utf8)
    let found = try await experiment.tune("--parameters", file)
    #expect(lines(found)[0].hasPrefix("Change `limit` from -0.2 to "), "\(found.text)")
    let other = await #expect(throws: WorkflowFailure.self) {
      try await experiment.tune("--parameters", file, "--detector", "coach")
    }
    #expect(other?.message.contains("remove one of the two") == true, "\(other?.message ?? "")")
  }

  @Test("A start that is off is changed, and the changed values are written")
  func change() async throws {
    let experiment = try SimulatedExperiment(people: 8, seed: 1, start: -0.2)
    let found = try await experiment.tune("--thresholds", experiment.path("t.json"))
    #expect(lines(found)[0].hasPrefix("Change `limit` from -0.2 to "), "\(found.text)")
    #expect(found.text.contains("  - Plank: Take it (proven): +"), "\(found.text)")
    #expect(found.remarks.contains { $0.hasSuffix("t.json: the changed values") })
    let written = try #require(try limit(experiment.path("t.json")))
    #expect(abs(written) < 0.1)
  }

  @Test(
    "What does no better on the same people than the start is not found, and the start is written")
  func keep() async throws {
    let experiment = try SimulatedExperiment(people: 6, seed: 2)
    let kept = try await experiment.tune("--thresholds", experiment.path("t.json"))
    #expect(lines(kept)[0] == "Keep `limit` 0 m, `other` 0.9 m", "\(kept.text)")
    #expect(kept.text.contains("  - Plank: Keep yours: the search chose the starting values."))
    #expect(!kept.text.contains("--take"), "\(kept.text)")
    #expect(kept.remarks.contains { $0.hasSuffix("t.json: the starting values") })
    #expect(try limit(experiment.path("t.json")) == 0)
    let asked = try await experiment.tune("--take", "plank")
    #expect(lines(asked)[0] == lines(kept)[0], "\(asked.text)")
  }

  @Test("Where nobody can tell, the start stays, what was found is named, and a loss is not taken")
  func either() async throws {
    var (taken, left) = (0, 0)
    for seed in 3..<40 where taken == 0 || left == 0 {
      let experiment = try SimulatedExperiment(people: 6, seed: seed)
      let kept = try await experiment.tune("--thresholds", experiment.path("t.json"))
      guard kept.text.contains("  - Plank: Either (6 people are too few to tell): ") else {
        continue
      }
      #expect(lines(kept)[0] == "Keep `limit` 0 m, `other` 0.9 m", "\(kept.text)")
      #expect(kept.text.contains("The search changed `limit` from 0 to "), "\(kept.text)")
      #expect(try limit(experiment.path("t.json")) == 0)
      let asked = try await experiment.tune("--take", "plank")
      let isTaken = kept.text.contains("--take plank")
      #expect((lines(asked)[0] == lines(kept)[0]) == !isTaken, "\(asked.text)")
      #expect(asked.remarks.contains { $0.contains("not taken") } == !isTaken)
      if isTaken { taken += 1 } else { left += 1 }
    }
    #expect(taken > 0 && left > 0)
  }

  @Test("An axis that changes nothing is never changed")
  func inertAxis() async throws {
    let experiment = try SimulatedExperiment(people: 8, seed: 1, start: -0.2)
    let found = try await experiment.tune()
    #expect(!lines(found)[0].contains("other"), "\(found.text)")
    #expect(
      found.text.contains(
        "The axis `other` has no effect, so the parameter keeps its starting value."))
  }

  @Test("A start that breaks a constraint is changed, and the constraint is named")
  func constraint() async throws {
    let experiment = try SimulatedExperiment(
      people: 3, seed: 4, start: -0.3, more: "constraints: [\"plank.recall[none] >= 0.5\"]\n")
    let found = try await experiment.tune()
    #expect(lines(found)[0].hasPrefix("Change `limit` from -0.3 to "), "\(found.text)")
    let text = found.text.replacing("\n    ", with: " ")
    #expect(
      text.contains("Take it: your values break `plank.recall[none] >= 0.5`: the value is 0."))
  }

  @Test("Knife edges around the values to use are named")
  func knifeEdges() async throws {
    let experiment = try SimulatedExperiment(
      people: 8, seed: 1, start: -0.2, more: "validation: none\n")
    let taken = try await experiment.tune("--axis", "limit=-0.3,0,0.3")
    #expect(taken.text.contains("Knife edge: `limit` at"), "\(taken.text)")
  }

  @Test(
    "Data with one class, and a stream without labels, are refused with a remedy",
    arguments: [
      (["high"], "all scored frames of the plank stream are labeled `high`"),
      (["ignore"], "no frame has a plank label"),
    ])
  func oneClass(classes: [String], problem: String) async throws {
    let experiment = try SimulatedExperiment(people: 3, seed: 5, classes: classes)
    let failure = await #expect(throws: WorkflowFailure.self) { try await experiment.tune() }
    #expect(failure?.status == .badData)
    let message = failure?.message ?? ""
    #expect(message.contains("experiment.yaml:5: `objective`"), "\(message)")
    #expect(message.contains(problem) && message.contains("remove `plank.balanced_accuracy`"))
  }

  /// An experiment that chooses between two detectors on the scripted dataset.
  private func detectors(_ options: [String] = []) async throws -> Outcome {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      dataset: \(Repository.file("datasets/scripted").path)
      detector: [gravity, coach]
      axes: {sag: [3cm, 5cm]}
      objective: [plank.balanced_accuracy, form.balanced_accuracy]
      resamples: 0
      """, to: "experiment.yaml")
    return try await Tune.parse([folder.path] + options).outcome()
  }

  @Test("A detector that is better at plank and worse at form is not recommended")
  func costsOther() async throws {
    let kept = try await detectors()
    let text = kept.text.replacing("\n    ", with: " ")
    #expect(
      text.contains("- Plank: Keep yours: the values found make the other stream worse."), "\(text)"
    )
    #expect(text.contains("`form.balanced_accuracy` is 0.659 instead of"), "\(text)")
    let taken = try await detectors(["--take", "plank"])
    #expect(lines(taken)[0].hasPrefix("Keep `gravity`; --take uses"), "\(taken.text)")
    #expect(taken.text.contains("- Form, starting from `coach`: "), "\(taken.text)")
  }
}
