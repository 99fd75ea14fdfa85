import Foundation
import Testing

@Suite("Predictions, once broken")
struct PredictionsRegressionTests {
  private static let poses =
    ([BadInputTests.Case.good] + (0..<3).map { #"{"t":\#($0),"p":[0,0,0],"a":["high","sag"]}"# })
    .joined(separator: "\n") + "\n"

  private func evaluate(_ predictions: String) throws -> Program.Run {
    let workspace = try Workspace()
    let dataset = try workspace.dataset(poses: Self.poses)
    try workspace.write(predictions, to: "answers/a.csv")
    return try Program.run(
      "evaluate", dataset, "--predictions", workspace.path("answers"), "--section", "device")
  }

  @Test("Blank lines do not shift the line that an error names")
  func blankLines() throws {
    try evaluate("t,plank,form\n\n0,none,\r\n\r\n\n1,plonk,\n2,none,\n").expect(
      65, errors: "a.csv:6: `plonk`")
    try evaluate("\nt,plank,form\n\n0,none,\n\n").expect(65, errors: "a.csv:4: has 1 row ")
    try evaluate("\nt,plank,form\n0,none,\n\n1,none,\n2,none,\n\n").expect(0)
  }

  @Test(
    "A needed column that is there twice is refused; another one is not", arguments: ["t", "x"])
  func repeatedColumn(name: String) throws {
    let rows = (0..<3).map { "\($0),none,,\($0)\($0),1\n" }.joined()
    let run = try evaluate("t,plank,form,\(name),x\n" + rows)
    #expect(run.status == (name == "t" ? 65 : 0), "\(run.errors)")
    if name == "t" { #expect(run.errors.contains("a.csv:1: names the column `t` 2 times")) }
  }

  @Test("The device's answers are compared with predictions by that name")
  func device() throws {
    try evaluate("t,plank,form\n0,high,sag\n1,none,\n2,high,sag\n").expect(
      0, output: "compared with the prediction's", "device high, prediction none")
  }
}

@Suite("Answers without a sequence")
struct StrayAnswersTests {
  private static let rule = "  - {metric: plank.accuracy, at_least: 0.1}\n"
  private static let warning = "p6.csv belongs to no sequence of the dataset"

  /// Five people in the manifest, answers of six, and tables that are no answers.
  private func gated() throws -> GateWorkspace {
    let gated = try GateWorkspace(people: 5, rules: Self.rule)
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
      "evaluate", gated.workspace.path("data"), "--predictions", gated.workspace.path("answers")
    ).expect(0, errors: Self.warning)
    #expect(!run.errors.contains("p7"), "\(run.errors)")
  }

  @Test("Sequences of another split are no strangers")
  func split() throws {
    let gated = try gated()
    try gated.workspace.replace(
      "subject: person1", with: "subject: x\n    split: a", in: "data/dataset.yaml")
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
