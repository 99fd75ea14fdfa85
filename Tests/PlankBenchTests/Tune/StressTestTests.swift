import ArgumentParser
import Foundation
import PlankDetection
import TestSupport
import Testing
import Tuning

@testable import PlankBench

@Suite("The stress test of a choice")
struct StressTestTests {
  /// The stress test of an experiment's first settings.
  private static func rows(
    _ text: String, keepsWorse: Bool
  ) async throws -> (rows: [[StreamRecommendation.Stressed]], isKept: Bool) {
    let file = Repository.file("datasets/experiment.yaml").path
    let experiment = try Experiment(text, at: file, ExperimentOptions.parse([file]))
    let prepared = try await PreparedExperiment(
      experiment, isStressed: keepsWorse, progress: { _, _, _ in })
    let detector = try #require(experiment.grid.detectors.first)
    let found = TunedDetector(
      thresholds: Thresholds(
        definition: detector.definition, parameters: detector.base,
        smoothing: experiment.grid.smoothings[0], debounce: .parameters),
      detector: detector, streams: [])
    let rows = try await StressTest(prepared: prepared).run(found, progress: { _, _, _ in })
    return (rows, prepared.worse != nil)
  }

  @Test(
    "What is kept of recordings gives the same objectives as reading them again",
    arguments: ["gravity", "coach"])
  func kept(detector: String) async throws {
    let text = """
      dataset: scripted
      detector: \(detector)
      objective: [plank.balanced_accuracy, form.f1_macro]
      """
    let again = try await Self.rows(text, keepsWorse: false)
    let kept = try await Self.rows(text, keepsWorse: true)
    #expect(!again.isKept && kept.isKept)
    #expect(kept.rows == again.rows)
    #expect(kept.rows.count == 2 && kept.rows[0].count == 4)
    #expect(Set(kept.rows[0].map(\.objective)).count > 1, "worse frames change nothing")
  }

  @Test("Recordings are read again where every smoothing of the grid needs them")
  func smoothed() async throws {
    let text = """
      dataset: scripted
      detector: gravity
      smoothing: ema
      objective: plank.balanced_accuracy
      """
    #expect(try await !Self.rows(text, keepsWorse: true).isKept)
  }
}
