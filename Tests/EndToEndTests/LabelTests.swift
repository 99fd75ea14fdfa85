import Foundation
import TestSupport
import Testing

@Suite("Labeling pages")
struct LabelPagesTests {
  private let workspace: Workspace

  init() throws { workspace = try Workspace() }

  /// A dataset of short recordings; every third has labels.
  private func dataset(recordings: Int) throws -> String {
    let poses = try Repository.text("datasets/scripted/s05-clip.poses.jsonl")
      .split(separator: "\n").prefix(4).joined(separator: "\n")
    let lines = try (0..<recordings).map { index in
      _ = try workspace.write(poses + "\n", to: "data/r\(index).poses.jsonl")
      guard index % 3 == 0 else { return "  - poses: r\(index).poses.jsonl\n" }
      _ = try workspace.write("start,end,plank,form\n0,1,none,\n", to: "data/r\(index).labels.csv")
      return "  - poses: r\(index).poses.jsonl\n    labels: r\(index).labels.csv\n"
    }
    _ = try workspace.write("name: many\nsequences:\n" + lines.joined(), to: "data/dataset.yaml")
    return workspace.path("data")
  }

  @Test("Each page holds 500 recordings, and the index names every page")
  func pages() throws {
    let data = try dataset(recordings: 501)
    let html = workspace.path("labels.html")
    let run = try Program.run("label", data, "--html", html).expect(0)
    #expect(run.words.contains("501 recordings, 167 with labels, on 2 pages"), "\(run.output)")
    let index = try Program.text(html)
    #expect(index.contains("501 recordings, 167 with labels"))
    for (name, first, last, count) in [
      ("labels-1.html", "r0", "r499", 500), ("labels-2.html", "r500", "r500", 1),
    ] {
      #expect(index.contains("<a href=\"./\(name)\">"))
      #expect(
        index.contains(
          "<td class=\"long\">\(first)</td><td class=\"long\">\(last)</td>"
            + "<td class=\"n\">\(count)</td>"))
      let page = try workspace.text(name)
      #expect(page.components(separatedBy: "<script type=\"application/json\"").count == count + 2)
      #expect(page.contains("\"name\": \"\(last)\""))
    }
  }

  @Test("500 recordings are one page")
  func onePage() throws {
    let data = try dataset(recordings: 500)
    let run = try Program.run("label", data, "--html", workspace.path("labels.html")).expect(0)
    #expect(run.words.contains("500 recordings, 167 with labels") && !run.output.contains("pages"))
    let files = try FileManager.default.contentsOfDirectory(atPath: workspace.path("."))
    #expect(files.filter { $0.hasSuffix(".html") } == ["labels.html"])
  }

  @Test(
    "A page in a folder that does not exist is refused before the work",
    arguments: [
      "label", "evaluate", "compare article gravity", "smoothers compare", "suggest", "thresholds",
      "replay",
    ])
  func missingFolder(command: String) throws {
    // The work would fail with another message: a label file is damaged.
    let data = try dataset(recordings: 1)
    _ = try workspace.write("start,end\nnever\n", to: "data/r0.labels.csv")
    let words = command.split(separator: " ").map(String.init)
    let isNested = words[0] == "smoothers"
    try Program.run(
      words.prefix(isNested ? 2 : 1) + [data] + words.dropFirst(isNested ? 2 : 1)
        + ["--html", workspace.path("nowhere/page.html")]
    ).expect(73, errors: "its folder does not exist; make it")
  }
}

@Suite("Labels beside a dataset's recordings")
struct LabelPlacementTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
    let poses = try Repository.text("datasets/scripted/s05-clip.poses.jsonl")
      .replacing(#""subject": "s05""#, with: "").replacing(#""subject":"s05","#, with: "")
    for name in ["ann-1", "ben-1"] { try workspace.write(poses, to: "data/\(name).poses.jsonl") }
    try workspace.write(
      "name: two\nsequences:\n  - poses: ann-1.poses.jsonl\n  - poses: ben-1.poses.jsonl\n",
      to: "data/dataset.yaml")
  }

  private func run(_ table: String, _ options: String...) throws -> Program.Run {
    let file = try workspace.write(table, to: "labels.csv")
    return try Program.run(
      ["label", "import", file, "--dataset", workspace.path("data")] + options)
  }

  private static let table = "recording,start,end,label\nann-1,0,1,none\nben-1,0,1,high\n"

  @Test("People can be named after the labels, and the command is printed")
  func people() throws {
    try run(Self.table).expect(0, errors: "without a person: ann-1, ben-1")
    let people = try workspace.write("recording,subject\nann-1,ann\n", to: "people.csv")
    try run(Self.table, "--people", people).expect(
      0, errors: "unchanged: 2 label files", "without a person: ben-1")
    let manifest = try workspace.text("data/dataset.yaml")
    #expect(manifest.contains("subject: ann"))
  }

  @Test("Labels in another spelling are the same labels, and a header may name the person")
  func spelling() throws {
    try workspace.write("start,end,plank,form\r\n0.0,1.0,none,\r\n", to: "data/ann-1.labels.csv")
    let named = try Repository.text("datasets/scripted/s05-clip.poses.jsonl")
    try workspace.write(named, to: "data/ann-1.poses.jsonl")
    let run = try run("recording,start,end,label\nann-1,0,1,none\n").expect(0)
    #expect(run.errors.contains("unchanged: 1 label file") && !run.errors.contains("a person"))
  }

  @Test("Other labels are never replaced, and nothing is written")
  func corrected() throws {
    try run("recording,start,end,label\nann-1,0,1,none\n").expect(0)
    let before = try workspace.text("data/ann-1.labels.csv")
    try run("recording,start,end,label\nann-1,0,1,high\nben-1,0,1,high\n").expect(
      73, errors: "other labels are there", "move them away")
    #expect(
      try workspace.text("data/ann-1.labels.csv")
        == before)
    #expect(!FileManager.default.fileExists(atPath: workspace.path("data/ben-1.labels.csv")))
  }

  @Test("A table that names no recording is placed by --recording, which the refusal names")
  func nameless() throws {
    let table = "start,end,label\n0,1,none\n"
    try run(table).expect(65, errors: "Name the recording with --recording: ann-1, ben-1")
    try run(table, "--recording", "ben-1").expect(0)
    #expect(FileManager.default.fileExists(atPath: workspace.path("data/ben-1.labels.csv")))
  }

  @Test("Two annotators are told apart by --tier, which the refusal names")
  func annotators() throws {
    let table =
      "recording,annotator,start,end,label\nann-1,AB,0,1,none\nann-1,CD,0,1,high\n"
    let refused = try run(table).expect(65, errors: "choose one with --tier")
    #expect(!refused.errors.contains("ann-1-AB"))
    try run(table, "--tier", "CD").expect(0)
  }
}
