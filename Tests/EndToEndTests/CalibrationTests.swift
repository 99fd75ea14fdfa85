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
    let path = try workspace.copyScripted(to: "data")
    for (name, hold) in confirmed {
      let line = "  - poses: \(name).poses.jsonl\n"
      try workspace.replace(
        line, with: line + "    calibration: \(hold)\n", in: "data/dataset.yaml")
    }
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
    try workspace.replace(
      "end: 10}", with: "end: 10, angle_deg: 177}", in: "data/dataset.yaml")
    let bent = try #require(
      try hold("s01-floor", holds(try EvaluationJSON(options)))["offset"] as? Double)
    #expect(abs(bent - offset - 3) < 1e-9)
  }

  @Test("Confirmed seconds count beside another dataset, too")
  func severalDatasets() throws {
    let path = try dataset(["s01-floor": "{start: 8, end: 10}"])
    let other = try workspace.copyScripted(to: "other", name: "other")
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
      "evaluate", Program.scripted, "--detector", "coach", "--calibrate", text
    ).expect(64, errors: "--calibrate")
    #expect(!run.errors.contains("Fatal"))
  }

  @Test("A band of a limit holds for the limit of calibrated people, too")
  func bands() throws {
    let options = [Program.scripted, "--detector", "coach", "--calibrate", "first=2s", "--no-next"]
    let bands = ["--debounce", "bands:coach_sag_angle=4deg,coach_pike_angle=4deg"]
    func flickers(_ options: [String]) throws -> Double {
      try #require(EvaluationJSON(options).metric("form.flickers_per_minute"))
    }
    #expect(try flickers(options + bands) < flickers(options))
  }

  @Test("Where every hold is refused, form is that of the uncalibrated detector")
  func allRefused() throws {
    let options = [Program.scripted, "--detector", "coach", "--no-next"]
    let refused = try EvaluationJSON(options + ["--calibrate", "first=10s"])
    #expect(try holds(refused).allSatisfy { $0["refusal"] is String })
    let plain = try EvaluationJSON(options)
    #expect(refused.metric("form.accuracy") == plain.metric("form.accuracy"))
    try Program.run(
      "tune", Program.scripted, "--detector", "coach", "--calibrate", "first=10s", "--experiment",
      workspace.path("none.yaml")
    ).expect(65, errors: "no recording has a hold")
  }

  @Test("Limits for calibrated people are tuned on what `evaluate --calibrate` scores")
  func tuning() throws {
    // A recording without a hold is judged by `evaluate` as it is, and not by `tune`.
    let path = try dataset([:])
    let manifest = try Program.text(path + "/dataset.yaml")
    let entries = manifest.split(separator: "  - poses: ", omittingEmptySubsequences: false)
    try workspace.write(
      entries.filter { !$0.hasPrefix("s03-fast") }.joined(separator: "  - poses: "),
      to: "data/dataset.yaml")
    let (file, thresholds) = (workspace.path("e.yaml"), workspace.path("t.json"))
    let run = try Program.run(
      "tune", path, "--detector", "coach", "--calibrate", "first=2s", "--experiment",
      file, "--set", "coach_sag_angle_calibrated=160", "--take", "form", "--thresholds", thresholds,
      "--format", "json"
    ).expect(0)
    let text = try Program.text(file)
    #expect(
      text.contains("calibrate: \"first=2s\"") && text.contains("coach_pike_angle_calibrated"))
    let streams = try #require(try run.result()["streams"] as? [[String: Any]])
    let form = try #require(streams.first { $0["stream"] as? String == "form" })
    func evaluated(_ options: String...) throws -> Double {
      let json = try EvaluationJSON(
        [path, "--calibrate", "first=2s", "--no-next"] + options)
      return try #require(json.metric("form.balanced_accuracy"))
    }
    func tuned(_ key: String) throws -> Double {
      try #require((form["objective"] as? [String: Any])?[key] as? Double)
    }
    #expect(
      abs(try tuned("starting_point") - evaluated("--set", "coach_sag_angle_calibrated=160")) < 1e-9
    )
    #expect(abs(try tuned("found") - evaluated("--parameters", thresholds)) < 1e-9)
    let store = workspace.path("runs.sqlite")
    try Program.run("sweep", file, "--calibrate", "first=2s", "--store", store).expect(0)
    for (angle, status) in [("first=2s", Int32(0)), ("first=2s,angle=170deg", 3)] {
      try Program.run("tune", file, "--calibrate", angle, "--from-store", store).expect(status)
    }
  }

  @Test("A draft for a dataset that names holds calibrates people")
  func draft() throws {
    let path = try dataset([
      "s01-floor": "{start: 8, end: 10}", "s04-pelvis": "{start: 7.2, end: 9.2}",
    ])
    try Program.run("tune", path).expect(0)
    let text = try Program.text(path + "/experiment.yaml")
    #expect(text.contains("calibrate: confirmed"), "\(text)")
  }

  @Test("Confirmed seconds that nobody confirmed, and saved answers, are mistakes of usage")
  func impossible() throws {
    try Program.run(
      "evaluate", Program.scripted, "--detector", "coach", "--calibrate", "confirmed"
    ).expect(64, errors: "`calibration: {start: 0, end: 2}`")
    try Program.run(
      "evaluate", Program.scripted, "--predictions", ".", "--calibrate", "first=2s"
    ).expect(64, errors: "remove --calibrate")
  }
}
