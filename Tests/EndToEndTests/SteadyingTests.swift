import Foundation
import Testing

@Suite("Smoothing, debounce and sessions from the command line")
struct SteadyingTests {
  private static let sequence = Program.scripted + "/s01-floor.poses.jsonl"

  private func json(_ run: Program.Run) throws -> [String: Any] {
    #expect(run.status == 0, "\(run.errors)")
    let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    return try #require(object as? [String: Any])
  }

  @Test("The JSON of an evaluation reports both strategies with every number")
  func evaluationReports() throws {
    let provenance = try EvaluationJSON(Program.scripted).provenance
    #expect(provenance["smoothing"] == "none" && provenance["debounce"] == "parameters")
    let facts = try EvaluationJSON(
      Program.scripted, "--detector", "gravity", "--smoothing", "ema@measurements", "--debounce",
      "dwell:enter=0.2s+bands:side_rise=2cm"
    ).provenance
    #expect(facts["smoothing"] == "ema:cutoff=1.5Hz@measurements")
    #expect(
      facts["debounce"] == "dwell:enter=0.2s,switch=0.3s,exit=0.3s+bands:side_rise=0.02m")
    #expect(facts["smoothing"] != provenance["smoothing"])
  }

  @Test("Every name that `smoothers` lists runs as it stands, unquoted in a shell")
  func everyStrategyRuns() throws {
    let list = try json(Program.run("smoothers", "--format", "json"))
    for (kind, option) in [("smoothing", "--smoothing"), ("debounce", "--debounce")] {
      let entries = try #require(list[kind] as? [[String: Any]])
      #expect(entries.count >= 4)
      for text in entries.compactMap({ $0["text"] as? String }) {
        let run = try Program.shell(
          "planklab replay \(Self.sequence) --detector gravity \(option) \(text)")
        #expect(run.status == 0 && run.output.contains(text), "\(text): \(run.errors)")
      }
    }
  }

  @Test("A filter that looks ahead is marked as one")
  func offline() throws {
    let run = try Program.run("evaluate", Program.scripted, "--smoothing", "rts")
    let words = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(run.status == 0 && words.contains("looks ahead. No app can do that"))
  }

  @Test("Measured answers are those of the evaluation with the same strategies")
  func measureAgrees() throws {
    let workspace = try Workspace()
    let flags = ["--smoothing", "one-euro", "--debounce", "vote@plank+dwell@form"]
    let folder = workspace.path("measured")
    let measured = try Program.run(["measure", Program.scripted, "--output", folder] + flags)
    #expect(measured.status == 0, "\(measured.errors)")
    let direct = try EvaluationJSON([Program.scripted] + flags)
    let again = try EvaluationJSON(Program.scripted, "--predictions", folder)
    for stream in ["plank", "form"] {
      #expect(try direct.confusion(stream) == again.confusion(stream))
    }
  }

  @Test("A replay draws its timeline and names what paused the session")
  func replay() throws {
    let workspace = try Workspace()
    let picture = workspace.path("session.svg")
    let run = try Program.run(
      "replay", Self.sequence, "--detector", "gravity", "--picture", picture, "--session",
      "session_bad=0.4s")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("plank, label") && run.output.contains("bad_form"))
    let words = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("are graded good by the bands"), "\(words)")
    let svg = try String(contentsOfFile: picture, encoding: .utf8)
    #expect(svg.contains("session, labels") && svg.contains("paused: bad form"))
  }

  @Test("The JSON of a replay gives the score three ways for labels and answers")
  func replayJSON() throws {
    let value = try json(Program.run("replay", Self.sequence, "--format", "json"))
    let result = try #require(value["result"] as? [String: Any])
    let sessions = try #require(result["sessions"] as? [String: [String: Any]])
    #expect(Set(sessions.keys) == ["labels", "answers", "answers_by_grade"])
    for session in sessions.values {
      for key in ["score_by_frames", "score_by_time", "score_late"] {
        #expect((0...100).contains(try #require(session[key] as? Double)))
      }
    }
  }

  @Test(
    "A mistake in a strategy is a usage error that says what is meant",
    arguments: [
      ("--smoothing medain", "did you mean `median`?"),
      ("--smoothing ema:cutof=2Hz", "did you mean `cutoff`?"),
      ("--debounce dwel", "did you mean `dwell`?"),
      ("--detector gravity --debounce bands:side_raise=2cm", "did you mean `side_rise`?"),
      ("--debounce dwell --set plank_frames=5", "leave plank_frames at 1"),
      (
        "--detector gravity --debounce bands:sag_fraction=0.01",
        "bands has no parameter `sag_fraction`"
      ),
      ("--predictions . --smoothing ema", "remove --smoothing and --debounce"),
    ])
  func mistakes(flags: String, hint: String) throws {
    let run = try Program.shell("planklab evaluate \(Program.scripted) \(flags)")
    #expect(run.status == 64 && run.errors.contains(hint), "\(run.errors)")
    #expect(run.output.isEmpty)
  }
}
