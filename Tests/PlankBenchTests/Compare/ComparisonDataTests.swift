import ArgumentParser
import Foundation
import PlankDetection
import Testing

@testable import Evaluation
@testable import PlankBench

/// `compare` on simulated people, and on data where names, labels or numbers are missing.
@Suite("Comparisons of simulated people")
struct ComparisonDataTests {
  private static let people = 4

  /// Compares the detector of simulated people with itself under other thresholds.
  private func compare(
    _ options: [String] = [], start: Double = 0, limits: [Double] = [0.05],
    changing edit: (SimulatedExperiment) throws -> Void = { _ in }
  ) async throws -> String {
    let experiment = try SimulatedExperiment(people: Self.people, seed: 5, start: start)
    defer { experiment.remove() }
    try edit(experiment)
    let detector = experiment.path("detector.yaml")
    let sides = [detector] + limits.map { "\(detector) limit=\($0)" }
    let found = try await Compare.parse([experiment.folder.path] + sides + options).outcome()
    return found.text.replacing("\n    ", with: " ").replacing("\n", with: " ")
      .replacing(detector, with: "mine")
  }

  private func result(
    limits: [Double] = [0.05], changing edit: (SimulatedExperiment) throws -> Void = { _ in }
  ) async throws -> ComparisonReport {
    let json = try await compare(["--format", "json"], limits: limits, changing: edit)
    return try JSONDecoder().decode(
      ResultEnvelope<ComparisonReport>.self, from: Data(json.utf8)
    ).result
  }

  private func rewrite(
    _ experiment: SimulatedExperiment, _ from: String, _ to: String
  ) throws {
    let path = experiment.path("dataset.yaml")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try text.replacing(from, with: to).write(toFile: path, atomically: true, encoding: .utf8)
  }

  private func removeNames(_ experiment: SimulatedExperiment) throws {
    for person in 0..<Self.people { try rewrite(experiment, ", subject: s\(person)", "") }
  }

  @Test("A value that differs is a setting, and each other side a candidate")
  func settings() async throws {
    let pairs = try await result(limits: [0.05, 0.02, 0.9]).pairs
    let advice = try pairs.map { try #require($0.advice.plank) }
    #expect(advice.map(\.settings) == [1, 1, 1] && advice.map(\.candidates) == [3, 3, 3])
    #expect(advice.allSatisfy { $0.named && $0.people == Self.people })
  }

  @Test("Unnamed recordings are judged as recordings, and prove nothing")
  func unnamed() async throws {
    let text = try await compare(changing: removeNames)
    #expect(text.contains("4 recordings of unnamed people"), "\(text)")
    #expect(text.contains("Name the people (`subject` in dataset.yaml)"), "\(text)")
    let advice = try #require(try await result(changing: removeNames).pairs.first?.advice.plank)
    #expect(!advice.named && advice.people == Self.people && !advice.step.isProven)
    let some = try await compare { try rewrite($0, ", subject: s1", "") }
    #expect(some.contains("Name the people (`subject` in dataset.yaml)"), "\(some)")
  }

  @Test("Recordings without labels are named, in the result too")
  func unlabeled() async throws {
    func remove(_ experiment: SimulatedExperiment, _ person: Int) throws {
      try rewrite(experiment, ", labels: p\(person).labels.csv", "")
      try FileManager.default.removeItem(atPath: experiment.path("p\(person).labels.csv"))
    }
    #expect(
      try await compare { try remove($0, 2) }.contains("Left out for lack of labels: `p2`."))
    #expect(try await result { try remove($0, 2) }.unscored == ["p2"])
    #expect(try await !compare().contains("Left out"))
    let none = await #expect(throws: WorkflowFailure.self) {
      try await compare { experiment in
        for person in 0..<Self.people { try remove(experiment, person) }
      }
    }
    #expect(none?.status == .notComparable)
  }

  @Test(
    "The thresholds are those of the side that is advised",
    arguments: [(start: 0.15, limit: 0.0, isTaken: true), (0, 0.15, false)])
  func thresholds(start: Double, limit: Double, isTaken: Bool) async throws {
    let file = FileManager.default.temporaryDirectory.path + "/advised-\(UUID()).json"
    defer { try? FileManager.default.removeItem(atPath: file) }
    let text = try await compare(["--thresholds", file], start: start, limits: [limit])
    #expect(text.hasPrefix("Plank: \(isTaken ? "Take it" : "Keep yours")"), "\(text)")
    let written = try ThresholdsFile.read(file).parameters
    #expect(written[ParameterKey("limit")] == (isTaken ? limit : start))
  }

  @Test("Answers that are advised have no thresholds")
  func answers() async throws {
    let experiment = try SimulatedExperiment(people: Self.people, seed: 5)
    defer { experiment.remove() }
    let (data, answers) = (experiment.folder.path, experiment.path("answers"))
    let detector = experiment.path("detector.yaml")
    _ = try await Measure.parse([data, "--detector", detector, "--output", answers]).outcome()
    let failure = await #expect(throws: WorkflowFailure.self) {
      try await Compare.parse(
        [data, answers, detector, "--thresholds", experiment.path("advised.json")]
      ).outcome()
    }
    #expect(failure?.status == .usage, "\(failure.map(\.message) ?? "")")
  }
}
