import Foundation
import Testing

/// Past mistakes in reading arguments.
@Suite("Arguments, once broken")
struct ArgumentRegressionTests {
  @Test("A time below 0 needs no equals sign")
  func negativeTimes() throws {
    let workspace = try Workspace()
    let header = BadInputTests.Case.good
    let dataset = try workspace.dataset(
      poses: header + "\n" + #"{"t":-2,"p":[0,0,0]}"# + "\n" + #"{"t":0,"p":[0,0,0]}"# + "\n")
    let explain = try Program.run("explain", dataset + "/a.poses.jsonl", "--at", "-2")
    #expect(explain.status == 0, "\(explain.errors)")
    let track = try workspace.write("3\t5\tforearm\n", to: "track.txt")
    let output = workspace.path("track.labels.csv")
    let labels = try Program.run(
      "labels", "import", track, "--offset", "-1.5", "--output", output)
    #expect(labels.status == 0, "\(labels.errors)")
    #expect(try Program.shell("grep -q '^1.5,3.5,forearm,' '\(output)'").status == 0)
  }

  @Test(
    "What the parser quotes of an argument cannot steer the terminal",
    arguments: [
      "-\r-\n`sa\r-g=1ecm plan+_frames=5", "--\u{1B}[2J=x", "--seed=1\n::error::x", "\u{1B}]0;x",
    ])
  func control(argument: String) throws {
    let run = try Program.run("compare", Program.scripted, "article", argument)
    #expect(run.status == 64)
    #expect(!run.errors.unicodeScalars.contains { $0.value < 32 && $0 != "\n" }, "\(run.errors)")
    #expect(!run.errors.split(separator: "\n").contains { $0.hasPrefix("::") }, "\(run.errors)")
  }

  @Test("Moments that are not given lie in the recording, though labels go beyond it")
  func labelsBeyond() throws {
    let workspace = try Workspace()
    let frames = #"{"t":0,"p":[0,0,0]}"# + "\n" + #"{"t":0.1,"p":[0,0,0]}"# + "\n"
    for labels in ["0,9,none,\n", "5,9,high,\n", "0,0.1,none,\n0.1,9,high,aligned\n"] {
      let dataset = try workspace.dataset(
        poses: BadInputTests.Case.good + "\n" + frames, labels: "start,end,plank,form\n" + labels)
      let show = ["dataset", "show", dataset, "--sequence", "a", "--picture"]
      let run = try Program.run(show + [workspace.path("a.svg")])
      #expect(run.status == 0, "\(run.errors)")
    }
  }

  @Test("Moments to draw may lie below 0 too")
  func negativeMoments() throws {
    let workspace = try Workspace()
    let dataset = workspace.path("data")
    try FileManager.default.copyItem(atPath: Program.scripted, toPath: dataset)
    let picture = workspace.path("a.svg")
    let run = try Program.run(
      "dataset", "show", dataset, "--sequence", "s01-floor", "--picture", picture, "--at", "-1",
      "--at", "2")
    #expect(run.errors.contains("-1"), "\(run.errors)")
    #expect(!run.errors.contains("Unknown option"), "\(run.errors)")
  }

  @Test(
    "A key that is set twice is refused, with both values",
    arguments: [
      ["evaluate", "--set", "sag=3cm", "--set", "sag=4cm"],
      ["evaluate", "--set", "sag=3cm", "--set", "pike=4cm", "--set", "sag=3cm"],
      ["replay", "--session", "session_deadline=5s", "--session", "session_deadline=6s"],
    ])
  func repeats(arguments: [String]) throws {
    let input = Program.scripted + (arguments[0] == "replay" ? "/s01-floor.poses.jsonl" : "")
    let run = try Program.run([arguments[0], input] + arguments.dropFirst())
    #expect(run.status == 64, "\(run.errors)")
    for text in [arguments[2], arguments[arguments.count - 1], "is already set"] {
      #expect(run.errors.contains(text), "\(run.errors)")
    }
  }
}
