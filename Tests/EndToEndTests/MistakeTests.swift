import Foundation
import Testing

@Suite("Mistakes in gate files")
struct GateMistakeTests {
  struct Mistake: CustomTestStringConvertible, Sendable {
    let line: String
    let place: String
    let words: String
    var status: Int32 = 65
    var testDescription: String { line }
  }

  private static let mistakes = [
    Mistake(
      line: "set: [coach_sag_angle=170deg, sogg=3cm]", place: "2: `set[1]`",
      words: "does not use `sogg`"),
    Mistake(
      line: "set: [coach_sag_angle=3cm]", place: "2: `set[0]`", words: "`coach_sag_angle=3cm`"),
    Mistake(line: "set: [coach_sag_angle=400]", place: "2: `set[0]`", words: "360"),
    Mistake(
      line: "set: [coach_sag_angle=170deg, coach_sag_angle=171deg]", place: "2: `set[1]`",
      words: "already set by coach_sag_angle=170deg"),
    Mistake(line: "smoothing: medain", place: "2: `smoothing`", words: "did you mean `median`?"),
    Mistake(line: "debounce: dwel", place: "2: `debounce`", words: "did you mean `dwell`?"),
    Mistake(line: "detector: gravitty", place: "2: `detector`", words: "built-in detectors are"),
    Mistake(
      line: "detector: no.yaml", place: "2: `detector`", words: "no.yaml: no such file", status: 66),
    Mistake(
      line: "detector: no.yml", place: "2: `detector`", words: "no.yml: no such file", status: 66),
    Mistake(
      line: "parameters: no.json", place: "2: `parameters`", words: "no.json: no such file",
      status: 66),
    Mistake(
      line: "predictions: no", place: "2: `predictions`", words: "no: no such folder", status: 66),
    Mistake(line: "split: train", place: "2: `split`", words: "allowed: tune, test"),
    Mistake(
      line: "predictions: p\nsmoothing: median", place: "3: `smoothing`", words: "remove one"),
    Mistake(line: "predictions: p\nset: [sag=3cm]", place: "3: `set`", words: "remove one"),
    Mistake(
      line: "debounce: dwell\nset: [plank_frames=5]", place: "2: `debounce`",
      words: "leave plank_frames at 1"),
  ]

  private func run(_ lines: String, dataset: String = Program.scripted) throws -> Program.Run {
    let workspace = try Workspace()
    let file = try workspace.write(
      "dataset: \(dataset)\n\(lines)\nrules: [{metric: plank.accuracy, at_least: 0.1}]\n",
      to: "gate.yaml")
    return try Program.run("gate", file)
  }

  @Test("File, line and remedy are named, and no option that nobody gave", arguments: mistakes)
  func mistake(mistake: Mistake) throws {
    let run = try run(mistake.line)
    #expect(run.status == mistake.status, "\(run.errors)")
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("gate.yaml:" + mistake.place), "\(run.errors)")
    #expect(run.errors.contains(mistake.words), "\(run.errors)")
    #expect(!run.errors.contains("--s") && !run.errors.contains("--d"), "\(run.errors)")
  }

  @Test("A dataset that is not there is named by the line that asks for it")
  func dataset() throws {
    let run = try run("seed: 1", dataset: "no-such")
    #expect(run.status == 66, "\(run.errors)")
    #expect(run.errors.contains("gate.yaml:1: `dataset`:"), "\(run.errors)")
    #expect(run.errors.contains("no-such: no such dataset"), "\(run.errors)")
  }
}

@Suite("Mistakes in experiments that data show")
struct ExperimentMistakeTests {
  /// Lines of an experiment after its dataset and objective, options, and the expected message.
  struct Mistake: CustomTestStringConvertible, Sendable {
    let lines: String
    var options: [String] = []
    let place: String
    let words: String
    var status: Int32 = 65
    var testDescription: String { (["tune", lines] + options).joined(separator: " ") }
  }

  private static let mistakes = [
    Mistake(
      lines: "validation: {subject_folds: 500}", place: "experiment.yaml:3: `validation",
      words: "cannot be split into 500 folds"),
    Mistake(
      lines: "split: no-such", place: "experiment.yaml:3: `split`", words: "no-such"),
    Mistake(
      lines: "axes: {sag: [1cm, 2cm], pike: [1cm, 2cm]}\nconstraints: [sag < pike - 20cm]",
      place: "experiment.yaml:4: `constraints`", words: "loosen one"),
    Mistake(
      lines: "axes: {sag: [1cm, 2cm]}", options: ["--axis", "reverse_cosine=quantiles:0"],
      place: "--axis reverse_cosine", words: "whole number", status: 64),
    Mistake(
      lines: "smoothing: none", options: ["--smoothing", "medain"], place: "--smoothing medain: ",
      words: "median", status: 64),
    Mistake(
      lines: "smoothing: medain", place: "experiment.yaml:3: `smoothing`", words: "median"),
    Mistake(
      lines: "debounce: [dwell, dwel]", place: "experiment.yaml:3: `debounce[1]`", words: "dwell"),
    Mistake(
      lines: "parameters: {sogg: 1cm}", place: "experiment.yaml:3: `parameters.sogg`", words: "sag"),
  ]

  private func run(
    _ lines: String, _ options: [String] = [], dataset: String = Program.scripted
  ) throws -> Program.Run {
    let workspace = try Workspace()
    let file = try workspace.write(
      "dataset: \(dataset)\nobjective: form.accuracy\n\(lines)\ndetector: gravity\n",
      to: "experiment.yaml")
    return try Program.run(["tune", file] + options)
  }

  @Test("The setting is named where it stands", arguments: mistakes)
  func mistake(mistake: Mistake) throws {
    let run = try run(mistake.lines, mistake.options)
    #expect(run.status == mistake.status, "\(run.errors)")
    #expect(run.errors.contains(mistake.place), "\(run.errors)")
    #expect(run.errors.contains(mistake.words), "\(run.errors)")
  }

  @Test("A dataset that is not there is named by the line that asks for it")
  func dataset() throws {
    let run = try run("seed: 1", dataset: "no-such")
    #expect(run.status == 66, "\(run.errors)")
    #expect(run.errors.contains("experiment.yaml:1: `dataset`:"), "\(run.errors)")
  }
}

@Suite("Smoothing, debounce and sessions from the command line")
struct SteadyingTests {
  private static let sequence = Program.scripted + "/s01-floor.poses.jsonl"

  private func json(_ run: Program.Run) throws -> [String: Any] {
    #expect(run.status == 0, "\(run.errors)")
    let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    return try #require(object as? [String: Any])
  }

  @Test("Every name that `smoothers` lists runs as it stands, unquoted in a shell")
  func everyStrategyRuns() throws {
    let list = try json(Program.run("smoothers", "--format", "json"))
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
    let text = try Program.run(
      "smoothers", "compare", Program.scripted, "--candidate", "emma:cutoff=1Hz")
    #expect(text.status == 64 && text.errors.contains("planklab smoothers"))
    let cost = try Program.run("smoothers", "compare", Program.scripted, "--lag-cost=-1")
    #expect(cost.status == 64 && cost.errors.contains("--lag-cost"))
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
