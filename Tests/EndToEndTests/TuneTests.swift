import Foundation
import TestSupport
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("Tuning from the command line")
struct TuneTests {
  private static let experiment = "experiments/first-steps"
  private let workspace: Workspace

  init() throws { workspace = try Workspace() }

  private func streams(_ path: String) throws -> [[String: Any]] {
    let evidence = try #require(
      try Program.object(Program.text(path))["evidence"] as? [String: Any])
    let result = try #require(evidence["result"] as? [String: Any])
    return try #require(result["streams"] as? [[String: Any]])
  }

  private func tune(_ options: String..., to name: String = "t.json") throws -> String {
    let path = workspace.path(name)
    try Program.run(["tune", Self.experiment, "--thresholds", path] + options).expect(0)
    return path
  }

  @Test(
    "A tuned detector scores the same in evaluate",
    arguments: [[], ["--take", "plank", "--take", "form"]])
  func evaluateTuned(options: [String]) throws {
    let file = workspace.path("t.json")
    let run = try Program.run(["tune", Self.experiment, "--thresholds", file] + options).expect(0)
    #expect(run.output.hasPrefix("Change `"), "\(run.output)")
    let streams = try streams(file)
    let found = try EvaluationJSON(Program.scripted, "--parameters", file)
    #expect(streams.count == 2)
    for stream in streams {
      let name = try #require(stream["stream"] as? String)
      let objective = try #require(stream["objective"] as? [String: Any])
      let tuned = try #require(objective["recommended"] as? Double)
      let measured = try #require(found.metric(name + ".balanced_accuracy"))
      #expect(abs(tuned - measured) < 1e-12, "\(name): \(tuned) \(measured)")
    }
  }

  @Test(
    "Threads and engines change no byte of the numbers",
    arguments: [
      ["--jobs", "1"], ["--jobs", "2"], ["--engine", "streaming"],
    ])
  func equalBytes(options: [String]) throws {
    func text(_ path: String) throws -> String {
      try Program.text(path)
        .replacing(#""engine": "streaming""#, with: #""engine": "bit-parallel""#)
    }
    let plain = try text(tune(to: "a.json"))
    let path = workspace.path("b.json")
    try Program.run(["tune", Self.experiment, "--thresholds", path] + options).expect(0)
    #expect(try text(path) == plain)
  }

  @Test(
    "The committed Swift files say what their thresholds say",
    arguments: [
      ("PlankThresholds", "swift"), ("CautiousThresholds", "swift"),
    ])
  func committedExports(name: String, format: String) throws {
    let folder = "Tests/AppSnippetsTests/Thresholds/"
    try Program.run(
      "export", folder + name + ".json", "--format", format, "--type-name", name, "--check",
      folder + name + ".swift"
    ).expect(0)
  }

  @Test("A detector file beside an experiment travels inside the thresholds")
  func customDetector() throws {
    let detector = """
      name: cautious
      axes: gravity
      parameters:
        lean: {unit: "-", default: 0.4, range: [0, 1], meaning: the largest lean}
      plank:
        - none: verticalRatio >= lean
        - high: [elbowAngle > elbow_split]
        - forearm
      form:
        - sag: hipDeviation < -sag
        - aligned
      """
    try workspace.write(detector, to: "e/cautious.yaml")
    try workspace.write(
      """
      dataset: \(Program.scripted)
      detector: cautious.yaml
      axes: {lean: {quantiles: 6}}
      objective: plank.accuracy
      """, to: "e/experiment.yaml")
    let file = workspace.path("c.json")
    try Program.run("tune", workspace.path("e"), "--thresholds", file).expect(0)
    try Program.run("evaluate", Program.scripted, "--parameters", file).expect(
      0, output: "cautious on scripted")
  }

  /// Arguments, the exit code, and a word of the error.
  static let mistakes =
    [
      (["tune", "no-such"], 66, "no-such"),
      (["tune", experiment, "--axis", "sag"], 64, "key=from:to:step"),
      (["tune", experiment, "--axis", "sag=1:2:3"], 64, "0.3"),
      (["tune", experiment, "--set", "sog=1"], 64, "sag"),
      (["tune", experiment, "--dataset", "no-such"], 66, "no-such"),
      (["tune", experiment, "--split", "none"], 64, "tune"),
      (["tune", experiment, "--jobs", "0"], 64, "jobs"),
      (["export", "README.md", "--format", "swift"], 65, "README.md"),
      (["evaluate", "datasets/scripted", "--parameters", "no-such.json"], 66, "no-such.json"),
    ] as [([String], Int32, String)]

  @Test("A mistake has its exit code and a remedy", arguments: mistakes)
  func mistake(arguments: [String], status: Int32, word: String) throws {
    try Program.run(arguments).expect(status, errors: word)
  }

  @Test("People who are not named cannot be held out unless that is allowed")
  func ungrouped() throws {
    let poses = try Repository.text("datasets/scripted/s01-floor.poses.jsonl").replacing(
      #","subject":"s01""#, with: "")
    let labels = try Repository.text("datasets/scripted/s01-floor.labels.csv")
    for name in ["a", "b", "c"] {
      try workspace.write(poses, to: "d/\(name).poses.jsonl")
      try workspace.write(labels, to: "d/\(name).labels.csv")
    }
    let sequences = ["a", "b", "c"].map {
      "  - {poses: \($0).poses.jsonl, labels: \($0).labels.csv}"
    }
    try workspace.write(
      "name: nobody\nsequences:\n" + sequences.joined(separator: "\n") + "\n", to: "d/dataset.yaml")
    let arguments = ["tune", Self.experiment, "--dataset", workspace.path("d")]
    try Program.run(arguments).expect(65, errors: "ungrouped")
    try Program.run(arguments + ["--allow-ungrouped"]).expect(0, output: "subject-or-recording")
  }
}

@Suite("Tuning a dataset")
struct TuneDatasetTests {
  private static func copy() throws -> Workspace {
    let workspace = try Workspace()
    try workspace.copyScripted(to: "planks")
    return workspace
  }

  @Test("It writes the experiment, and running that again gives the same bytes")
  func same() throws {
    let workspace = try Self.copy()
    let line = "planklab tune planks --detector gravity --format json"
    let first = try workspace.shell(line).expect(
      0, errors: "wrote planks/experiment.yaml: axes `")
    let text = try workspace.text("planks/experiment.yaml")
    #expect(text.contains("dataset: .\n") && text.contains("detector: gravity\n"))
    #expect(text.contains("  horizontal_ratio: ["))
    let second = try workspace.shell(line)
    #expect(second.output == first.output && !second.errors.contains("wrote"))
    let without = try workspace.shell("planklab tune planks --format json")
    func result(_ run: Program.Run) throws -> NSDictionary {
      var result = try run.result()
      result["commands"] = nil
      return result as NSDictionary
    }
    #expect(try result(without) == result(first))
  }

  @Test("An experiment is never replaced")
  func kept() throws {
    let workspace = try Self.copy()
    try workspace.write("mine", to: "own.yaml")
    try workspace.shell("planklab tune planks --experiment own.yaml").expect(
      73, errors: "own.yaml: exists")
  }

  @Test("Data without two classes is refused before anything is written")
  func oneClass() throws {
    let workspace = try Workspace()
    let data = try workspace.dataset(
      poses: Data(
        contentsOf: URL(fileURLWithPath: Program.scripted + "/s01-floor.poses.jsonl")))
    try Program.run("tune", data).expect(65, errors: "fewer than two classes")
    #expect(!FileManager.default.fileExists(atPath: data + "/experiment.yaml"))
  }
}
