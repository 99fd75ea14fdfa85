import Foundation
import Testing

/// A divided sweep from the command line: parts, their merge, and what is made of it.
@Suite("Merging from the command line")
struct RunsMergeTests {
  private static let experiment = "experiments/first-steps"
  private static let axes = [
    "--axis", "sag=2cm,5cm", "--axis", "pike=3cm,5cm", "--axis", "form_frames=1,3", "--axis",
    "elbow_split=120,140", "--axis", "plank_frames=1,2,5",
  ]
  private let workspace: Workspace

  init() throws { workspace = try Workspace() }

  private func sweep(_ store: String, _ more: String...) throws {
    let run = try Program.run(["sweep", Self.experiment, "--store", store] + Self.axes + more)
    try #require(run.status == 0, "\(run.errors)")
  }

  private func export(_ store: String) throws -> String {
    let run = try Program.run("runs", "export", "--store", store, "--format", "jsonl")
    try #require(run.status == 0, "\(run.errors)")
    return run.output
  }

  @Test("Exports of merged parts have the bytes of the undivided sweep, and tune takes both")
  func equal() throws {
    let whole = workspace.path("whole.sqlite")
    let merged = workspace.path("merged.sqlite")
    let parts = (1...3).map { workspace.path("part-\($0).sqlite") }
    try sweep(whole)
    for (index, part) in parts.enumerated() { try sweep(part, "--shard", "\(index + 1)/3") }
    try sweep(parts[2], "--shard", "3/3")
    let run = try Program.run(["runs", "merge"] + parts + ["--store", merged])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("merged 3 parts") && run.output.contains("1 repeated part agreed"))
    #expect(try export(merged) == export(whole))
    let again = try Program.run(["runs", "merge"] + parts + ["--store", merged])
    #expect(again.status == 0 && again.output.contains("already"), "\(again.output)")

    func tune(_ more: String...) throws -> String {
      let run = try Program.run(["tune", Self.experiment, "--format", "json"] + Self.axes + more)
      try #require(run.status == 0, "\(run.errors)")
      return run.output
    }
    #expect(try tune() == tune("--from-store", merged))
    let other = try Program.run(
      ["tune", Self.experiment, "--from-store", merged] + Self.axes + ["--seed", "9"])
    #expect(other.status == 3 && other.errors.contains("the seed changed"), "\(other.errors)")
  }

  @Test("An experiment has one name, however its path is typed")
  func spellings() throws {
    let source = Program.root.path + "/experiments/first-steps/experiment.yaml"
    let text = try String(contentsOfFile: source, encoding: .utf8)
    let folder = workspace.folder.appendingPathComponent("e")
    try workspace.write(
      text.replacing("../../datasets/scripted", with: Program.scripted), to: "e/experiment.yaml")
    try FileManager.default.createSymbolicLink(
      atPath: workspace.path("linked.yaml"), withDestinationPath: "e/experiment.yaml")
    func run(_ words: String) throws -> Program.Run {
      try Program.shell(
        "planklab \(words) \(words.hasPrefix("runs") ? "" : Self.axes.joined(separator: " "))",
        in: folder)
    }
    let spellings = [
      "experiment.yaml", folder.path + "/experiment.yaml", ".", "../e/../e", "../linked.yaml",
    ]
    for (index, spelling) in spellings.enumerated() {
      let part = try run("sweep \(spelling) --store p\(index).sqlite --shard \(index + 1)/5")
      try #require(part.status == 0, "\(part.errors)")
    }
    let merge = try run("runs merge p?.sqlite --store m.sqlite")
    #expect(merge.status == 0, "\(merge.errors)")
    let list = try run("runs list --store m.sqlite --format json")
    #expect(list.output.contains("\"experiment\": \"e\""), "\(list.output)")
    for spelling in spellings {
      let tune = try run("tune \(spelling) --from-store m.sqlite")
      #expect(tune.status == 0, "\(tune.errors)")
    }
  }

  @Test("A gap, an empty store and a store without the experiment are named")
  func mistakes() throws {
    let part = workspace.path("part.sqlite")
    let merged = workspace.path("merged.sqlite")
    try sweep(part, "--shard", "2/2")
    let gap = try Program.run("runs", "merge", part, "--store", merged)
    #expect(gap.status == 65 && gap.errors.contains("are missing: 1/2"), "\(gap.errors)")
    #expect(!FileManager.default.fileExists(atPath: merged))
    let other = try Program.run(
      "runs", "merge", part, "--experiment", "squats", "--store", merged)
    #expect(other.status == 66 && other.errors.contains("holds no runs of experiment `squats`"))
    let tune = try Program.run("tune", Self.experiment, "--from-store", part)
    #expect(tune.status == 66 && tune.errors.contains("runs merge"), "\(tune.errors)")
  }

  @Test("The store of the whole may hold the parts, and merging again changes nothing")
  func intoParts() throws {
    let store = workspace.path("runs.sqlite")
    let other = workspace.path("other.sqlite")
    try sweep(store, "--shard", "1/2")
    try sweep(other, "--shard", "2/2")
    for word in ["merged 2 parts", "already"] {
      let run = try Program.run("runs", "merge", store, other, "--store", store)
      #expect(run.status == 0 && run.output.contains(word), "\(run.output)\(run.errors)")
    }
  }
}
