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
    let run = try Program.run("label", data, "--html", html)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.words.contains("501 recordings, 167 with labels, on 2 pages"), "\(run.output)")
    let index = try String(contentsOfFile: html, encoding: .utf8)
    #expect(index.contains("501 recordings, 167 with labels"))
    for (name, first, last, count) in [
      ("labels-1.html", "r0", "r499", 500), ("labels-2.html", "r500", "r500", 1),
    ] {
      #expect(index.contains("<a href=\"./\(name)\">"))
      #expect(
        index.contains(
          "<td class=\"long\">\(first)</td><td class=\"long\">\(last)</td>"
            + "<td class=\"n\">\(count)</td>"))
      let page = try String(contentsOfFile: workspace.path(name), encoding: .utf8)
      #expect(page.components(separatedBy: "<script type=\"application/json\"").count == count + 2)
      #expect(page.contains("\"name\": \"\(last)\""))
    }
  }

  @Test("500 recordings are one page")
  func onePage() throws {
    let data = try dataset(recordings: 500)
    let run = try Program.run("label", data, "--html", workspace.path("labels.html"))
    #expect(run.status == 0, "\(run.errors)")
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
    let run = try Program.run(
      words.prefix(isNested ? 2 : 1) + [data] + words.dropFirst(isNested ? 2 : 1)
        + ["--html", workspace.path("nowhere/page.html")])
    #expect(run.status == 73, "\(run.errors)")
    #expect(run.errors.contains("its folder does not exist; make it"), "\(run.errors)")
  }
}
