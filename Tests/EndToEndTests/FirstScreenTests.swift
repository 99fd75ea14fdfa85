import Foundation
import Testing

/// What `evaluate` prints for people, and the commands to which it leads.
@Suite("First screen of an evaluation")
struct FirstScreenTests {
  @Test("Text and Markdown name the matrix, what is wrong and the worst moments")
  func faces() throws {
    let text = try Program.run("evaluate", Program.scripted, "--section", "all")
    #expect(text.status == 0 && !text.output.contains("\u{1B}"))
    for words in ["truth in rows", "What is wrong", "worst moments", "flickers/"] {
      #expect(text.output.contains(words), "\(words)")
    }
    let markdown = try Program.run("evaluate", Program.scripted, "--format", "markdown")
    #expect(markdown.output.hasPrefix("# coach on"))
    #expect(markdown.output.contains("truth in rows"))
  }

  @Test("The first screen fits, and its commands explain what they say")
  func firstScreen() throws {
    let run = try Program.run(
      "evaluate", "datasets/scripted", "--detector", "gravity", "--set", "sag=4cm")
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(run.status == 0 && lines.count <= 37 && lines.allSatisfy { $0.count <= 80 })
    // A long command goes on in the next line.
    let commands = run.output.replacing(/\\\n +/, with: "").split(separator: "\n")
      .map { $0.drop { $0 == " " } }.filter { $0.hasPrefix("planklab explain") }
    try #require(!commands.isEmpty)
    let explained = try Program.shell(String(commands[0]))
    #expect(explained.status == 0, "\(explained.errors)")
    #expect(run.output.contains("`none` is taken for `high`"))
    #expect(explained.output.contains("truth none, answer high"), "\(explained.output)")
  }

  @Test("The worst moments of a dataset are explained in one go, the worst first")
  func worst() throws {
    let run = try Program.run(
      "explain", "datasets/scripted", "--detector", "gravity", "--worst", "2")
    let titles = run.output.split(separator: "\n").filter { $0.contains(" s, frame ") }
    #expect(run.status == 0 && titles.count == 2, "\(run.errors)")
    #expect(titles[0].hasPrefix("s04-pelvis at 5.000 s"))
    for flags in [[], ["--at", "1", "--worst", "1"], ["--worst", "0"], ["--worst", "11"]] {
      let refused = try Program.run(["explain", "datasets/scripted"] + flags)
      #expect(refused.status == 64 && !refused.errors.isEmpty)
    }
  }

  @Test("A recording without labels is told how much it flickers")
  func unlabeled() throws {
    let workspace = try Workspace()
    let path = workspace.path("session.poses.jsonl")
    try FileManager.default.copyItem(
      atPath: Program.scripted + "/s01-floor.poses.jsonl", toPath: path)
    let run = try Program.run("evaluate", path)
    #expect(run.status == 0, "\(run.errors)")
    for words in [
      "Flicker: the plank answer changes", "no frame has a label", "Dropouts: ", "Jitter ",
      "make labels",
    ] {
      #expect(run.output.contains(words), "\(words)")
    }
    let labeled = try Program.run("evaluate", Program.scripted + "/s01-floor")
    #expect(labeled.output.contains("accuracy") && labeled.output.contains("1 recording"))
  }
}
