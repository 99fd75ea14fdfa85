import Foundation
import Testing

/// Calibration by a hold, through the commands.
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

  @Test("Frames of a hold are scored in neither stream, and the form only after it")
  func unscored() throws {
    let options = [Program.scripted, "--detector", "coach", "--no-next"]
    let (plain, json) = (
      try EvaluationJSON(options), try EvaluationJSON(options + ["--calibrate", "first=2s"])
    )
    #expect(plain["calibration"] == nil)
    let found = try holds(json)
    #expect(found.count == plain["data", "sequences"] as? Int)
    let calibrated = found.filter { $0["offset"] != nil }
    #expect(!calibrated.isEmpty && calibrated.count < found.count)
    for hold in found { #expect((hold["refusal"] != nil) == (hold["offset"] == nil)) }
    for stream in ["plank", "form"] {
      let frames = { (json: EvaluationJSON) in
        try json.confusion(stream).flatMap(\.self).reduce(0, +)
      }
      let unscored = found.reduce(0) {
        $0 + (($1["unscored_frames"] as? [String: Int])?[stream] ?? -1)
      }
      #expect(unscored > 0)
      #expect(try frames(json) == frames(plain) - unscored, "\(stream)")
    }
    for hold in calibrated {
      let (start, end) = (hold["start_s"] as? Double ?? -1, hold["end_s"] as? Double ?? -1)
      #expect(start >= 0 && abs(end - start - 2) < 1e-9)
    }
    #expect(json.provenance["calibrate"] == "first=2s")
  }

  @Test("What calibration changes is measured on the frames that both can be scored on")
  func change() throws {
    let json = try EvaluationJSON([
      Program.scripted, "--detector", "coach", "--calibrate", "first=2s", "--no-next",
    ])
    let comparison = try #require(json["calibration", "comparison"] as? [[String: Any]])
    #expect(
      comparison.map { $0["metric"] as? String } == [
        "form.balanced_accuracy", "form.f1_macro_truth",
      ])
    for part in comparison {
      let (before, after) = (part["before"] as? Double, part["after"] as? Double)
      let difference = try #require(part["difference"] as? Double)
      #expect(abs(try #require(after) - (try #require(before)) - difference) < 1e-9)
      #expect(json.metric(try #require(part["metric"] as? String)) == after)
    }
  }

  @Test("Confirmed seconds give the offset from the confirmed angle, and others are told apart")
  func confirmed() throws {
    let path = try dataset([
      "s01-floor": "{start: 8, end: 10}", "s02-sides": "{start: 4, end: 6}",
    ])
    let options = [path, "--detector", "coach", "--calibrate", "confirmed", "--no-next"]
    let straight = try holds(try EvaluationJSON(options))
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

  @Test("The screen counts, names refusals with their reasons, and stays one screen")
  func screen() throws {
    let run = try Program.run(
      "evaluate", Program.scripted, "--detector", "coach", "--calibrate", "first=2s", "--no-next")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.words.contains("Calibrated by first=2s: "))
    #expect(run.words.contains("Form, balanced accuracy on the same frames: "))
    #expect(run.words.contains("Not calibrated, judged by the limits as they are: "))
    #expect(run.words.contains("frames of holds are not scored"))
    #expect(run.words.contains("set both around the confirmed 180 deg"))
    #expect(run.words.contains("--calibrate first=2s"), "the commands below are not calibrated")
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 37 && lines.allSatisfy { $0.count <= 80 }, "\(run.output)")
    let section = try Program.run(
      "evaluate", Program.scripted, "--detector", "coach", "--calibrate", "first=2s",
      "--section", "calibration")
    #expect(section.output.contains("s01-floor") && section.output.contains("why not"))
    #expect(section.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test("An explanation shows what the form rules compare, as the evaluation does")
  func explanation() throws {
    let arguments = [
      "explain", Program.scripted, "s01-floor", "--at", "12", "--detector", "coach", "--format",
      "json",
    ]
    func form(_ more: [String]) throws -> (measured: Double, reading: Double) {
      let run = try Program.run(arguments + more)
      try #require(run.status == 0, "\(run.errors)")
      let json =
        try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
      let measured = json?["measurements"] as? [String: Any]
      let streams = json?["streams"] as? [String: Any]
      let rules = (streams?["form"] as? [String: Any])?["rules"] as? [[String: Any]]
      let conditions = rules?.first?["conditions"] as? [[String: Any]]
      return (
        measured: try #require(measured?["signedHipAngle"] as? Double),
        reading: try #require(conditions?.first?["value"] as? Double)
      )
    }
    let plain = try form([])
    #expect(plain.measured == plain.reading)
    let calibrated = try form(["--calibrate", "first=2s,angle=175deg"])
    #expect(calibrated.measured == plain.measured)
    let json = try EvaluationJSON([
      Program.scripted, "--detector", "coach", "--calibrate", "first=2s,angle=175deg", "--no-next",
    ])
    let hold = try holds(json).first { $0["sequence"] as? String == "s01-floor" }
    let offset = try #require(hold?["offset"] as? Double)
    #expect(abs(calibrated.measured - calibrated.reading - offset) < 1e-4)
    let text = try Program.run(
      "explain", Program.scripted, "s01-floor", "--at", "12", "--detector", "coach",
      "--calibrate", "first=2s")
    #expect(text.words.contains("Calibrated by the hold from "))
  }

  @Test("A side of a comparison may be calibrated, and both are scored on the same frames")
  func compare() throws {
    let run = try Program.run(
      "compare", Program.scripted, "coach", "coach calibrate=first=2s", "--format", "json",
      "--resamples", "100")
    try #require(run.status == 0, "\(run.errors)")
    let json = try EvaluationJSON([
      Program.scripted, "--detector", "coach", "--calibrate", "first=2s", "--no-next",
    ])
    let own = try #require(json["calibration", "comparison"] as? [[String: Any]]).first
    let envelope =
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    let pairs = (envelope?["result"] as? [String: Any])?["pairs"] as? [[String: Any]]
    let comparison = pairs?.first?["comparison"] as? [String: Any]
    let metrics = comparison?["metrics"] as? [[String: Any]]
    let found = metrics?.first { $0["metric"] as? String == "form.balanced_accuracy" }
    let (before, after) = (found?["before"] as? Double, found?["after"] as? Double)
    #expect(before != nil && before == own?["before"] as? Double)
    #expect(after != nil && after == own?["after"] as? Double)
  }

  @Test("The page carries the offset to the detector that runs in it")
  func page() throws {
    let path = workspace.path("page.html")
    let run = try Program.run(
      "evaluate", Program.scripted, "--detector", "coach", "--calibrate", "first=2s", "--no-next",
      "--html", path)
    try #require(run.status == 0, "\(run.errors)")
    let html = try String(contentsOfFile: path, encoding: .utf8)
    #expect(html.contains("\"calibration\": {"))
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
