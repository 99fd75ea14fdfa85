import ArgumentParser
import Foundation
import PoseDatasets
import PoseModel
import PoseSynthesis
import Testing

@testable import PlankBench

/// `synthesize --errors-from` and `--write-bank`.
@Suite("Errors of recordings on the command line")
struct ErrorSourceTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "errors-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  private func outcome(_ arguments: String...) async throws -> Outcome {
    try await Synthesize.parse(arguments).outcome()
  }

  /// A donor: six seconds of a forearm plank with some noise.
  private func donor() async throws -> String {
    let script = """
      seed: 3
      noise: {preset: article}
      holds: [{posture: forearm, duration_s: 6}]
      """
    try Data(script.utf8).write(to: folder.appendingPathComponent("donor.yaml"))
    _ = try await outcome(path("donor.yaml"), "--output", path("donor"))
    return path("donor")
  }

  private func failure(_ arguments: String...) async -> String {
    do {
      _ = try await Synthesize.parse(arguments).outcome()
      return "no failure"
    } catch { return "\(error)" }
  }

  @Test("Recordings, and the bank learned from them, give the same bytes")
  func roundTrip() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let donor = try await donor()
    let studio = "studio: {preset: clean, subjects: 2, seed: 4, only: [0, 1, 2]}"
    try Data(studio.utf8).write(to: folder.appendingPathComponent("studio.yaml"))
    let first = try await outcome(
      path("studio.yaml"), "--errors-from", donor, "--write-bank", path("b.errors.json"),
      "--output",
      path("first"))
    _ = try await outcome(
      path("studio.yaml"), "--errors-from", path("b.errors.json"), "--output", path("second"))
    #expect(first.text.contains("3 sequences"))
    let names = try FileManager.default.contentsOfDirectory(atPath: path("first/recordings"))
    #expect(names.count >= 6)
    for name in names {
      let (a, b) = (path("first/recordings/" + name), path("second/recordings/" + name))
      #expect(
        FileManager.default.contents(atPath: a) == FileManager.default.contents(atPath: b),
        "\(name)")
    }
    let manifest = try String(contentsOfFile: path("first/dataset.yaml"), encoding: .utf8)
    #expect(manifest.contains("errors of donor") && manifest.contains("donor: \"0\""))
  }

  @Test("What was learned is shown in words and as JSON; a bank has no names of recordings")
  func summary() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let donor = try await donor()
    let text = try await outcome("--errors-from", donor, "--write-bank", path("b.errors.json"))
    #expect(text.text.contains("forearm 1") && text.text.contains("leftAnkle"))
    let json = try await outcome(
      "--errors-from", donor, "--write-bank", path("b.errors.json"), "--format", "json")
    let object = try JSONSerialization.jsonObject(with: Data(json.text.utf8)) as? [String: Any]
    #expect(
      object?["frames"] as? Int == 181 && object?["schema_version"] as? Int == 1
    )
    let bank = try String(contentsOfFile: path("b.errors.json"), encoding: .utf8)
    #expect(!bank.contains("session") && bank.contains("planklab-errors"))
  }

  @Test("Options that do not fit together are refused")
  func usage() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(await failure("--write-bank", "x.json").contains("needs --errors-from"))
    #expect(await failure("--errors-from", "x").contains("--write-bank"))
    let donor = try await donor()
    #expect(
      await failure("--errors-from", donor, "--write-bank", path("b.json"), "--seed", "3")
        .contains("only learns"))
    #expect(!FileManager.default.fileExists(atPath: path("b.json")))
  }

  @Test("A file that is no bank is refused, with what is wrong and how to make one")
  func broken() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let donor = try await donor()
    _ = try await outcome("--errors-from", donor, "--write-bank", path("b.json"))
    let text = try String(contentsOfFile: path("b.json"), encoding: .utf8)
    for (found, changed, part) in [
      ("planklab-errors", "something", "format"), ("\"person\":0", "\"person\":-1", "person"),
      ("\"residuals\":[", "\"residuals\":[70000,", "out of range"), ("{", "[", "out of range"),
      ("\"labeled\":true", "\"labeled\":3", "labeled"),
      ("\"schema_version\": 1", "\"schema_version\": 2", "version"),
    ] {
      let place = try #require(text.firstRange(of: found))
      try Data(text.replacingCharacters(in: place, with: changed).utf8)
        .write(to: folder.appendingPathComponent("c.json"))
      let message = await failure(
        "--preset", "clean", "--errors-from", path("c.json"), "--output", path("o"))
      #expect(message.contains(part) && message.contains("c.json"), "\(found): \(message)")
      #expect(message != "no failure", "\(found)")
      #expect(!FileManager.default.fileExists(atPath: path("o")))
    }
  }

  @Test("Recordings in which nobody holds still are refused, with the reason")
  func nothing() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let script = "{seed: 1, holds: [{posture: walking, duration_s: 5}]}"
    try Data(script.utf8).write(to: folder.appendingPathComponent("walk.yaml"))
    _ = try await outcome(path("walk.yaml"), "--output", path("walk"))
    #expect(
      await failure("--errors-from", path("walk"), "--write-bank", path("b.json"))
        .contains("nobody holds still"))
    #expect(!FileManager.default.fileExists(atPath: path("b.json")))
  }
}
