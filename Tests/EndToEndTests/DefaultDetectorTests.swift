import Foundation
import Testing

/// What a change of the default detector does to gates that never named one.
@Suite("Gate without a detector")
struct DefaultDetectorTests {
  private static func workspace() throws -> GateWorkspace {
    let gated = try GateWorkspace()
    let rules = "rules:\n  - {metric: plank.f1_macro, largest_drop: 0.05}\n"
    let head = "dataset: data\nbaseline: baseline.json\n"
    try gated.workspace.write(head + "detector: gravity\n" + rules, to: "named.yaml")
    try gated.workspace.write(head + rules, to: "open.yaml")
    let made = try Program.run(
      "baseline", "update", gated.workspace.path("named.yaml"), "--reason", "old", "--allow-dirty")
    #expect(made.status == 0, "\(made.errors)")
    return gated
  }

  @Test("A baseline of the former default is not comparable, and both ways on are named")
  func former() throws {
    let gated = try Self.workspace()
    let run = try Program.run("gate", gated.workspace.path("open.yaml"))
    #expect(run.status == 3, "\(run.output)")
    #expect(run.words.contains("the default detector changed from gravity to coach"))
    #expect(run.words.contains("`detector: gravity`") && run.words.contains("`detector: coach`"))
  }

  @Test("A gate that names the baseline's detector goes on as before")
  func named() throws {
    let gated = try Self.workspace()
    let run = try Program.run("gate", gated.workspace.path("named.yaml"))
    #expect(run.status == 0, "\(run.output)")
  }
}
