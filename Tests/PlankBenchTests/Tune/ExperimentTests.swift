import ArgumentParser
import Foundation
import PlankDetection
import PoseDatasets
import PoseModel
import TestSupport
import Testing
import Tuning

@testable import PlankBench
@testable import Reports

@Suite("Experiment") struct ExperimentTests {
  private static let complete = """
    question: How deep?
    dataset: ../data
    split: train
    detector: [gravity, scaled]
    smoothing: [none, "ema:cutoff=1.5Hz@measurements"]
    debounce: parameters
    parameters: {plank_frames: 5}
    axes:
      sag: {from: 0cm, to: 8cm, step: 0.5cm}
      pike: [3cm, 5cm]
      elbow_split: {quantiles: 24}
    objective: [form.balanced_accuracy, plank.f1_macro]
    constraints:
      - form.excess_transitions_per_minute <= 2
      - sag <= pike + 1cm
    tolerance: 0.005
    validation: {subject_folds: 4}
    resamples: 20
    refine: false
    seed: 7
    """

  private func parse(_ text: String, _ flags: [String] = []) throws -> Experiment {
    let flags = try ExperimentOptions.parse(["e.yaml"] + flags)
    return try Experiment(text, file: "e.yaml", flags, axes: flags.axisTexts())
  }

