import ArgumentParser
import Foundation
import Testing

@testable import PlankBench

/// What `compare` says first where names, labels or numbers are missing.
@Suite("Comparisons on data with gaps")
struct ComparisonDataTests {
  /// Compares the detector of simulated people with itself under another threshold.
  private func compare(
    _ options: [String] = [], limit: Double = 0.05,
    changing edit: (SimulatedExperiment) throws -> Void = { _ in }
  ) async throws -> String {
    let experiment = try SimulatedExperiment(people: 4, seed: 5)
    defer { experiment.remove() }
    try edit(experiment)
    let detector = experiment.path("detector.yaml")
    let sides = [detector, "\(detector) limit=\(limit)"]
    let found = try await Compare.parse([experiment.folder.path] + sides + options).outcome()
    return found.text.replacing("\n    ", with: " ").replacing("\n", with: " ")
      .replacing(detector, with: "mine")
  }

  private func rewrite(
    _ experiment: SimulatedExperiment, _ from: String, _ to: String
  ) throws {
    let path = experiment.path("dataset.yaml")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try text.replacing(from, with: to).write(toFile: path, atomically: true, encoding: .utf8)
  }

  @Test("Unnamed recordings are to be named, not to become more")
  func unnamed() async throws {
    let all = try await compare { experiment in
      for person in 0..<4 { try rewrite(experiment, ", subject: s\(person)", "") }
    }
    #expect(all.hasPrefix("Name the people first (`subject` in dataset.yaml)"), "\(all)")
    let some = try await compare { try rewrite($0, ", subject: s1", "") }
    #expect(some.contains("Recordings without `subject` in dataset.yaml count as one person."))
  }

  @Test("Recordings without labels are named, in the result too")
  func unlabeled() async throws {
    func remove(_ experiment: SimulatedExperiment) throws {
      try rewrite(experiment, ", labels: p2.labels.csv", "")
      try FileManager.default.removeItem(atPath: experiment.path("p2.labels.csv"))
    }
    #expect(try await compare(changing: remove).contains("Left out for lack of labels: `p2`."))
    let json = try await compare(["--format", "json"], changing: remove)
    #expect(json.replacing(" ", with: "").contains(#""unscored":["p2"]"#))
    #expect(try await !compare().contains("Left out"))
  }

  @Test("A margin that no difference exceeds is refused", arguments: ["1", "5"])
  func margin(text: String) async throws {
    let failure = await #expect(throws: WorkflowFailure.self) {
      try await compare(["--margin", text])
    }
    #expect(failure?.status == .usage)
    #expect(failure?.message.contains("differs by 1 at most") == true)
  }

  @Test("What is the same is the same in the metric that decides")
  func sameMetric() async throws {
    let text = try await compare(["--metric", "plank.recall[high]"], limit: 0)
    #expect(text.contains("was found in `plank.recall[high]`."), "\(text)")
  }

  @Test("A metric without numbers is to be replaced; labels are not what is missing")
  func undefined() async throws {
    let none = try await compare(["--metric", "plank.recall[forearm]"])
    #expect(none.hasPrefix("Decide by another metric (--metric): `plank.recall[forearm]` cannot"))
    let one = try await compare(["--metric", "plank.precision[high]"], limit: 0.9)
    #expect(one.contains("`plank.precision[high]` has a number on one side only."), "\(one)")
  }

  @Test("A number that is lost is a loss beside a gain")
  func lostNumber() async throws {
    let text = try await compare(
      ["--metric", "plank.recall[none]", "--metric", "plank.precision[high]"], limit: 0.9)
    #expect(text.hasPrefix("Do not take `mine limit=0.9` yet: it is better at"), "\(text)")
    #expect(text.contains("-> n/a)."), "\(text)")
  }

  @Test("Whoever gave a margin is not told to give one")
  func footer() async throws {
    #expect(try await compare().contains("people needed: --margin 0.05"))
    #expect(try await !compare(["--margin", "0.1"]).contains("--margin 0.05"))
  }
}
