import Foundation
import Testing

/// Tuning a dataset that has no experiment.
@Suite("Tuning a dataset")
struct TuneDatasetTests {
  private static func copy() throws -> Workspace {
    let workspace = try Workspace()
    try FileManager.default.copyItem(
      atPath: Program.scripted, toPath: workspace.path("planks"))
    return workspace
  }

  @Test("It writes the experiment, and running that again gives the same bytes")
  func same() throws {
    let workspace = try Self.copy()
    let line = "planklab tune planks --detector gravity --format json"
    let first = try Program.shell(line, in: workspace.folder)
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.errors.contains("wrote planks/experiment.yaml: axes `"))
    let text = try String(contentsOfFile: workspace.path("planks/experiment.yaml"), encoding: .utf8)
    #expect(text.contains("dataset: .\n") && text.contains("detector: gravity\n"))
    #expect(text.contains("  horizontal_ratio: ["))
    let second = try Program.shell(line, in: workspace.folder)
    #expect(second.output == first.output && !second.errors.contains("wrote"))
    let without = try Program.shell("planklab tune planks --format json", in: workspace.folder)
    func result(_ run: Program.Run) throws -> NSDictionary? {
      let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
      var result = json?["result"] as? [String: Any]
      result?["commands"] = nil
      return result.map { $0 as NSDictionary }
    }
    #expect(try result(without) == result(first))
  }

  @Test("The axes are parameters of rules that answer labeled classes")
  func axes() throws {
    let workspace = try Workspace()
    let run = try Program.shell(
      "planklab tune \(Program.scripted)/dataset.yaml --detector gravity --split none "
        + "--experiment own.yaml", in: workspace.folder)
    #expect(run.status == 64 && !FileManager.default.fileExists(atPath: workspace.path("own.yaml")))
    let form = try workspace.dataset(
      poses: Data(
        contentsOf: URL(fileURLWithPath: Program.scripted + "/s01-floor.poses.jsonl")),
      labels:
        "start,end,plank,form\n8,10,forearm,aligned\n10.6,12.2,forearm,sag\n14.8,16.2,forearm,pike\n"
    )
    let own = try Program.shell(
      "planklab tune \(form) --detector gravity --experiment own.yaml", in: workspace.folder)
    #expect(own.status == 0, "\(own.errors)")
    let text = try String(contentsOfFile: workspace.path("own.yaml"), encoding: .utf8)
    #expect(
      text.contains("objective: [form.balanced_accuracy]") && text.contains("dataset: data\n"))
    #expect(!text.contains("elbow_split") && text.contains("  sag: ["))
  }

  @Test("An experiment is never replaced")
  func kept() throws {
    let workspace = try Self.copy()
    try workspace.write("mine", to: "own.yaml")
    let run = try Program.shell("planklab tune planks --experiment own.yaml", in: workspace.folder)
    #expect(run.status == 73 && run.errors.contains("own.yaml: exists"), "\(run.errors)")
  }

  @Test("Data without two classes is refused before anything is written")
  func oneClass() throws {
    let workspace = try Workspace()
    let data = try workspace.dataset(
      poses: Data(
        contentsOf: URL(fileURLWithPath: Program.scripted + "/s01-floor.poses.jsonl")))
    let run = try Program.run("tune", data)
    #expect(run.status == 65 && run.errors.contains("fewer than two classes"), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: data + "/experiment.yaml"))
  }
}
