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

  @Test("A landmark so far away that no recording holds it is the fault of its file")
  func landmark() throws {
    let workspace = try Workspace()
    try workspace.write(
      "timestamp_ms,landmark,x,y,z\n0,23,0.1,0,0\n0,24,-1e308,0,0\n", to: "far.csv")
    let run = try Program.shell(
      "planklab import far.csv --map mediapipe-csv --output y", in: workspace.folder)
    #expect(run.status == 65 && run.errors.contains("far.csv:2"), "\(run.errors)")
    #expect(!run.errors.contains("partial"), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: workspace.path("y")))
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
