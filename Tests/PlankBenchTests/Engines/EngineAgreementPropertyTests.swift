import Foundation
import TestSupport
import Testing

@testable import PlankBench

/// Everything that answers frames answers them as `planklab evaluate` does, whatever the detector.
///
/// `PLANKLAB_DETECTORS` says how many detectors are drawn, or which: `500`, or `2000-2999`.
@Suite("Engines")
struct EngineAgreementPropertyTests {
  static let hasNode = (try? run("node", ["--version"]))?.status == 0

  /// Seeds, at most 50 of them in a batch.
  static let batches: [Range<Int>] = {
    let text = ProcessInfo.processInfo.environment["PLANKLAB_DETECTORS"] ?? "24"
    let numbers = text.split(separator: "-").compactMap { Int($0) }
    let seeds = numbers.count == 2 ? numbers[0]..<numbers[1] + 1 : 0..<(numbers.first ?? 0)
    precondition(!seeds.isEmpty, "PLANKLAB_DETECTORS is \(text); give 500, or 2000-2999")
    return stride(from: seeds.lowerBound, to: seeds.upperBound, by: 50).map {
      $0..<min($0 + 50, seeds.upperBound)
    }
  }()

  @Test(
    "The library, `explain`, every engine of sweeps and the pages answer as `evaluate` does",
    arguments: batches)
  func agreement(seeds: Range<Int>) async throws {
    let recordings = try EngineRecordings()
    var refused: [String] = []
    var pages: [EngineCase.Page] = []
    for seed in seeds {
      var example = try EngineCase(seed: seed, recordings, refused: &refused)
      let differences = try await example.differences()
      #expect(differences.isEmpty, "\(differences.prefix(3).joined(separator: "\n"))")
      pages.append(try example.page())
    }
    // Most of what is drawn is a detector.
    #expect(refused.count < seeds.count, "\(refused.prefix(3))")
    guard Self.hasNode else { return }
    try expectEqual(pages, in: recordings.folder)
  }

  /// Hands cases to the scripts of pages, which run in node.
  private func expectEqual(_ pages: [EngineCase.Page], in folder: URL) throws {
    let file = folder.appendingPathComponent("pages.jsonl")
    let lines = try pages.map { try JSONEncoder().encode($0) + Data("\n".utf8) }
    try lines.reduce(into: Data()) { $0.append($1) }.write(to: file)
    let run = try Self.run(
      "node", [Repository.file("scripts/browser/engine_answers.mjs").path, file.path])
    #expect(run.status == 0, "\(run.output.prefix(2000))")
    let frames = pages.reduce(0) { $0 + 2 * $1.frames }
    let cells = pages.reduce(0) { sum, page in
      page.streams.reduce(sum) { $0 + ($1.studio == nil ? 0 : $1.cells.count) }
    }
    #expect(
      run.output.contains("compared \(frames) answers and \(cells) cells\n"),
      "\(run.output.suffix(200))")
  }

  @Test("Pages are compared too", .enabled(if: hasNode, "needs node"))
  func node() { #expect(Self.hasNode) }

  /// Runs a program that is on the path.
  private static func run(
    _ program: String, _ arguments: [String]
  ) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let pipe = Pipe()
    (process.standardOutput, process.standardError) = (pipe, pipe)
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}
