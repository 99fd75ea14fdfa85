import Foundation
import Testing

@Suite("Comparison of detectors")
struct CompareTests {
  @Test("A detector compared with itself differs in nothing")
  func itself() throws {
    let run = try Program.run(
      "compare", Program.scripted, "gravity", "gravity", "--resamples", "200", "--format", "json")
    #expect(run.status == 0, "\(run.errors)")
    let value = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    let result = value?["result"] as? [String: Any]
    let pair = (result?["pairs"] as? [[String: Any]])?.first
    let comparison = pair?["comparison"] as? [String: Any]
    let metrics = try #require(comparison?["metrics"] as? [[String: Any]])
    #expect(!metrics.isEmpty)
    for metric in metrics {
      let difference = metric["difference"] as? Double
      #expect(difference == 0 || !(metric["before"] is Double) || !(metric["after"] is Double))
    }
    let advice = try #require(pair?["advice"] as? [String: [String: Any]])
    #expect(advice.mapValues { $0["step"] as? String } == ["plank": "same", "form": "same"])
  }

  @Test("Sides may be detectors, parameters and folders of answers, and may differ")
  func sides() throws {
    let gated = try GateWorkspace()
    try gated.answers("right", late: [0, 0, 0, 0, 0, 1])
    try gated.answers("late", late: [23, 25, 20, 27, 22, 26])
    let run = try Program.run(
      "compare", gated.workspace.path("data"), gated.workspace.path("right"),
      gated.workspace.path("late"), "gravity sag=3cm plank_frames=5", "--resamples", "500")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.words.contains("late`, plank: Keep yours (proven)"), "\(run.output)")
    #expect(run.words.contains("`gravity sag=3cm plank_frames=5`, plank: "))
  }

  @Test("A side whose form fell is mixed")
  func fallen() throws {
    let run = try Program.run(
      "compare", Program.scripted, "gravity", "coach", "--resamples", "500")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.words.hasPrefix("Mixed - Plank: Take it (likely: "), "\(run.output)")
    #expect(run.words.contains("- Form: Keep yours (likely: "), "\(run.output)")
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(run.output)")
  }

  @Test("What is the same for every person is named once, and not in the table")
  func unchanged() throws {
    let run = try Program.run(
      "compare", Program.scripted, "gravity", "gravity elbow_split=179", "--resamples", "200",
      "--format", "markdown")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("| plank.accuracy |"))
    #expect(run.output.contains("The same for every person: "), "\(run.output)")
    let same = try Program.run(
      "compare", Program.scripted, "gravity", "gravity", "--resamples", "200")
    #expect(same.output.hasPrefix("Plank: Either: both give the same answers."), "\(same.output)")
  }

  @Test("One side is a mistake of usage")
  func usage() throws {
    #expect(try Program.run("compare", Program.scripted, "gravity").status == 64)
  }
}
