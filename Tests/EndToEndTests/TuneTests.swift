import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("Tuning from the command line")
struct TuneTests {
  private static let experiment = "experiments/first-steps"
  private let workspace: Workspace

  init() throws { workspace = try Workspace() }

  private func object(_ path: String) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  private func streams(_ path: String) throws -> [[String: Any]] {
    let evidence = try #require(try object(path)["evidence"] as? [String: Any])
    let result = try #require(evidence["result"] as? [String: Any])
    return try #require(result["streams"] as? [[String: Any]])
  }

  private func tune(_ options: String..., to name: String = "t.json") throws -> String {
    let path = workspace.path(name)
    let run = try Program.run(["tune", Self.experiment, "--thresholds", path] + options)
    try #require(run.status == 0, "\(run.errors)")
    return path
  }

  @Test(
    "A tuned detector scores the same in evaluate",
    arguments: [[], ["--take", "plank", "--take", "form"]])
  func evaluateTuned(options: [String]) throws {
    let file = workspace.path("t.json")
    let run = try Program.run(["tune", Self.experiment, "--thresholds", file] + options)
    try #require(run.status == 0, "\(run.errors)")
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
      try String(contentsOfFile: path, encoding: .utf8)
        .replacing(#""engine": "streaming""#, with: #""engine": "bit-parallel""#)
    }
    let plain = try text(tune(to: "a.json"))
    let path = workspace.path("b.json")
    let run = try Program.run(["tune", Self.experiment, "--thresholds", path] + options)
    try #require(run.status == 0, "\(run.errors)")
    #expect(try text(path) == plain)
  }

  @Test(
    "The committed Swift files say what their thresholds say",
    arguments: [
      ("PlankThresholds", "swift"), ("CautiousThresholds", "swift"),
    ])
  func committedExports(name: String, format: String) throws {
    let folder = "Tests/AppSnippetsTests/Thresholds/"
    let run = try Program.run(
      "export", folder + name + ".json", "--format", format, "--type-name", name, "--check",
      folder + name + ".swift")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
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
    let run = try Program.run("tune", workspace.path("e"), "--thresholds", file)
    try #require(run.status == 0, "\(run.errors)")
    let again = try Program.run("evaluate", Program.scripted, "--parameters", file)
    #expect(again.status == 0 && again.output.contains("cautious on scripted"), "\(again.errors)")
  }

  /// A mistake: arguments, the exit code, a word of the error.
  struct Mistake: CustomTestStringConvertible, Sendable {
    let arguments: [String]
    let status: Int32
    let word: String
    var testDescription: String { arguments.joined(separator: " ") }
  }

  static let mistakes = [
    Mistake(arguments: ["tune", "no-such"], status: 66, word: "no-such"),
    Mistake(
      arguments: ["tune", experiment, "--axis", "sag"], status: 64, word: "key=from:to:step"),
    Mistake(arguments: ["tune", experiment, "--axis", "sag=1:2:3"], status: 64, word: "0.3"),
    Mistake(arguments: ["tune", experiment, "--set", "sog=1"], status: 64, word: "sag"),
    Mistake(arguments: ["tune", experiment, "--dataset", "no-such"], status: 66, word: "no-such"),
    Mistake(arguments: ["tune", experiment, "--split", "none"], status: 64, word: "tune"),
    Mistake(arguments: ["tune", experiment, "--jobs", "0"], status: 64, word: "jobs"),
    Mistake(
      arguments: ["export", "README.md", "--format", "swift"], status: 65, word: "README.md"),
    Mistake(
      arguments: ["evaluate", "datasets/scripted", "--parameters", "no-such.json"], status: 66,
      word: "no-such.json"),
  ]

  @Test("A mistake has its exit code and a remedy", arguments: mistakes)
  func mistake(mistake: Mistake) throws {
    let run = try Program.run(mistake.arguments)
    #expect(run.status == mistake.status, "\(run.errors)")
    #expect(run.errors.contains(mistake.word), "\(run.errors)")
  }

  @Test("People who are not named cannot be held out unless that is allowed")
  func ungrouped() throws {
    let poses = try String(
      contentsOf: Program.root.appendingPathComponent("datasets/scripted/s01-floor.poses.jsonl"),
      encoding: .utf8
    ).replacing(#","subject":"s01""#, with: "")
    let labels = try String(
      contentsOf: Program.root.appendingPathComponent("datasets/scripted/s01-floor.labels.csv"),
      encoding: .utf8)
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
    let refused = try Program.run(arguments)
    #expect(refused.status == 65 && refused.errors.contains("ungrouped"), "\(refused.errors)")
    let allowed = try Program.run(arguments + ["--allow-ungrouped"])
    #expect(allowed.status == 0, "\(allowed.errors)")
    #expect(allowed.output.contains("subject-or-recording"))
  }
}

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
