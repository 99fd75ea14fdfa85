import Foundation
import Testing

/// A setting that the data does not allow is reported with its line, or with its option.
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
