import Foundation
import Testing

@Suite("Names of measured sequences")
struct MeasureNamesTests {
  @Test(
    "Two tables of one name are refused before anything is written",
    arguments: ["allan", "spectra"])
  func collision(folder: String) throws {
    let workspace = try Workspace()
    for name in ["x", "\(folder)/x"] {
      try workspace.write(
        BadInputTests.Case.good + "\n{\"t\":0,\"p\":[0,0,0]}\n", to: "data/\(name).poses.jsonl")
    }
    try workspace.write(
      "sequences:\n  - poses: x.poses.jsonl\n  - poses: \(folder)/x.poses.jsonl\n",
      to: "data/dataset.yaml")
    let output = workspace.path("out")
    let run = try Program.run("measure", workspace.path("data"), "--output", output)
    #expect(run.status == 65 && run.errors.contains("`\(folder)/x`"), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: output))
  }
}