  @Test("A complete file gives the experiment that it describes")
  func completeFile() throws {
    let experiment = try parse(Self.complete)
    #expect(experiment.question == "How deep?")
    #expect(experiment.datasets == ["../data"])
    #expect(experiment.split == "train")
    #expect(experiment.grid.detectors.map(\.definition.name) == ["gravity", "scaled"])
    #expect(experiment.grid.detectors.map { $0.base[.plankFrames] } == [5, 5])
    #expect(experiment.grid.smoothings.map(\.text) == ["none", "ema:cutoff=1.5Hz@measurements"])
    #expect(
      experiment.grid.axes == [
        ParameterAxis(.sag, .range(from: 0, to: 0.08, step: 0.005)),
        ParameterAxis(.pike, .list([0.03, 0.05])), ParameterAxis(.elbowSplit, .quantiles(24)),
      ])
    #expect(
      experiment.grid.constraints == [AxisConstraint(.sag, .lessOrEqual, .pike, margin: 0.01)])
    #expect(experiment.goals.map(\.stream) == [.form, .plank])
    #expect(
      experiment.goals[0].constraints.map(\.description) == [
        "form.excess_transitions_per_minute <= 2.0"
      ])
    #expect(experiment.goals[1].constraints.isEmpty)
    #expect(experiment.goals.map(\.tolerance) == [0.005, 0.005])
    var options = TuningOptions(
      validation: .subjectFolds(4), resamples: 20, refines: false, seed: 7)
    options.jobs = experiment.options.jobs
    #expect(experiment.options == options)
  }

  @Test("What is left out has its default")
  func defaults() throws {
    let experiment = try parse("dataset: d\nobjective: form.accuracy")
    #expect(experiment.grid.detectors.map(\.definition.name) == ["coach"])
    #expect(experiment.grid.axes.isEmpty)
    var options = TuningOptions()
    options.jobs = ProcessInfo.processInfo.activeProcessorCount
    #expect(experiment.options == options)
    #expect(experiment.question == nil && experiment.split == nil)
  }

  @Test("Several datasets are a list, whose sources can be held out")
  func sources() throws {
    let experiment = try parse(
      "dataset: [a, b]\nsource_tag: venue\nvalidation: leave-one-source-out\n"
        + "objective: form.accuracy")
    #expect(experiment.datasets == ["a", "b"])
    #expect(experiment.sourceTag == "venue")
    #expect(experiment.options.validation == .leaveOneSourceOut)
  }

  @Test("Flags replace axes, add others, fix parameters and end their axes")
  func flags() throws {
    let experiment = try parse(
      Self.complete,
      [
        "--axis", "sag=1cm,20mm", "--axis", "side_rise=0.1:0.2:0.05", "--axis",
        "form_frames=1:5:2", "--set", "pike=7cm", "--set", "plank_frames=9", "--dataset", "other",
        "--split", "test", "--seed", "3", "--jobs", "2", "--engine", "streaming",
        "--allow-ungrouped", "--smoothing", "none",
      ])
    #expect(
      experiment.grid.axes == [
        ParameterAxis(.sag, .list([0.01, 0.02])), ParameterAxis(.elbowSplit, .quantiles(24)),
        ParameterAxis(.sideRise, .range(from: 0.1, to: 0.2, step: 0.05)),
        ParameterAxis(.formFrames, .range(from: 1, to: 5, step: 2)),
      ])
    #expect(experiment.grid.detectors[0].base[.pike] == 0.07)
    #expect(experiment.grid.detectors[0].base[.plankFrames] == 9)
    #expect(experiment.datasets == ["other"] && experiment.split == "test")
    #expect(experiment.options.seed == 3 && experiment.options.jobs == 2)
    #expect(experiment.options.engine == .streaming && experiment.options.allowsUngrouped)
    #expect(experiment.grid.smoothings == [.none])
  }

  @Test("Debounces of the command line take the place of the file's, each with every detector")
  func debounces() throws {
    let experiment = try parse(
      "dataset: d\nobjective: form.accuracy\ndebounce: [parameters, \"dwell:enter=1s\"]",
      ["--debounce", "dwell:enter=0.3s"])
    let texts = experiment.grid.detectors.map { $0.debounce.text(parameters: []) }
    #expect(texts.count == 1 && texts[0].hasPrefix("dwell:enter=0.3s"))
  }

  static let mistakes = [
    Mistake(from: "question: How", to: "questoin: How", line: 1, word: "questoin"),
    Mistake(from: "dataset: ../data\n", to: "", line: 1, word: "dataset"),
    Mistake(from: "scaled]", to: "moon]", line: 4, word: "moon"),
    Mistake(from: "scaled]", to: "gravity]", line: 4, word: "once"),
    Mistake(from: "[none, ", to: "[fog, ", line: 5, word: "fog"),
    Mistake(from: "debounce: parameters", to: "debounce: dwel", line: 6, word: "dwell"),
    Mistake(from: "{plank_frames: 5}", to: "{plank_frame: 5}", line: 7, word: "plank_frames"),
    Mistake(from: "{plank_frames: 5}", to: "{plank_frames: 0}", line: 7, word: "1 to 1000"),
    Mistake(from: "{plank_frames: 5}", to: "{sag: 5cm}", line: 7, word: "axis"),
    Mistake(from: "0cm, to", to: "0deg, to", line: 9, word: "0deg"),
    Mistake(from: "to: 8cm", to: "to: 80cm", line: 9, word: "0.3"),
    Mistake(from: "step: 0.5cm", to: "step: 0", line: 9, word: "positive step"),
    Mistake(from: "step: 0.5cm", to: "stride: 0.5cm", line: 9, word: "stride"),
    Mistake(from: "[3cm, 5cm]", to: "[3cm, 3cm]", line: 10, word: "twice"),
    Mistake(from: "[3cm, 5cm]", to: "[]", line: 10, word: "empty"),
    Mistake(from: "quantiles: 24", to: "quantiles: many", line: 11, word: "whole number"),
    Mistake(from: "elbow_split: {", to: "form_frames: {", line: 11, word: "no quantiles"),
    Mistake(from: "elbow_split: {", to: "elbow_spilt: {", line: 11, word: "elbow_split"),
    Mistake(from: "plank.f1_macro", to: "plank.f2_macro", line: 12, word: "plank.f1_macro"),
    Mistake(from: "plank.f1_macro", to: "form.f1_macro", line: 12, word: "two objectives"),
    Mistake(from: "minute <= 2", to: "minute < 2", line: 14, word: "<= or >="),
    Mistake(from: "minute <= 2", to: "minute <= two", line: 14, word: "two"),
    Mistake(from: "sag <= pike + 1cm", to: "sag <= pike 1cm", line: 15, word: "not a constraint"),
    Mistake(from: "sag <= pike + 1cm", to: "sag <= elbow_split", line: 15, word: "deg"),
    Mistake(from: "sag <= pike + 1cm", to: "sag <= poke", line: 15, word: "poke"),
    Mistake(from: "tolerance: 0.005", to: "tolerance: -1", line: 16, word: "0 or more"),
    Mistake(from: "{subject_folds: 4}", to: "{subject_folds: 1}", line: 17, word: "2 to"),
    Mistake(from: "{subject_folds: 4}", to: "sometimes", line: 17, word: "leave-one-subject-out"),
    Mistake(from: "resamples: 20", to: "resamples: -3", line: 18, word: "0 to"),
    Mistake(from: "seed: 7", to: "seed: -7", line: 20, word: "seed"),
  ]

  @Test("Every mistake is an error with its line and a remedy", arguments: mistakes)
  func mistakeIsLocated(mistake: Mistake) {
    mistake.expectError(in: Self.complete) { _ = try parse($0) }
  }

  @Test(
    "A mistake in an axis of the command line is reported with the option",
    arguments: ["sag=0:1:0.1", "sag=1deg", "sog=1", "sag=quantiles:0"])
  func axisMistake(axis: String) throws {
    let error = #expect(throws: FieldError.self) { try parse(Self.complete, ["--axis", axis]) }
    #expect(error?.description.hasPrefix("--axis s") == true, "\(error?.description ?? "")")
    #expect(error?.line == nil)
  }

  @Test(
    "Texts that are not axes are refused", arguments: ["sag", "=1", "sag=", "sag=1:2", "a=1:2:3:4"])
  func noAxis(text: String) {
    #expect(throws: AxisText.Problem.self) { try AxisText(assignment: text) }
  }
}

