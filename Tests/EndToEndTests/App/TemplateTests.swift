import Foundation
import Testing

/// The template of docs/ci.md with the shipped detector against the command line's answers.
@Suite("The template of an app's CI")
struct TemplateTests {
  @Test(
    "The template gives the command line's answers to the frame",
    arguments: ["datasets/scripted", "datasets/studio"])
  func answers(dataset: String) throws {
    let workspace = try Workspace()
    // The template reads only unpacked recordings; the output of `make data` is not part of a
    // dataset.
    let unpack =
      "mkdir sessions && tar -C \(Program.root.path)/\(dataset) --exclude generated -cf - . "
      + "| tar -C sessions -xf - && gunzip -r sessions"
      + " && sed -i.bak 's/jsonl.gz/jsonl/' sessions/dataset.yaml"
      + " && planklab measure sessions --detector gravity --output answers"
    let run = try Program.shell(unpack, in: workspace.folder)
    try #require(run.status == 0, "\(run.output)\(run.errors)")
    let names = try FileManager.default.subpathsOfDirectory(atPath: workspace.path("sessions"))
      .filter { $0.hasSuffix(".poses.jsonl") }
    #expect(!names.isEmpty)
    for name in names {
      let own = try WritePredictions().table(workspace.path("sessions/" + name))
      let table = try String(
        contentsOfFile: workspace.path("answers/\(name.dropLast(12)).csv"), encoding: .utf8)
      #expect(Self.answers(own) == Self.answers(table), "\(name)")
      #expect(Self.answers(own).count > 1)
    }
  }

  /// The plank and the form of every row.
  private static func answers(_ table: String) -> [[Substring]] {
    let rows = table.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let columns = ["plank", "form"].compactMap { name in
      rows.first?.firstIndex { $0 == name }
    }
    return rows.map { row in columns.map { row[$0] } }
  }
}
