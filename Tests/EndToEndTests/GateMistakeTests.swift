import Foundation
import Testing

/// A mistake in a gate's file is reported with its line, wherever it is noticed.
@Suite("Mistakes in gate files")
struct GateMistakeTests {
  /// A line of the file, the expected message, and the exit code.
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
    Mistake(line: "detector: gravitty", place: "2: `detector`", words: "built in are"),
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
