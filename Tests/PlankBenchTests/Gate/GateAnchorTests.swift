import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import PlankBench

/// Anchors that cannot serve.
@Suite("Anchor of a gate")
struct GateAnchorTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func gate(
    _ anchor: String, rule: String = "{metric: plank.accuracy, largest_drop: 0.05}"
  ) throws -> String {
    let file = folder.appendingPathComponent("gate.yaml")
    try """
    dataset: \(Repository.file("datasets/scripted").path)
    baseline: baseline.json
    \(anchor)resamples: 100
    rules: [\(rule)]
    """.write(to: file, atomically: true, encoding: .utf8)
    return file.path
  }

  private func update(_ gate: String, _ more: String...) async throws {
    _ = try await BaselineUpdate.parse([gate, "--reason", "test", "--allow-dirty"] + more).outcome()
  }

  @Test("A missing anchor stops the gate, names its own remedy, and leaves what the baseline says")
  func missing() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = try gate("anchor: anchor.json\n")
    try await update(path)
    let found = try await Gate.parse([path]).outcome()
    #expect(found.status == .notComparable)
    let text = found.text.replacing("\n    ", with: " ")
    #expect(text.hasPrefix("Not judged: gate.yaml cannot be compared with its anchor\n"), "\(text)")
    #expect(text.contains("no such anchor; copy the baseline"))
    #expect(text.contains("plank.accuracy: pass") && !text.contains("baseline update"), "\(text)")
  }

  @Test("An anchor that is the baseline is refused; the command that writes it is not")
  func same() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = try gate("anchor: ./baseline.json\n")
    let failure = await #expect(throws: WorkflowFailure.self) {
      try await Gate.parse([path]).outcome()
    }
    #expect(failure?.status == .badData)
    #expect(failure?.message.contains("gate.yaml:3: `anchor`") == true, "\(failure?.message ?? "")")
    let other = try gate("anchor: anchor.json\n")
    try await update(other, "--baseline", folder.appendingPathComponent("anchor.json").path)
  }
}
