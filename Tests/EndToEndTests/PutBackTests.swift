import Foundation
import Testing

/// Gates that stop and put each change since the baseline back.
@Suite("Changes put back by a gate")
struct PutBackTests {
  private func thresholds(_ parameters: String) -> String {
    #"{"format": "planklab-thresholds", "schema_version": 1, "detector": "gravity", "#
      + "\"parameters\": {\(parameters)}}"
  }

  /// A gate on the scripted dataset with a baseline of the defaults.
  private func gated() throws -> Workspace {
    let workspace = try Workspace()
    let data = Program.root.appendingPathComponent("datasets/scripted").path
    try workspace.write(
      "dataset: \(data)\nparameters: thresholds.json\nbaseline: baseline.json\nrules:\n"
        + "  - {metric: plank.f1_macro, largest_drop: 0.02}\n", to: "gate.yaml")
    try workspace.write(thresholds(#""elbow_split": 140"#), to: "thresholds.json")
    let update = try run(workspace, "baseline", "update", "--reason", "test", "--allow-dirty")
    try #require(update.status == 0, "\(update.errors)")
    return workspace
  }

  private func run(_ workspace: Workspace, _ command: String...) throws -> Program.Run {
    let words = command.prefix(command.first == "baseline" ? 2 : 1)
    return try Program.run(
      Array(words) + [workspace.path("gate.yaml")] + command.dropFirst(words.count))
  }

  private func diagnosis(_ workspace: Workspace) throws -> [String: Any]? {
    let run = try run(workspace, "gate", "--format", "json")
    let value = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    return (value?["result"] as? [String: Any])?["diagnosis"] as? [String: Any]
  }

  @Test("The change that broke the rule is named, the other is not, and the gate holds without it")
  func named() throws {
    let workspace = try gated()
    try workspace.write(
      thresholds(#""elbow_split": 178, "grade_good": 0.031"#), to: "thresholds.json")
    let stopped = try run(workspace, "gate")
    #expect(stopped.status == 2, "\(stopped.output)\(stopped.errors)")
    #expect(
      stopped.output.hasPrefix("Do not merge: put `elbow_split` back to 140 deg"),
      "\(stopped.output)")
    #expect(stopped.words.contains("`elbow_split` 140 -> 178 deg turns "), "\(stopped.output)")
    #expect(stopped.words.contains("putting `grade_good` back mends no rule"), "\(stopped.output)")
    let again = try run(workspace, "gate", "--set", "elbow_split=140deg")
    #expect(again.status == 0, "\(again.output)\(again.errors)")
    #expect(try diagnosis(workspace)?["differing_sequences"] as? Int == 0)
  }

  @Test("A gate that passes puts nothing back")
  func passing() throws {
    let workspace = try gated()
    try workspace.write(thresholds(#""elbow_split": 140.5"#), to: "thresholds.json")
    #expect(try run(workspace, "gate").status == 0)
    #expect(try diagnosis(workspace) == nil)
  }

  @Test("Smoothing and debounce are put back, too")
  func strategies() throws {
    let workspace = try gated()
    let run = try run(
      workspace, "gate", "--smoothing", "ema:cutoff=0.02Hz", "--debounce", "dwell:enter=9s,exit=9s")
    #expect(run.status == 2, "\(run.output)\(run.errors)")
    #expect(run.words.contains("`smoothing`") && run.words.contains("`debounce`"), "\(run.output)")
  }

  @Test("A saved result gives the page again")
  func saved() throws {
    let workspace = try gated()
    try workspace.write(thresholds(#""elbow_split": 178"#), to: "thresholds.json")
    let made = try run(
      workspace, "gate", "--write", "json=" + workspace.path("gate.yaml.json"), "--html",
      workspace.path("made.html"))
    #expect(made.status == 2, "\(made.errors)")
    let again = try Program.run(
      "report", "--from", workspace.path("gate.yaml.json"), "--html", workspace.path("again.html"))
    #expect(again.status == 0, "\(again.errors)")
    // A saved result has no frames, so the changed seconds stand without their viewer.
    let pages = try ["made.html", "again.html"].map { try workspace.partsOfPage($0) }
    #expect(pages[0].keys == pages[1].keys && pages[0].count > 3)
    for (id, part) in pages[0] where id != "changed" { #expect(part == pages[1][id], "\(id)") }
    let whole = try String(contentsOfFile: workspace.path("again.html"), encoding: .utf8)
    #expect(whole.contains("The moment that broke") && whole.contains("<figure class=\"shot\""))
  }

  @Test("Settings of the command line do not mix with saved answers")
  func answers() throws {
    let workspace = try gated()
    let run = try run(workspace, "gate", "--predictions", "answers", "--set", "sag=3cm")
    #expect(run.status == 64 && run.errors.contains("saved answers"), "\(run.errors)")
  }
}
