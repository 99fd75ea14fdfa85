import Foundation
import Testing

@Suite("The step summary of a gate")
struct StepSummaryTests {
  /// Runs a gate that regresses, with a summary that other steps have written to.
  private func summary(after known: String) throws -> (run: Program.Run, text: String) {
    let gated = try GateWorkspace()
    try gated.gate("  - {metric: plank.accuracy, largest_drop: 0.05}\n")
    try gated.answers("answers", late: [3, 4, 2, 5, 3, 4])
    let update = try gated.update()
    try #require(update.status == 0, "\(update.errors)")
    try gated.answers("worse", late: [23, 25, 20, 27, 22, 26])
    let path = try gated.workspace.write(known, to: "summary.md")
    let run = try Program.shell(
      "GITHUB_STEP_SUMMARY='\(path)' planklab gate gate.yaml --predictions worse --format github",
      in: gated.workspace.folder)
    return (run, try String(contentsOfFile: path, encoding: .utf8))
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
    #expect(text.contains("The rest is left out") == (bytes == 999_000))
  }

  @Test("A summary that cannot be written changes no verdict", arguments: ["no/such", "."])
  func unwritable(path: String) throws {
    let gated = try GateWorkspace()
    try gated.gate("  - {metric: plank.accuracy, at_least: 0.1}\n")
    try gated.answers("answers", late: [3, 4, 2, 5, 3, 4])
    try #require(try gated.update().status == 0)
    let run = try Program.shell(
      "GITHUB_STEP_SUMMARY='\(path)' planklab gate gate.yaml --predictions answers --format github",
      in: gated.workspace.folder)
    #expect(
      run.status == 0 && run.errors.contains("the step summary was not written"), "\(run.errors)")
  }
}
