import Testing

/// What went wrong once where arguments are read.
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
}
