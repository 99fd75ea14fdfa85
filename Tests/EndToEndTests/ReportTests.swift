import Foundation
import Testing

/// Pages of results: made with the result, or later from what was saved.
@Suite("Report")
struct ReportTests {
  @Test("A saved result gives the page that `evaluate` writes without frames")
  func savedResult() throws {
    let workspace = try Workspace()
    let (page, result) = (workspace.path("a.html"), workspace.path("gravity.json"))
    let evaluated = try Program.run(
      "evaluate", Program.scripted, "--detector", "gravity", "--html", page,
      "--viewer-sequences", "0", "--format", "json", "--output", result)
    #expect(evaluated.status == 0, "\(evaluated.errors)")
    let again = workspace.path("b.html")
    let report = try Program.run("report", "--from", result, "--html", again)
    #expect(report.status == 0, "\(report.errors)")
    let first = try String(contentsOfFile: page, encoding: .utf8)
    #expect(first == (try String(contentsOfFile: again, encoding: .utf8)))
    #expect(
      first.contains("data-frames=\"114\"")
        && first.contains("accuracy 0.872 (0.801 ... 0.920), macro F1 0.880")
        && first.contains("<p class=\"note\">80 to 92 %</p>"))
    #expect(first.utf8.count < 300_000)
  }

  @Test("The stretches behind a cell of a matrix have the frames that the cell counts")
  func stretches() throws {
    let workspace = try Workspace()
    let page = workspace.path("a.html")
    let run = try Program.run(
      "evaluate", Program.scripted, "--detector", "gravity", "--html", page,
      "--viewer-sequences", "2")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("frame by frame for 2 sequences"))
    let html = try String(contentsOfFile: page, encoding: .utf8)
    #expect(html.contains("id=\"sequence-1-data\"") && !html.contains("id=\"sequence-2-data\""))
    let opening = try #require(html.range(of: "id=\"viewer-data\">"))
    let closing = try #require(html[opening.upperBound...].range(of: "</script>"))
    let text = html[opening.upperBound..<closing.lowerBound]
    let data = try JSONDecoder().decode(ViewerBlock.self, from: Data(text.utf8))
    let (none, high) = (0, 2)
    let plank = try #require(data.streams.first)
    let found = plank.stretches.filter { $0[1] == Double(none) && $0[2] == Double(high) }
    #expect(found.count == plank.counts[none * plank.labels.count + high])
    #expect(found.reduce(0) { $0 + $1[4] - $1[3] } == 114)
    #expect(html.contains("data-frames=\"114\""))
  }

  @Test(
    "A number of sequences that no page can show is refused",
    arguments: [
      ["--viewer-sequences", "5"], ["--viewer-sequences", "-1", "--html", "page.html"],
    ])
  func viewerRefusals(options: [String]) throws {
    let run = try Program.run(["evaluate", Program.scripted] + options)
    #expect(run.status == 64 && run.errors.contains("--viewer-sequences"), "\(run.errors)")
  }

  @Test("Several results share a page under their names")
  func severalResults() throws {
    let workspace = try Workspace()
    let names = ["article", "trunk"]
    for name in names {
      let run = try Program.run(
        "evaluate", Program.scripted, "--detector", name, "--format", "json", "--output",
        workspace.path(name + ".json"))
      #expect(run.status == 0, "\(run.errors)")
    }
    let page = workspace.path("page.html")
    let run = try Program.run(
      ["report", "--html", page] + names.flatMap { ["--from", workspace.path($0 + ".json")] })
    #expect(run.status == 0, "\(run.errors)")
    let html = try String(contentsOfFile: page, encoding: .utf8)
    for name in names { #expect(html.contains("data-name=\"\(name)\"")) }
  }

  @Test(
    "A file that is not a result of this version is refused with a remedy",
    arguments: [
      ("{", "the JSON cannot be read"), ("[]", "an object"),
      ("{\"a\": 1}", "planklab evaluate --output result.json"),
      ("{\"schema_version\": 1}", "older planklab"),
      (
        "{\"command\": \"detectors\", \"schema_version\": 1}",
        "which has no page; these commands have one: evaluate"
      ),
      ("{\"command\": \"evaluate\", \"schema_version\": 1}", "run `planklab evaluate` again"),
    ])
  func refusals(text: String, says: String) throws {
    let workspace = try Workspace()
    let file = try workspace.write(text, to: "result.json")
    let run = try Program.run("report", "--from", file, "--html", workspace.path("page.html"))
    #expect(run.status == 65, "\(run.errors)")
    #expect(run.errors.contains("result.json") && run.errors.contains(says), "\(run.errors)")
  }

  @Test("A saved comparison gives the page that `compare` wrote with it, verdict first")
  func comparison() throws {
    let workspace = try Workspace()
    let (page, result) = (workspace.path("a.html"), workspace.path("compare.json"))
    let compared = try Program.run(
      "compare", Program.scripted, "gravity", "article", "--resamples", "200", "--html", page,
      "--format", "json", "--output", result)
    #expect(compared.status == 0, "\(compared.errors)")
    let again = workspace.path("b.html")
    let report = try Program.run("report", "--from", result, "--html", again)
    #expect(report.status == 0, "\(report.errors)")
    // A saved comparison has no frames, so the seconds won and lost stand without their viewer.
    let pages = try ["a.html", "b.html"].map { try workspace.partsOfPage($0) }
    #expect(pages[0].keys == pages[1].keys && pages[0].count > 3)
    for (id, part) in pages[0] where id != "seconds" { #expect(part == pages[1][id], "\(id)") }
    #expect(pages[1]["seconds"]?.contains("<table class=\"gains\">") == true)
    let html = try String(contentsOfFile: page, encoding: .utf8)
    let verdict = try #require(html.range(of: "<h1>Plank: Keep yours (likely: "))
    let matrix = try #require(
      html.range(of: "<table class=\"matrix\" data-title=\"plank\" data-side=\"gravity\">"))
    #expect(verdict.lowerBound < matrix.lowerBound)
    #expect(html.contains("data-side=\"article\"") && html.contains("<dt>dataset hash</dt>"))
  }

  @Test("Results of several commands share a page, each in a tab of its own")
  func merged() throws {
    let workspace = try Workspace()
    let gate = try workspace.write(
      "dataset: \(Program.scripted)\nrules:\n  - {metric: plank.accuracy, at_least: 0.99}\n",
      to: "gate.yaml")
    let page = workspace.path("a.html")
    let gated = try Program.run(
      "gate", gate, "--write", "json=" + workspace.path("gate.json"), "--html", page)
    #expect(gated.status == 2, "\(gated.errors)")
    #expect(
      try String(contentsOfFile: page, encoding: .utf8).contains("below the limit of 0.99</h1>"))
    let replay = try Program.run(
      "replay", Program.scripted, "s01-floor", "--format", "json", "--output",
      workspace.path("replay.json"))
    #expect(replay.status == 0, "\(replay.errors)")
    let merged = workspace.path("b.html")
    let run = try Program.run(
      "report", "--from", workspace.path("gate.json"), "--from", workspace.path("replay.json"),
      "--html", merged)
    #expect(run.status == 0, "\(run.errors)")
    let html = try String(contentsOfFile: merged, encoding: .utf8)
    #expect(html.contains("data-name=\"gate\"") && html.contains("data-name=\"replay\""))
    #expect(html.contains("<svg") && html.contains("Content-Security-Policy"))
  }

  @Test(
    "A result that was edited is refused with the place of the mistake",
    arguments: [
      (#""plank.accuracy": 0."#, #""plank.accurate": 0."#, "plank.accurate"),
      (
        #""labels": ["none", "forearm", "high", "sideLeft", "sideRight", "reverse"]"#,
        #""labels": ["none"]"#, "confusion"
      ),
    ])
  func edited(from: String, to: String, place: String) throws {
    let workspace = try Workspace()
    let result = workspace.path("result.json")
    _ = try Program.run("evaluate", Program.scripted, "--output", result)
    let text = try String(contentsOfFile: result, encoding: .utf8)
    #expect(text.contains(from))
    let file = try workspace.write(text.replacingOccurrences(of: from, with: to), to: "bad.json")
    let run = try Program.run("report", "--from", file, "--html", workspace.path("page.html"))
    #expect(run.status == 65, "\(run.errors)")
    #expect(run.errors.contains("bad.json") && run.errors.contains(place), "\(run.errors)")
  }

  @Test(
    "A comparison whose matrix was edited is refused, not drawn",
    arguments: ["\"rows\": [[1]]", "\"rows\": []"])
  func editedComparison(rows: String) throws {
    let workspace = try Workspace()
    let result = workspace.path("compare.json")
    let compared = try Program.run(
      "compare", Program.scripted, "gravity", "article", "--resamples", "200", "--output", result)
    #expect(compared.status == 0, "\(compared.errors)")
    let text = try String(contentsOfFile: result, encoding: .utf8)
    let matrix = /"confusion_frames": \{[^}]*?(?<rows>"rows": \[[^\}]*\])/
    let edited = try #require(text.firstMatch(of: matrix))
    let file = try workspace.write(
      text.replacingCharacters(
        in: edited.output.rows.startIndex..<edited.output.rows.endIndex, with: rows),
      to: "bad.json")
    let run = try Program.run("report", "--from", file, "--html", workspace.path("page.html"))
    #expect(run.status == 65, "\(run.errors)")
    #expect(run.errors.contains("confusion_frames") && run.errors.contains("a row and a column"))
  }

  @Test("A page never replaces the result that it is made from")
  func keepsInput() throws {
    let workspace = try Workspace()
    let result = workspace.path("result.json")
    _ = try Program.run(
      "evaluate", Program.scripted, "--format", "json", "--output", result)
    let run = try Program.run("report", "--from", result, "--html", result)
    #expect(run.status == 73, "\(run.errors)")
  }
}

/// What a test reads of the data behind the matrices of a page.
private struct ViewerBlock: Decodable {
  struct Stream: Decodable {
    let labels: [String]
    let counts: [Int]
    let stretches: [[Double]]
  }

  let streams: [Stream]
}
