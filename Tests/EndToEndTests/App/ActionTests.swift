import Foundation
import TestSupport
import Testing

@Suite("The action for GitHub, and what workflows may use")
struct ActionTests {
  /// A run of the action's step that judges, with the files that GitHub reads.
  private struct Step {
    var run: Program.Run
    var outputs: String
    /// The lines on stdout that the runner carries out, not those between the marks.
    var commands: [Substring]
  }

  /// Runs the step in a workspace whose first person has a name that tries to be a command.
  private func gate(late: [Int], gate file: String = "gate.yaml") throws -> Step {
    let gated = try GateWorkspace(rules: "  - {metric: plank.accuracy, largest_drop: 0.05}\n")
    let hostile = #""$(touch pwned)\n::error::pwned""#
    try gated.workspace.replace(
      "subject: person1", with: "subject: \(hostile)", in: "data/dataset.yaml")
    try gated.update().expect(0)
    try gated.answers("new", late: late)
    try gated.workspace.makeFolder("temp folder")
    let script = Repository.file("action/gate").path
    let run = try gated.workspace.shell(
      """
      export PLANKLAB_GATE='\(file)' PLANKLAB_PREDICTIONS=new
      export RUNNER_TEMP="$PWD/temp folder" GITHUB_OUTPUT="$PWD/output"
      export GITHUB_STEP_SUMMARY="$PWD/summary"
      exec bash '\(script)'
      """)
    #expect(!FileManager.default.fileExists(atPath: gated.workspace.path("pwned")))
    let outputs = try gated.workspace.text("output")
    if run.status != 66 {
      let report = try #require(
        outputs.split(separator: "\n").first { $0.hasPrefix("report=") }?.dropFirst(7))
      let files = try FileManager.default.contentsOfDirectory(atPath: String(report))
      #expect(files.sorted() == ["gate.html", "gate.json", "gate.md", "gate.xml"])
      let summary = try gated.workspace.text("summary")
      #expect(
        ["# Merge: ", "# Look first: ", "# Do not merge: ", "# Not judged: "]
          .contains(where: summary.hasPrefix))
    }
    return Step(run: run, outputs: outputs, commands: Self.commands(run.output))
  }

  private static func commands(_ output: String) -> [Substring] {
    var word: Substring?
    return output.split(separator: "\n").filter { line in
      if let stopped = word {
        if line == "::\(stopped)::" { word = nil }
        return false
      }
      guard line.hasPrefix("::") else { return false }
      guard line.hasPrefix("::stop-commands::") else { return true }
      word = line.dropFirst("::stop-commands::".count)
      return false
    }
  }

  @Test("A good change passes without an annotation")
  func good() throws {
    let step = try gate(late: [3, 3, 2, 5, 3, 4])
    #expect(step.run.status == 0, "\(step.run.errors)")
    #expect(step.outputs.contains("exit-code=0\nverdict=pass\n"), "\(step.outputs)")
    #expect(step.commands == [])
  }

  @Test("A bad change stops, and only the annotation of planklab is a command")
  func bad() throws {
    let step = try gate(late: [23, 25, 20, 27, 22, 26])
    #expect(step.run.status == 2, "\(step.run.errors)")
    #expect(step.outputs.contains("exit-code=2\nverdict=regressed\n"), "\(step.outputs)")
    try #require(step.commands.count == 1, "\(step.commands)")
    #expect(step.commands[0].hasPrefix("::error title=regressed%3A plank.accuracy::"))
  }

  @Test("A gate that does not exist has no verdict and keeps the exit code")
  func missing() throws {
    let step = try gate(late: [3, 4, 2, 5, 3, 4], gate: "-$(touch pwned).yaml")
    #expect(step.run.status == 66, "\(step.run.errors)")
    #expect(step.outputs == "exit-code=66\nverdict=\n")
  }

  /// The action, and every workflow that is run here or copied from a page.
  private static let workflows: [String] = {
    let folders = [".github/workflows", "docs/ci"]
    let files = folders.flatMap { folder -> [String] in
      let path = Repository.file(folder).path
      let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      return names.filter { $0.hasSuffix(".yml") }.map { folder + "/" + $0 }
    }
    return (["action.yml"] + files).sorted()
  }()

  @Test("There are workflows to check")
  func workflowsExist() { #expect(Self.workflows.count > 3) }

  @Test("Every action is pinned to a commit, with its version beside it", arguments: workflows)
  func pinned(file: String) throws {
    let text = try String(
      contentsOf: Repository.file(file), encoding: .utf8)
    let used = text.split(separator: "\n").filter { $0.contains("uses: ") }
    #expect(!used.isEmpty)
    for line in used where !line.contains("uses: OWNER/planklab@") {
      #expect(line.contains(/uses: [\w.-]+\/[\w.\/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/), "\(line)")
    }
    let checkouts = used.filter { $0.contains("actions/checkout@") }.count
    let withoutCredentials = text.split(separator: "\n").filter {
      $0.contains("persist-credentials: false")
    }
    #expect(withoutCredentials.count == checkouts)
  }
}

@Suite("The step summary of a gate")
struct StepSummaryTests {
  /// Runs a gate that regresses, with a summary that other steps have written to.
  private func summary(after known: String) throws -> (run: Program.Run, text: String) {
    let gated = try GateWorkspace(
      rules: "  - {metric: plank.accuracy, largest_drop: 0.05}\n"
    ).updated()
    try gated.answers("worse", late: [23, 25, 20, 27, 22, 26])
    let path = try gated.workspace.write(known, to: "summary.md")
    let run = try gated.workspace.shell(
      "GITHUB_STEP_SUMMARY='\(path)' planklab gate gate.yaml --predictions worse --format github")
    return (run, try Program.text(path))
  }

  @Test("The summary is added to what is there, with people and moments")
  func added() throws {
    let (run, text) = try summary(after: "# Another step\n")
    #expect(run.status == 2, "\(run.errors)")
    #expect(run.output.hasPrefix("::error title=regressed%3A plank.accuracy::"))
    #expect(
      text.hasPrefix("# Another step\n# Do not merge: plank.accuracy is worse by "), "\(text)")
    #expect(text.contains("Worse in plank.accuracy: person4"))
    #expect(text.contains("| p4 | person4 |"))
  }

  @Test(
    "A summary that is nearly full stays below 1 MiB", arguments: [999_000, 999_990, 1_040_000])
  func full(bytes: Int) throws {
    let known = String(repeating: "x", count: bytes - 1) + "\n"
    let (run, text) = try summary(after: known)
    #expect(run.status == 2, "\(run.errors)")
    #expect(text.utf8.count <= 1 << 20)
    #expect(text.hasPrefix(known))
    #expect(text.contains("The rest is omitted") == (bytes == 999_000))
  }

  @Test("A summary that cannot be written changes no verdict", arguments: ["no/such", "."])
  func unwritable(path: String) throws {
    let gated = try GateWorkspace(rules: "  - {metric: plank.accuracy, at_least: 0.1}\n").updated()
    try gated.workspace.shell(
      "GITHUB_STEP_SUMMARY='\(path)' planklab gate gate.yaml --predictions answers --format github"
    ).expect(0, errors: "the step summary could not be written")
  }
}
