import Foundation
import Testing

/// What `init` makes of a repository.
@Suite("Setting up a repository")
struct InitTests {
  private static func repository() throws -> Workspace {
    let workspace = try Workspace()
    let run = try Program.shell(
      "git init --quiet && git config user.name t && git config user.email t@localhost",
      in: workspace.folder)
    #expect(run.status == 0, "\(run.errors)")
    return workspace
  }

  private static func shell(_ line: String, in workspace: Workspace) throws -> Program.Run {
    try Program.shell("unset PLANKLAB_DEFAULTS; " + line, in: workspace.folder)
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
    let made = try Self.shell("planklab init", in: workspace)
    #expect(made.status == 0, "\(made.errors)")
    for line in made.output.components(separatedBy: "\n") { #expect(line.count <= 80, "\(line)") }
    let next = made.output.components(separatedBy: "next:\n").last ?? ""
    #expect(next.contains("planklab evaluate") && next.contains("planklab baseline update"))
    let walked = try Self.shell(
      "set -e; planklab evaluate; git add .; git commit --quiet -m gate; "
        + "planklab baseline update --reason 'first numbers'; planklab gate", in: workspace)
    #expect(walked.status == 0, "\(walked.errors)")
    #expect(walked.output.contains("verdict: pass"))
  }

  @Test("What exists stays, and running it again only adds what is missing")
  func again() throws {
    let workspace = try Self.repository()
    try workspace.write("*.png binary", to: ".gitattributes")
    try workspace.write("# mine\n", to: "planklab.yaml")
    let first = try Self.shell("planklab init", in: workspace)
    #expect(first.status == 0 && first.output.contains("kept planklab.yaml"), "\(first.errors)")
    let attributes = try String(contentsOfFile: workspace.path(".gitattributes"), encoding: .utf8)
    #expect(attributes.hasPrefix("*.png binary\n*.poses.jsonl -text\n"))
    #expect(
      try String(contentsOfFile: workspace.path("planklab.yaml"), encoding: .utf8) == "# mine\n")
    try Self.record("planklab/recordings", in: workspace)
    let second = try Self.shell("planklab init", in: workspace)
    #expect(second.output.contains("made planklab/recordings/dataset.yaml"), "\(second.output)")
    #expect(second.output.contains("kept .gitattributes"))
  }

  @Test("--dry-run makes nothing")
  func dryRun() throws {
    let workspace = try Self.repository()
    let run = try Self.shell("planklab init --dry-run", in: workspace)
    #expect(run.status == 0 && run.output.contains("would make planklab/gate.yaml"))
    let names = try FileManager.default.contentsOfDirectory(atPath: workspace.folder.path)
    #expect(names == [".git"])
  }

  @Test("Recordings in another folder stay there, and the gate and the defaults name it")
  func otherFolder() throws {
    let workspace = try Self.repository()
    try Self.record("Tests/planks", in: workspace)
    let run = try Self.shell("planklab init --dataset Tests/planks --owner me", in: workspace)
    #expect(run.status == 0, "\(run.errors)")
    let gate = try String(contentsOfFile: workspace.path("planklab/gate.yaml"), encoding: .utf8)
    #expect(gate.contains("dataset: ../Tests/planks\n"))
    let workflow = try String(
      contentsOfFile: workspace.path(".github/workflows/planklab.yml"), encoding: .utf8)
    #expect(workflow.contains("uses: me/planklab@") && !workflow.contains("OWNER/"))
    let outside = try Self.shell("planklab init --dataset ..", in: workspace)
    #expect(outside.status == 64 && outside.errors.contains("copy the recordings into"))
  }
}
