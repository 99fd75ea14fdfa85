import Foundation
import Testing

@Suite("Report")
struct ReportTests {
  @Test(
    "A number of sequences that no page can show is refused",
    arguments: [
      ["--viewer-sequences", "5"], ["--viewer-sequences", "-1", "--html", "page.html"],
    ])
  func viewerRefusals(options: [String]) throws {
    let run = try Program.run(["evaluate", Program.scripted] + options)
    #expect(run.status == 64 && run.errors.contains("--viewer-sequences"), "\(run.errors)")
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
