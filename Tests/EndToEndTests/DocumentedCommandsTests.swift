import Foundation
import TestSupport
import Testing

@Suite("Documented commands")
struct DocumentedCommandsTests {
  /// Every line of a shell block of the README that runs the program, where the block needs nothing
  /// that `scripts/prove-docs` would put in place.
  static let lines: [String] = {
    let path = Repository.file("README.md").path
    let text = (try? Program.text(path)) ?? ""
    var isShell = false
    var isPrepared = false
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isShell = line == "```sh" && !isPrepared
      } else if isShell, line.hasPrefix("planklab ") {
        lines.append(String(line))
      }
      isPrepared = line.hasSuffix("-->")
    }
    return lines
  }()

  @Test("There are command lines to try")
  func linesExist() { #expect(Self.lines.count >= 5) }

  @Test("A command line of the README works as it stands", arguments: lines)
  func lineWorks(line: String) throws {
    let workspace = try Workspace()
    for folder in ["datasets", "experiments"] {
      try FileManager.default.createSymbolicLink(
        atPath: workspace.path(folder),
        withDestinationPath: Repository.file(folder).path)
    }
    try workspace.shell(line).expect(0)
  }

  @Test(
    "Every command teaches itself",
    arguments: [
      ["import", "files"], ["import", "maps"], ["import", "amass"],
      [], ["evaluate"], ["explain"], ["measure"], ["detectors"], ["label"], ["label", "page"],
      ["label", "import"], ["label", "agreement"], ["dataset", "lint"],
      ["dataset", "hash"], ["dataset", "show"], ["import", "vision3d"], ["import", "vision2d"],
      ["import", "deepmimic"], ["synthesize"], ["replay"], ["smoothers"], ["smoothers", "list"],
      ["smoothers", "compare"], ["runs"], ["runs", "list"], ["runs", "show"], ["runs", "export"],
      ["runs", "delete"], ["sweep"], ["tune"], ["export"],
    ])
  func help(command: [String]) throws {
    let run = try Program.run(command + ["--help"])
    #expect(run.status == 0 && run.output.contains("OVERVIEW") && run.output.contains("USAGE"))
  }
}
