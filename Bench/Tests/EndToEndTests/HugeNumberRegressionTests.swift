import Foundation
import Testing

/// Numbers so large that something went wrong once.
@Suite("Huge numbers, once fatal")
struct HugeNumberRegressionTests {
  @Test("Times whose distance is no number are an error with file and line")
  func times() throws {
    let frames = [#"{"t":-1.7e308,"p":null}"#, #"{"t":1.7e308,"p":null}"#]
    let poses = ([BadInputTests.Case.good] + frames).joined(separator: "\n") + "\n"
    let workspace = try Workspace()
    let run = try Program.run("evaluate", try workspace.dataset(poses: poses))
    #expect(run.status == 65 && run.errors.contains("a.poses.jsonl:3: `t`"), "\(run.errors)")
  }

  @Test("A nominal rate whose interval is no number is an error with file and line")
  func rate() throws {
    let header = BadInputTests.Case.good.replacingOccurrences(
      of: "}", with: #","nominal_rate_hz":1e-320}"#)
    let workspace = try Workspace()
    let run = try Program.run(
      "evaluate", try workspace.dataset(poses: header + "\n" + #"{"t":0,"p":null}"# + "\n"))
    #expect(
      run.status == 65 && run.errors.contains("a.poses.jsonl:1: `nominal_rate_hz`"),
      "\(run.errors)")
  }

  @Test("Labels that run for more than a day are not compared without a recording")
  func labels() throws {
    let workspace = try Workspace()
    for end in ["100000", "1e12", "1e300"] {
      let labels = try workspace.write("start,end,plank,form\n0,\(end),none,\n", to: "a.csv")
      let run = try Program.run("labels", "compare", labels, labels)
      #expect(run.status == 65 && run.errors.contains("--recording"), "\(run.errors)")
    }
  }

  @Test("Labels that run for a day are compared")
  func day() throws {
    let workspace = try Workspace()
    let labels = try workspace.write("start,end,plank,form\n0,86400,none,\n", to: "a.csv")
    let run = try Program.run("labels", "compare", labels, labels)
    #expect(run.status == 0, "\(run.errors)")
  }
}
