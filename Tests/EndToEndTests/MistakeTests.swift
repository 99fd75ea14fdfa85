import Foundation
import Testing

@Suite("Mistakes in gate files")
struct GateMistakeTests {
  /// Lines after the dataset, the exit code, where the mistake is, and what is said of it.
  private static let mistakes =
    [
      ("set: [coach_sag_angle=170deg, sogg=3cm]", 65, "2: `set[1]`", "does not use `sogg`"),
      ("set: [coach_sag_angle=3cm]", 65, "2: `set[0]`", "`coach_sag_angle=3cm`"),
      ("set: [coach_sag_angle=400]", 65, "2: `set[0]`", "360"),
      (
        "set: [coach_sag_angle=170deg, coach_sag_angle=171deg]", 65, "2: `set[1]`",
        "already set by coach_sag_angle=170deg"
      ),
      ("smoothing: medain", 65, "2: `smoothing`", "did you mean `median`?"),
      ("debounce: dwel", 65, "2: `debounce`", "did you mean `dwell`?"),
      ("detector: gravitty", 65, "2: `detector`", "built-in detectors are"),
      ("detector: no.yaml", 66, "2: `detector`", "no.yaml: no such file"),
      ("detector: no.yml", 66, "2: `detector`", "no.yml: no such file"),
      ("parameters: no.json", 66, "2: `parameters`", "no.json: no such file"),
      ("predictions: no", 66, "2: `predictions`", "no: no such folder"),
      ("split: train", 65, "2: `split`", "allowed: tune, test"),
      ("predictions: p\nsmoothing: median", 65, "3: `smoothing`", "remove one"),
      ("predictions: p\nset: [sag=3cm]", 65, "3: `set`", "remove one"),
      ("debounce: dwell\nset: [plank_frames=5]", 65, "2: `debounce`", "leave plank_frames at 1"),
    ] as [(String, Int32, String, String)]

  private func run(_ lines: String, dataset: String = Program.scripted) throws -> Program.Run {
    let workspace = try Workspace()
    let file = try workspace.write(
      "dataset: \(dataset)\n\(lines)\nrules: [{metric: plank.accuracy, at_least: 0.1}]\n",
      to: "gate.yaml")
    return try Program.run("gate", file)
  }

  @Test("File, line and remedy are named, and no option that nobody gave", arguments: mistakes)
  func mistake(lines: String, status: Int32, place: String, words: String) throws {
    let run = try run(lines).expect(status, errors: "gate.yaml:" + place, words)
    #expect(run.output.isEmpty)
    #expect(!run.errors.contains("--s") && !run.errors.contains("--d"), "\(run.errors)")
  }

  @Test("A dataset that is not there is named by the line that asks for it")
  func dataset() throws {
    try run("seed: 1", dataset: "no-such").expect(
      66, errors: "gate.yaml:1: `dataset`:", "no-such: no such dataset")
  }
}

@Suite("Mistakes in experiments that data show")
struct ExperimentMistakeTests {
  /// Lines after dataset and objective, options, the exit code, the place, and what is said of it.
  private static let mistakes =
    [
      (
        "validation: {subject_folds: 500}", "", 65, "experiment.yaml:3: `validation",
        "cannot be split into 500 folds"
      ),
      ("split: no-such", "", 65, "experiment.yaml:3: `split`", "no-such"),
      (
        "axes: {sag: [1cm, 2cm], pike: [1cm, 2cm]}\nconstraints: [sag < pike - 20cm]", "", 65,
        "experiment.yaml:4: `constraints`", "loosen one"
      ),
      (
        "axes: {sag: [1cm, 2cm]}", "--axis reverse_cosine=quantiles:0", 64, "--axis reverse_cosine",
        "whole number"
      ),
      ("smoothing: none", "--smoothing medain", 64, "--smoothing medain: ", "median"),
      ("smoothing: medain", "", 65, "experiment.yaml:3: `smoothing`", "median"),
      ("debounce: [dwell, dwel]", "", 65, "experiment.yaml:3: `debounce[1]`", "dwell"),
      ("parameters: {sogg: 1cm}", "", 65, "experiment.yaml:3: `parameters.sogg`", "sag"),
    ] as [(String, String, Int32, String, String)]

  private func run(
    _ lines: String, _ options: String = "", dataset: String = Program.scripted
  ) throws -> Program.Run {
    let workspace = try Workspace()
    let file = try workspace.write(
      "dataset: \(dataset)\nobjective: form.accuracy\n\(lines)\ndetector: gravity\n",
      to: "experiment.yaml")
    return try Program.run(["tune", file] + options.split(separator: " ").map(String.init))
  }

  @Test("The setting is named where it stands", arguments: mistakes)
  func mistake(
    lines: String, options: String, status: Int32, place: String, words: String
  ) throws {
    try run(lines, options).expect(status, errors: place, words)
  }

  @Test("A dataset that is not there is named by the line that asks for it")
  func dataset() throws {
    try run("seed: 1", dataset: "no-such").expect(66, errors: "experiment.yaml:1: `dataset`:")
  }
}

@Suite("Smoothing, debounce and sessions from the command line")
struct SteadyingTests {
  private static let sequence = Program.scripted + "/s01-floor.poses.jsonl"

  @Test("Every name that `smoothers` lists runs as it stands, unquoted in a shell")
  func everyStrategyRuns() throws {
    let list = try Program.run("smoothers", "--format", "json").expect(0).json()
    for (kind, option) in [("smoothing", "--smoothing"), ("debounce", "--debounce")] {
      let entries = try #require(list[kind] as? [[String: Any]])
      #expect(entries.count >= 4)
      for text in entries.compactMap({ $0["text"] as? String }) {
        let run = try Program.shell(
          "planklab replay \(Self.sequence) --detector gravity \(option) \(text)")
        #expect(run.status == 0 && run.output.contains(text), "\(text): \(run.errors)")
      }
    }
  }
}

@Suite("Comparison of smoothers")
struct CompareSmoothersTests {
  @Test("A candidate with a mistake and a negative cost are usage errors")
  func mistakes() throws {
    try Program.run(
      "smoothers", "compare", Program.scripted, "--candidate", "emma:cutoff=1Hz"
    ).expect(64, errors: "planklab smoothers")
    try Program.run("smoothers", "compare", Program.scripted, "--lag-cost=-1").expect(
      64, errors: "--lag-cost")
  }
}

@Suite("First screen of an evaluation")
struct FirstScreenTests {
  @Test("The worst moments of a dataset are explained in one go, the worst first")
  func worst() throws {
    let run = try Program.run(
      "explain", "datasets/scripted", "--detector", "gravity", "--worst", "2")
    let titles = run.output.split(separator: "\n").filter { $0.contains(" s, frame ") }
    #expect(run.status == 0 && titles.count == 2, "\(run.errors)")
    #expect(titles[0].hasPrefix("s04-pelvis at 5.000 s"))
    for flags in [[], ["--at", "1", "--worst", "1"], ["--worst", "0"], ["--worst", "11"]] {
      let refused = try Program.run(["explain", "datasets/scripted"] + flags)
      #expect(refused.status == 64 && !refused.errors.isEmpty)
    }
  }
}
