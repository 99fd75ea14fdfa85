import Foundation
import Testing

/// Past mistakes in reading answers of other detectors.
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
    let run = try evaluate("t,plank,form\n\n0,none,\r\n\r\n\n1,plonk,\n2,none,\n")
    #expect(run.status == 65 && run.errors.contains("a.csv:6: `plonk`"), "\(run.errors)")
    let short = try evaluate("\nt,plank,form\n\n0,none,\n\n")
    #expect(short.status == 65 && short.errors.contains("a.csv:4: has 1 row "), "\(short.errors)")
    #expect(try evaluate("\nt,plank,form\n0,none,\n\n1,none,\n2,none,\n\n").status == 0)
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
    let run = try evaluate("t,plank,form\n0,high,sag\n1,none,\n2,high,sag\n")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("against the prediction's"), "\(run.output)")
    #expect(run.output.contains("device high, prediction none"), "\(run.output)")
  }
}
