import Foundation
import Testing

/// Answers that belong to no sequence are never passed over in silence.
@Suite("Answers without a sequence")
struct StrayAnswersTests {
  private static let rule = "  - {metric: plank.accuracy, at_least: 0.1}\n"
  private static let warning = "p6.csv belongs to no sequence of the dataset"

  /// Five people in the manifest, answers of six, and tables that are no answers.
  private func gated() throws -> GateWorkspace {
    let gated = try GateWorkspace(people: 5)
    try gated.gate(Self.rule)
    try gated.answers("answers", late: [3, 4, 2, 5, 3, 4])
    try gated.workspace.write("averaging_s,verticalRatio_-\n1,0.1\n", to: "answers/allan/p1.csv")
    try gated.workspace.write("t,plank,form\n", to: "answers/notes.txt")
    return gated
  }

  @Test("Whatever scores a folder warns of a file that no sequence asks for, once, and goes on")
  func warnings() throws {
    let gated = try gated()
    let (data, answers) = (gated.workspace.path("data"), gated.workspace.path("answers"))
    let runs = [
      try Program.run("evaluate", data, "--predictions", answers),
      try Program.run("compare", data, answers, answers), try gated.update(), try gated.run(),
    ]
    for run in runs {
      #expect(run.status == 0, "\(run.output)\(run.errors)")
      #expect(run.errors.ranges(of: Self.warning).count == 1, "\(run.errors)")
      #expect(!run.errors.contains("allan") && !run.errors.contains("notes"), "\(run.errors)")
      #expect(!run.output.contains("belongs to no sequence"))
    }
  }

  @Test("A pipe among the answers keeps nobody waiting")
  func pipe() throws {
    let gated = try gated()
    try #require(mkfifo(gated.workspace.path("answers/p7.csv"), 0o600) == 0)
    let run = try Program.run(
      "evaluate", gated.workspace.path("data"), "--predictions", gated.workspace.path("answers"))
    #expect(run.status == 0 && run.errors.contains(Self.warning), "\(run.errors)")
    #expect(!run.errors.contains("p7"), "\(run.errors)")
  }

  @Test("Sequences of another split are no strangers")
  func split() throws {
    let gated = try gated()
    let path = gated.workspace.path("data/dataset.yaml")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let marked = text.replacingOccurrences(of: "subject: person1", with: "subject: x\n    split: a")
    try gated.workspace.write(marked, to: "data/dataset.yaml")
    try FileManager.default.removeItem(atPath: gated.workspace.path("answers/p6.csv"))
    let run = try Program.run(
      "evaluate", gated.workspace.path("data"), "--split", "a", "--predictions",
      gated.workspace.path("answers"))
    #expect(run.status == 0 && !run.errors.contains("warning"), "\(run.errors)")
  }

  @Test("A sequence without answers is an error that names the file that was probably meant")
  func renamed() throws {
    let gated = try gated()
    let answers = gated.workspace.path("answers")
    try FileManager.default.moveItem(atPath: answers + "/p2.csv", toPath: answers + "/P2.csv")
    let run = try gated.run()
    #expect(run.status == 66 && run.output.isEmpty, "\(run.output)\(run.errors)")
    #expect(run.errors.contains("answers/p2.csv: no such file"), "\(run.errors)")
    #expect(run.errors.contains("P2.csv, p6.csv belong to no sequence"), "\(run.errors)")
  }
}
