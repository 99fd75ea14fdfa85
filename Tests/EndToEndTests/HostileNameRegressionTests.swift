import Foundation
import Testing

/// Past effects of hostile names in files.
@Suite("Names in files, once harmful")
struct HostileNameRegressionTests {
  private static let poses = BadInputTests.Case.good + "\n" + #"{"t":0,"p":[0,0,0]}"# + "\n"

  private func manifest(_ entry: String) throws -> (Workspace, String) {
    let workspace = try Workspace()
    let dataset = try workspace.dataset(poses: Self.poses)
    try workspace.write(
      "name: \"a\\e[2Jb\"\nsequences:\n  - {\(entry)}\n", to: "data/dataset.yaml")
    return (workspace, dataset)
  }

  @Test(
    "Control characters of names and subjects do not reach the terminal",
    arguments: [
      ["dataset", "show"], ["dataset", "show", "--format", "markdown"], ["evaluate"],
      ["dataset", "lint"], ["dataset", "show", "--sequence", "\u{1B}[1mx"],
    ])
  func controls(arguments: [String]) throws {
    let (workspace, dataset) = try manifest(
      #"poses: a.poses.jsonl, labels: a.labels.csv, subject: "s\e]0;x\a""#)
    let options = arguments.drop { $0 != "--format" && $0 != "--sequence" }
    let command = arguments.dropLast(options.count) + [dataset] + options
    let run = try withExtendedLifetime(workspace) { try Program.run(Array(command)) }
    let controls = (run.output + run.errors).unicodeScalars.filter {
      $0.properties.generalCategory == .control && $0 != "\n"
    }
    #expect(controls.isEmpty, "\((run.output + run.errors).debugDescription)")
    #expect(!(run.output + run.errors).isEmpty)
  }

  @Test("A path with a NUL character is refused with its line", arguments: ["poses", "labels"])
  func nul(key: String) throws {
    let other = key == "poses" ? "labels: a.labels.csv" : "poses: a.poses.jsonl"
    let (workspace, dataset) = try manifest(#"\#(other), \#(key): "a.poses.jsonl\0.txt""#)
    let run = try withExtendedLifetime(workspace) { try Program.run("evaluate", dataset) }
    #expect(run.status == 65, "\(run.errors)")
    #expect(run.errors.contains("dataset.yaml:3") && run.errors.contains("NUL"), "\(run.errors)")
  }
}
