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
    try Program.run(["evaluate", Program.scripted] + options).expect(
      64, errors: "--viewer-sequences")
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
    try Program.run("report", "--from", file, "--html", workspace.path("page.html")).expect(
      65, errors: "result.json", says)
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
    let text = try Program.text(result)
    #expect(text.contains(from))
    let file = try workspace.write(text.replacingOccurrences(of: from, with: to), to: "bad.json")
    try Program.run("report", "--from", file, "--html", workspace.path("page.html")).expect(
      65, errors: "bad.json", place)
  }

  @Test(
    "A comparison whose matrix was edited is refused, not drawn",
    arguments: ["\"rows\": [[1]]", "\"rows\": []"])
  func editedComparison(rows: String) throws {
    let workspace = try Workspace()
    let result = workspace.path("compare.json")
    try Program.run(
      "compare", Program.scripted, "gravity", "article", "--resamples", "200", "--output", result
    ).expect(0)
    let text = try Program.text(result)
    let matrix = /"confusion_frames": \{[^}]*?(?<rows>"rows": \[[^\}]*\])/
    let edited = try #require(text.firstMatch(of: matrix))
    let file = try workspace.write(
      text.replacingCharacters(
        in: edited.output.rows.startIndex..<edited.output.rows.endIndex, with: rows),
      to: "bad.json")
    try Program.run("report", "--from", file, "--html", workspace.path("page.html")).expect(
      65, errors: "confusion_frames", "a row and a column")
  }

  @Test("A page never replaces the result that it is made from")
  func keepsInput() throws {
    let workspace = try Workspace()
    let result = workspace.path("result.json")
    _ = try Program.run(
      "evaluate", Program.scripted, "--format", "json", "--output", result)
    try Program.run("report", "--from", result, "--html", result).expect(73)
  }
}
