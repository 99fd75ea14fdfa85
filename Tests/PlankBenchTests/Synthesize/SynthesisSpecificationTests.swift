import ArgumentParser
import Foundation
import PoseDatasets
import PoseModel
import PoseSynthesis
import TestSupport
import Testing

@testable import PlankBench

@Suite("Synthesis specification") struct SynthesisSpecificationTests {
  private static let studio = """
    name: evening
    studio: {preset: harsh, subjects: 3, seed: 7, frames: 900, only: [4, 2]}
    noise:
      joints: {white_across_m: 0.004}
      dropouts: {probability: 0.2}
    camera: {distance_m: 1.5, orientation: landscapeLeft, mirrored: false}
    criterion: {visible_offset_m: 0.05}
    """

  private static let session = """
    seed: 3
    subject: {name: ann, sex: female, height_m: 1.62, seed: 9}
    camera:
      buffer: upright
      pitch_deg: -5
    noise: {preset: article, joints: {white_depth_m: 0.03}}
    tags: {room: kitchen}
    holds:
      - {posture: standing, duration_s: 3}
      - posture: sideLeftElbow
        duration_s: 20
        form: {hip_offset_m: -0.06, flexion_offset_m: 0.05}
        placement: {free_arm: up}
        drift: {final_offset_m: -0.05}
    """

  private func parse(_ text: String) throws -> SynthesisScript {
    try SynthesisSpecification.parse(text, file: "mine.yaml")
  }

  @Test("A studio starts from its preset and replaces what the sections say, in every session")
  func completeStudio() throws {
    let script = try parse(Self.studio)
    guard case .studio(let studio) = script.content else { throw Unexpected() }
    #expect(script.name == "evening")
    #expect((studio.subjects, studio.seed, studio.frames) == (3, 7, 900))
    #expect(studio.only == [4, 2])
    #expect(studio.noise.joints.whiteAcross == Meters(0.004))
    #expect(studio.noise.joints.biasAcross == NoisePreset.harsh.parameters.joints.biasAcross)
    #expect(studio.noiseName == "harsh-changed")
    let sessions = try StudioPlan(studio).scripts
    #expect(sessions.count == 2)
    for session in sessions {
      #expect(session.camera.distance == Meters(1.5) && !session.camera.isMirrored)
      #expect(session.tags["distance_m"] == "1.5")
      #expect(session.tags["orientation"] == "landscapeLeft")
      #expect(session.noise.dropouts.probability == 0.2)
      #expect(session.criterion.visibleOffset == Meters(0.05))
    }
  }

  @Test("A session has what its sections and holds say")
  func completeSession() throws {
    guard case .session(let session) = try parse(Self.session).content else { throw Unexpected() }
    #expect((session.seed, session.subject.seed) == (3, 9))
    #expect(session.subject.name == "ann" && session.subject.sex == .female)
    #expect(session.camera.buffer == .upright && session.camera.pitch == Degrees(-5))
    #expect(session.noise.joints.whiteAcross == NoisePreset.article.parameters.joints.whiteAcross)
    #expect(session.noise.joints.whiteDepth == Meters(0.03))
    #expect(session.tags == ["room": "kitchen"])
    #expect(session.holds.map(\.posture) == [.standing, .sideLeftElbow])
    let hold = try #require(session.holds.last)
    #expect(hold.form.hipOffset == Meters(-0.06) && hold.placement.freeArm == .up)
    #expect(hold.drift.finalOffset == Meters(-0.05))
  }

  @Test("Every number and choice of every section can be written in a script")
  func everyKey() throws {
    for section in SessionScript.sections {
      let base = SessionScript(holds: [Hold(.forearm, for: Seconds(2))])
      let lines = section.keys.map { "\($0): \(section.text(of: $0, in: base) ?? "")" }
      let inner = "{\(lines.joined(separator: ", "))}"
      let parts = section.name.split(separator: ".")
      let text =
        parts.count == 2 ? "\(parts[0]): {\(parts[1]): \(inner)}" : "\(section.name): \(inner)"
      for rest in ["\nstudio: {seed: 1}\n", "\nholds: [{posture: high, duration_s: 2}]\n"] {
        #expect(throws: Never.self) { try parse(text + rest) }
      }
    }
  }

