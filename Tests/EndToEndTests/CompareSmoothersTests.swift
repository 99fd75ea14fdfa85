import Foundation
import Testing

/// Comparing smoothers on the committed dataset.
@Suite("Comparison of smoothers")
struct CompareSmoothersTests {
  @Test("A comparison names a smoother, its front and its files")
  func comparison() throws {
    let workspace = try Workspace()
    let folder = workspace.path("report")
    let run = try Program.run(
      "smoothers", "compare", Program.scripted, "--folder", folder, "--format", "json",
      "--candidate", "median:frames=5+one-euro:beta=2")
    try #require(run.status == 0, "\(run.errors)")
    let value = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    let envelope = try #require(value as? [String: Any])
    #expect(envelope["command"] as? String == "smoothers compare")
    let report = try #require(envelope["result"] as? [String: Any])
    let front = try #require(report["front"] as? [String])
    #expect(front.count > 3)
    let trade = try #require(report["best_trade"] as? String)
    #expect(!trade.hasPrefix("gaussian") && !trade.hasPrefix("rts"))
    #expect(report["advice"] is [String: Any] && report["wrong_changes_advice"] is [String: Any])
    let points = try #require(report["points"] as? [[String: Any]])
    let origins = points.compactMap { ($0["family"] as? [String: Any])?["origin"] as? String }
    #expect(origins.count == points.count && Set(origins).isSuperset(of: ["search", "candidate"]))
    let stress = try #require(report["stress"] as? [[String: Any]])
    #expect(Set(stress.compactMap { $0["frames"] as? String }).count == 4)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    for name in ["report.html", "report.md", "result.json", "jitter-lag.svg", "spread-lag.svg"] {
      #expect(files.contains(name), "\(name)")
    }
    let same = try String(contentsOfFile: folder + "/result.json", encoding: .utf8)
    #expect(same == run.output)
  }

  @Test("A candidate with a mistake and a negative cost are usage errors")
  func mistakes() throws {
    let text = try Program.run(
      "smoothers", "compare", Program.scripted, "--candidate", "emma:cutoff=1Hz")
    #expect(text.status == 64 && text.errors.contains("planklab smoothers"))
    let cost = try Program.run("smoothers", "compare", Program.scripted, "--lag-cost=-1")
    #expect(cost.status == 64 && cost.errors.contains("--lag-cost"))
  }

  @Test("What is printed first says what to do, within 80 columns, without tables of smoothers")
  func screen() throws {
    let run = try Program.run("smoothers", "compare", Program.scripted)
    try #require(run.status == 0, "\(run.errors)")
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
    let words = lines.filter { !$0.contains("--smoothing ") && !$0.contains("--debounce ") }
    #expect(words.allSatisfy { $0.count <= 80 } && lines.count <= 36, "\(run.output)")
    let starts = ["Keep the answers", "Smooth with", "Debounce with", "Smooth and debounce with"]
    #expect(starts.contains { lines[0].hasPrefix($0) }, "\(lines[0])")
    #expect(!run.output.contains("Filters at equal lag"))
    let late = try Program.run("smoothers", "compare", Program.scripted, "--latency=-1")
    #expect(late.status == 64 && late.errors.contains("--latency"))
  }

  @Test("The list still answers to its short form, bands among the names")
  func list() throws {
    let run = try Program.run("smoothers", "one-euro")
    #expect(run.status == 0 && run.output.contains("minCutoff"))
    let bands = try Program.run("smoothers", "bands")
    #expect(bands.status == 0 && bands.output.contains("side_rise"))
    #expect(!bands.output.contains("one-euro"))
  }
}
