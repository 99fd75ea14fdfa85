import Foundation
import Testing

@Suite("Comparison of detectors")
struct CompareTests {
  @Test("A detector compared with itself differs in nothing, and nothing can be told")
  func itself() throws {
    let run = try Program.run(
      "compare", Program.scripted, "gravity", "gravity", "--resamples", "200", "--format", "json")
    #expect(run.status == 0, "\(run.errors)")
    let value = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    let result = value?["result"] as? [String: Any]
    let pair = (result?["pairs"] as? [[String: Any]])?.first?["comparison"] as? [String: Any]
    let metrics = try #require(pair?["metrics"] as? [[String: Any]])
    #expect(!metrics.isEmpty)
    for metric in metrics {
      #expect(metric["verdict"] as? String == "cannot tell")
      let difference = metric["difference"] as? Double
      #expect(difference == 0 || !(metric["before"] is Double) || !(metric["after"] is Double))
    }
  }

  @Test("Sides may be detectors, parameters and folders of answers, and may differ")
  func sides() throws {
    let gated = try GateWorkspace()
    try gated.answers("right", late: [0, 0, 0, 0, 0, 1])
    try gated.answers("late", late: [23, 25, 20, 27, 22, 26])
    let run = try Program.run(
      "compare", gated.workspace.path("data"), gated.workspace.path("right"),
      gated.workspace.path("late"), "gravity sag=3cm plank_frames=5", "--resamples", "500",
      "--metric", "plank.accuracy")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("worse") && run.output.contains("0/0/6"), "\(run.output)")
    #expect(run.output.contains("gravity sag=3cm plank_frames=5"))
    #expect(run.output.contains("A is better than B: plank.accuracy"), "\(run.output)")
  }

  @Test("What is the same in every subject is named once, and not in the table")
  func unchanged() throws {
    let run = try Program.run(
      "compare", Program.scripted, "gravity", "gravity elbow_split=179", "--resamples", "200",
      "--metric", "plank.accuracy", "--metric", "form.accuracy", "--format", "markdown")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("| plank.accuracy |") && !run.output.contains("| form.accuracy"))
    #expect(run.output.contains("so there is nothing to compare: form.accuracy."), "\(run.output)")
    let same = try Program.run(
      "compare", Program.scripted, "gravity", "gravity", "--resamples", "200")
    #expect(same.output.contains("No metric differs in any subject; verdict: cannot tell."))
    #expect(!same.output.contains("won/tied/lost"))
  }

  @Test("One side, or an unknown metric, is a mistake of usage")
  func usage() throws {
    #expect(try Program.run("compare", Program.scripted, "gravity").status == 64)
    let run = try Program.run(
      "compare", Program.scripted, "gravity", "trunk", "--metric", "plank.f1_marco")
    #expect(run.status == 64)
  }
}