  static let studioMistakes = [
    Mistake(from: "preset: harsh", to: "preset: loud", line: 2, word: "phone"),
    Mistake(from: "subjects: 3", to: "subjects: 0", line: 2, word: "500"),
    Mistake(from: "subjects: 3", to: "people: 3", line: 2, word: "subjects"),
    Mistake(from: "seed: 7", to: "seed: -7", line: 2, word: "seed"),
    Mistake(from: "[4, 2]", to: "[4, 4]", line: 2, word: "twice"),
    Mistake(from: "[4, 2]", to: "[]", line: 2, word: "only"),
    Mistake(from: "white_across_m: 0.004", to: "white_across_m: 4", line: 4, word: "0.1 m"),
    Mistake(from: "white_across_m: 0.004", to: "white_across: 4", line: 4, word: "white_across_m"),
    Mistake(from: "dropouts:", to: "dropout:", line: 5, word: "dropouts"),
    Mistake(from: "landscapeLeft", to: "landscape", line: 6, word: "landscapeRight"),
    Mistake(from: "mirrored: false", to: "mirrored: no", line: 6, word: "true"),
    Mistake(from: "distance_m: 1.5", to: "distance_m: far", line: 6, word: "number"),
    Mistake(
      from: "visible_offset_m: 0.05", to: "visible_offset_m: 0.01, guard_band_m: 0.05", line: 7,
      word: "above"),
    Mistake(from: "name: evening", to: "holds: []", line: 1, word: "both"),
  ]

  static let sessionMistakes = [
    Mistake(from: "name: ann", to: "name: ../ann", line: 2, word: "letters"),
    Mistake(from: "preset: article", to: "preset: 3", line: 6, word: "clean"),
    Mistake(from: "posture: standing", to: "posture: sit", line: 9, word: "squat"),
    Mistake(from: "duration_s: 3", to: "duration_s: 0.1", line: 9, word: "0.5"),
    Mistake(from: ", duration_s: 3", to: "", line: 9, word: "duration_s"),
    Mistake(from: "sideLeftElbow", to: "forearm", line: 10, word: "side plank"),
    Mistake(from: "sideLeftElbow", to: "squat", line: 10, word: "not a plank"),
    Mistake(from: "free_arm: up", to: "free_arm: down", line: 13, word: "onHip"),
    Mistake(from: "holds:", to: "poses:", line: 1, word: "neither"),
  ]

  @Test("Every mistake is an error with its line and a remedy", arguments: studioMistakes)
  func studioMistake(mistake: Mistake) { expectError(mistake, in: Self.studio) }

  @Test("So is every mistake of a session", arguments: sessionMistakes)
  func sessionMistake(mistake: Mistake) { expectError(mistake, in: Self.session) }

  private func expectError(_ mistake: Mistake, in good: String) {
    let error = mistake.expectError(in: good) { _ = try parse($0) }
    #expect(error?.description.hasPrefix("mine.yaml:") == true)
  }

  private struct Unexpected: Error {}
}

@Suite("Errors of recordings on the command line") struct ErrorSourceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.path(name) }

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
    try folder.write(script, to: "donor.yaml")
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
    let donor = try await donor()
    let studio = "studio: {preset: clean, subjects: 2, seed: 4, only: [0, 1, 2]}"
    try folder.write(studio, to: "studio.yaml")
    let first = try await outcome(
      path("studio.yaml"), "--errors-from", donor, "--write-bank", path("b.errors.json"),
      "--output", path("first"))
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
    let manifest = try folder.text("first/dataset.yaml")
    #expect(manifest.contains("errors of donor") && manifest.contains("donor: \"0\""))
  }

  @Test("A file that is no bank is refused, with what is wrong and how to make one")
  func broken() async throws {
    let donor = try await donor()
    _ = try await outcome("--errors-from", donor, "--write-bank", path("b.json"))
    let text = try folder.text("b.json")
    for (found, changed, part) in [
      ("planklab-errors", "something", "format"), ("\"person\":0", "\"person\":-1", "person"),
      ("\"residuals\":[", "\"residuals\":[70000,", "out of range"), ("{", "[", "out of range"),
      ("\"labeled\":true", "\"labeled\":3", "labeled"),
      ("\"schema_version\": 1", "\"schema_version\": 2", "version"),
    ] {
      let place = try #require(text.firstRange(of: found))
      try folder.write(text.replacingCharacters(in: place, with: changed), to: "c.json")
      let message = await failure(
        "--preset", "clean", "--errors-from", path("c.json"), "--output", path("o"))
      #expect(message.contains(part) && message.contains("c.json"), "\(found): \(message)")
      #expect(message != "no failure", "\(found)")
      #expect(!FileManager.default.fileExists(atPath: path("o")))
    }
  }

  @Test("Recordings in which nobody holds still are refused, with the reason")
  func nothing() async throws {
    let script = "{seed: 1, holds: [{posture: walking, duration_s: 5}]}"
    try folder.write(script, to: "walk.yaml")
    _ = try await outcome(path("walk.yaml"), "--output", path("walk"))
    #expect(
      await failure("--errors-from", path("walk"), "--write-bank", path("b.json"))
        .contains("nobody holds still"))
    #expect(!FileManager.default.fileExists(atPath: path("b.json")))
  }
}