/// A folder with an experiment on simulated people who alternate between `none` and `high`.
///
/// A detector tells them apart by the height of an ankle. `none` is 10 cm below the middle and
/// `high` 10 cm above it, with frames that differ by 10 cm and people who differ by 4 cm; on noise,
/// the class moves the ankle by nothing but each person's own habit.
struct SimulatedExperiment {
  let folder: TemporaryFolder
  private static let stretches = 6
  private static let stretchFrames = 25

  /// Writes recordings, a detector and an experiment.
  ///
  /// - Parameters:
  ///   - people: how many there are, one recording each.
  ///   - start: the threshold from which tuning starts, in meters.
  ///   - isNoise: whether heights say nothing about classes.
  ///   - classes: the classes of the stretches in turn.
  ///   - areNamed: whether the manifest has subjects.
  ///   - offsets: of all heights of a source, in meters; people take turns, the tag is `source`.
  ///   - more: further lines of the experiment.
  init(
    people: Int, seed: Int, start: Double = 0, isNoise: Bool = false,
    classes: [String] = ["none", "high"], areNamed: Bool = true, offsets: [Double] = [0],
    more: String = ""
  ) throws {
    folder = try TemporaryFolder()
    try writeRecordings(
      people: people, seed: seed, isNoise: isNoise, classes: classes, areNamed: areNamed,
      offsets: offsets)
    try folder.write(
      """
      name: simulated
      parameters:
        limit: {unit: m, default: \(start), range: [-1, 1], meaning: height of an ankle}
        other: {unit: m, default: 0.9, range: [-1, 1], meaning: a height that nobody reaches}
      measurements:
        rise: height(leftAnkle) - height(root)
      plank:
        - none: rise < limit
        - reverse: rise > other
        - high
      form: [aligned]
      """, to: "detector.yaml")
    try folder.write(
      """
      dataset: dataset.yaml
      detector: detector.yaml
      parameters: {plank_frames: 1}
      axes: {limit: {from: -0.3, to: 0.3, step: 0.02}, other: [0.8, 0.9]}
      objective: plank.balanced_accuracy
      resamples: 0
      """ + "\n" + more, to: "experiment.yaml")
  }

  private func writeRecordings(
    people: Int, seed: Int, isNoise: Bool, classes: [String], areNamed: Bool, offsets: [Double]
  ) throws {
    var random = SplitMix64(spread: seed)
    var manifest = "name: simulated\nsequences:\n"
    for person in 0..<people {
      let source = person % offsets.count
      let bias = 0.04 * random.nearlyNormal() + offsets[source]
      let side = isNoise ? 0.04 * random.nearlyNormal() : 0.1
      var poses =
        #"{"format":"planklab-poses","version":1,"skeleton":"vision3d","#
        + #""joints":["root","leftAnkle"],"frame":"world"}"# + "\n"
      var labels = "start,end,plank,form\n"
      for part in 0..<Self.stretches {
        let label = classes[part % classes.count]
        let (from, to) = (part * Self.stretchFrames, (part + 1) * Self.stretchFrames)
        labels += "\(Double(from) / 10),\(Double(to) / 10),\(label),\n"
        for frame in from..<to {
          let height = (label == "none" ? -side : side) + bias + 0.1 * random.nearlyNormal()
          poses += "{\"t\":\(Double(frame) / 10),\"p\":[0,0,0,0,\(Float(height)),0]}\n"
        }
      }
      try folder.write(poses, to: "p\(person).poses.jsonl")
      try folder.write(labels, to: "p\(person).labels.csv")
      manifest +=
        "  - {poses: p\(person).poses.jsonl, labels: p\(person).labels.csv"
        + (areNamed ? ", subject: s\(person)" : "")
        + (offsets.count > 1 ? ", tags: {source: s\(source)}" : "") + "}\n"
    }
    try folder.write(manifest, to: "dataset.yaml")
  }

  func path(_ name: String) -> String { folder.path(name) }

  func tune(_ options: String...) async throws -> Outcome {
    try await Tune.parse([folder.path] + options).outcome()
  }
}
