import Foundation
import Testing

@Suite("Calibration, through the commands")
struct CalibrationTests {
  private let workspace: Workspace

  init() throws { workspace = try Workspace() }

  private func holds(_ json: EvaluationJSON) throws -> [[String: Any]] {
    try #require(json["calibration", "holds"] as? [[String: Any]])
  }

  /// A copy of the committed dataset, to some of whose entries confirmed seconds are added.
  private func dataset(_ confirmed: [String: String]) throws -> String {
    let path = workspace.path("data")
    try FileManager.default.copyItem(atPath: Program.scripted, toPath: path)
    let manifest = workspace.path("data/dataset.yaml")
    var text = try String(contentsOfFile: manifest, encoding: .utf8)
    for (name, hold) in confirmed {
      let line = "  - poses: \(name).poses.jsonl\n"
      try #require(text.contains(line))
      text = text.replacingOccurrences(of: line, with: line + "    calibration: \(hold)\n")
    }
    try workspace.write(text, to: "data/dataset.yaml")
    return path
  }

  @Test("Confirmed seconds give the offset from the confirmed angle, and others are told apart")
  func confirmed() throws {
    let path = try dataset([
      "s01-floor": "{start: 8, end: 10}", "s02-sides": "{start: 4, end: 6}",
    ])
    let options = [path, "--detector", "coach", "--calibrate", "confirmed", "--no-next"]
    let json = try EvaluationJSON(options)
    let rules = try #require(json["detector", "rules", "form"] as? [String])
    #expect(rules.first == "sag if signedHipAngle < coach_sag_angle_calibrated")
    let straight = try holds(json)
    func hold(_ name: String, _ all: [[String: Any]]) throws -> [String: Any] {
      try #require(all.first { $0["sequence"] as? String == name })
    }
    let offset = try #require(try hold("s01-floor", straight)["offset"] as? Double)
    #expect(try hold("s01-floor", straight)["end_s"] as? Double == 10)
    let refused = try #require(try hold("s02-sides", straight)["refusal"] as? String)
    #expect(refused.contains("a hold must be a forearm or high plank"), "\(refused)")
    let rest = straight.compactMap { $0["refusal"] as? String }
    #expect(rest.contains { $0.contains("names no confirmed seconds") })
    let manifest = workspace.path("data/dataset.yaml")
    let text = try String(contentsOfFile: manifest, encoding: .utf8)
    try text.replacingOccurrences(of: "end: 10}", with: "end: 10, angle_deg: 177}")
      .write(toFile: manifest, atomically: true, encoding: .utf8)
    let bent = try #require(
      try hold("s01-floor", holds(try EvaluationJSON(options)))["offset"] as? Double)
    #expect(abs(bent - offset - 3) < 1e-9)
  }

  @Test("Confirmed seconds count beside another dataset, too")
  func severalDatasets() throws {
    let path = try dataset(["s01-floor": "{start: 8, end: 10}"])
    let other = workspace.path("other")
    try FileManager.default.copyItem(atPath: Program.scripted, toPath: other)
    let manifest = try String(contentsOfFile: other + "/dataset.yaml", encoding: .utf8)
    try workspace.write(
      manifest.replacingOccurrences(of: "name: scripted", with: "name: other"),
      to: "other/dataset.yaml")
    let found = try holds(
      try EvaluationJSON([
        path, other, "--detector", "coach", "--calibrate", "confirmed", "--no-next",
      ]))
    let own = try #require(found.first { $0["sequence"] as? String == "scripted/s01-floor" })
    #expect(own["offset"] is Double, "\(own)")
  }

  @Test(
    "A hold that cannot be read is a mistake of usage, with what to write",
    arguments: [
      "first", "first=0.5s", "first=2deg", "first=2s,angle=400deg", "confirmed,angle=180deg",
      "first=2s,confirmed", "first=2s,first=3s", "nonsense", "", "first=2s,",
      "first=2s,measurement=kneeAngle",
    ])
  func mistakes(text: String) throws {
    let run = try Program.run(
      "evaluate", Program.scripted, "--detector", "coach", "--calibrate", text)
    #expect(run.status == 64 && run.errors.contains("--calibrate"), "\(run.errors)")
    #expect(!run.errors.contains("Fatal"))
  }

  @Test("Confirmed seconds that nobody confirmed, and saved answers, are mistakes of usage")
  func impossible() throws {
    let run = try Program.run(
      "evaluate", Program.scripted, "--detector", "coach", "--calibrate", "confirmed")
    #expect(run.status == 64 && run.errors.contains("`calibration: {start: 0, end: 2}`"))
    let answers = try Program.run(
      "evaluate", Program.scripted, "--predictions", ".", "--calibrate", "first=2s")
    #expect(answers.status == 64 && answers.errors.contains("remove --calibrate"))
  }
}
