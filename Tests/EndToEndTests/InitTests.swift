import Foundation
import Testing

@Suite("Setting up a repository")
struct InitTests {
  private static func repository() throws -> Workspace {
    let workspace = try Workspace()
    try workspace.shell(
      "git init --quiet && git config user.name t && git config user.email t@localhost"
    ).expect(0)
    return workspace
  }

  private static func shell(_ line: String, in workspace: Workspace) throws -> Program.Run {
    try workspace.shell("unset PLANKLAB_DEFAULTS; " + line)
  }

  /// Copies two people's recordings, with labels, as an app's folder has them.
  private static func record(_ folder: String, in workspace: Workspace) throws {
    for (name, source) in [("anna-1", "s01-floor"), ("ben-1", "s02-sides")] {
      for ending in [".poses.jsonl", ".labels.csv"] {
        let data = try Data(
          contentsOf: URL(fileURLWithPath: "\(Program.scripted)/\(source)\(ending)"))
        try workspace.write(data, to: "\(folder)/\(name)\(ending)")
      }
    }
  }

  @Test("Four commands lead from recordings to a gate that passes")
  func walk() throws {
    let workspace = try Self.repository()
    try Self.record("planklab/recordings", in: workspace)
    let made = try Self.shell("planklab init", in: workspace).expect(0)
    for line in made.output.components(separatedBy: "\n") { #expect(line.count <= 80, "\(line)") }
    let next = made.output.components(separatedBy: "next:\n").last ?? ""
    #expect(next.contains("planklab evaluate") && next.contains("planklab baseline update"))
    try Self.shell(
      "set -e; planklab evaluate; git add .; git commit --quiet -m gate; "
        + "planklab baseline update --reason 'first numbers'; planklab gate", in: workspace
    ).expect(0, output: "verdict: pass")
  }

  @Test("What exists stays, and running it again only adds what is missing")
  func again() throws {
    let workspace = try Self.repository()
    try workspace.write("*.png binary", to: ".gitattributes")
    try workspace.write("# mine\n", to: "planklab.yaml")
    try Self.shell("planklab init", in: workspace).expect(0, output: "kept planklab.yaml")
    let attributes = try workspace.text(".gitattributes")
    #expect(attributes.hasPrefix("*.png binary\n*.poses.jsonl -text\n"))
    #expect(
      try workspace.text("planklab.yaml") == "# mine\n")
    try Self.record("planklab/recordings", in: workspace)
    let second = try Self.shell("planklab init", in: workspace)
    #expect(second.output.contains("made planklab/recordings/dataset.yaml"), "\(second.output)")
    #expect(second.output.contains("kept .gitattributes"))
  }

  @Test(
    "A form that falls is never merged unseen, whether recordings or init come first",
    arguments: [true, false])
  func formFalls(isInitFirst: Bool) throws {
    let workspace = try Self.repository()
    if isInitFirst { #expect(try Self.shell("planklab init", in: workspace).status == 0) }
    try Self.record("planklab/recordings", in: workspace)
    try Self.shell(
      "set -e; planklab init; git add .; git commit --quiet -m gate; "
        + "planklab baseline update --reason 'first numbers'", in: workspace
    ).expect(0)
    let command = "planklab gate --set coach_sag_angle=160deg"
    let stopped = try Self.shell(command, in: workspace).expect(2)
    #expect(stopped.output.hasPrefix("Do not merge: put `coach_sag_angle` back to "))
    #expect(stopped.words.contains("Form: Keep yours (likely: "), "\(stopped.output)")

    let gate = try workspace.text("planklab/gate.yaml")
    let rules = gate.components(separatedBy: "  - metric: form.f1_macro")
    #expect(rules.count == 2)
    try workspace.write(rules[0], to: "planklab/gate.yaml")
    let passed = try Self.shell(command, in: workspace).expect(0)
    #expect(passed.output.hasPrefix("Look first: form fell by "), "\(passed.output)")
    #expect(passed.output.contains("and no rule judges it\n"))
    #expect(passed.words.contains("not judged by any rule: form. Keep yours (likely: "))
  }

  @Test("The rule about forms waits until one is labeled")
  func unlabeledForms() throws {
    let workspace = try Self.repository()
    try Self.record("planklab/recordings", in: workspace)
    for name in ["anna-1", "ben-1"] {
      let path = "planklab/recordings/\(name).labels.csv"
      let labels = try workspace.text(path)
      let planks = labels.split(separator: "\n").enumerated().map { index, row in
        index == 0 ? String(row) : row.split(separator: ",").prefix(3).joined(separator: ",") + ","
      }
      try workspace.write(planks.joined(separator: "\n") + "\n", to: path)
    }
    let run = try Self.shell(
      "set -e; planklab init; planklab baseline update --reason 'first numbers' --allow-dirty; "
        + "planklab gate", in: workspace
    ).expect(0, output: "verdict: pass")
    #expect(run.words.contains("form.f1_macro not labeled yet"), "\(run.output)")
    #expect(!run.output.contains("not judged by any rule"))
  }

  @Test("Recordings in another folder stay there, and the gate and the defaults name it")
  func otherFolder() throws {
    let workspace = try Self.repository()
    try Self.record("Tests/planks", in: workspace)
    try Self.shell("planklab init --dataset Tests/planks --owner me", in: workspace).expect(0)
    let gate = try workspace.text("planklab/gate.yaml")
    #expect(gate.contains("dataset: ../Tests/planks\n"))
    let workflow = try workspace.text(".github/workflows/planklab.yml")
    #expect(workflow.contains("uses: me/planklab@") && !workflow.contains("OWNER/"))
    try Self.shell("planklab init --dataset ..", in: workspace).expect(
      64, errors: "copy the recordings into")
  }
}
