import Foundation
import Testing

/// Past mistakes in writing results.
@Suite("Outputs, once broken")
struct OutputRegressionTests {
  @Test(
    "A result never replaces a recording, labels or a manifest, not even through a link",
    arguments: ["a.poses.jsonl", "a.labels.csv", "dataset.yaml", "link.txt"])
  func inputs(name: String) throws {
    let workspace = try Workspace()
    let dataset = try workspace.dataset(poses: BadInputTests.Case.good + "\n")
    let target = dataset + "/" + name
    if name == "link.txt" {
      try FileManager.default.createSymbolicLink(
        atPath: target, withDestinationPath: dataset + "/a.poses.jsonl")
    }
    let before = try Data(contentsOf: URL(fileURLWithPath: target))
    let run = try Program.run("detectors", "gravity", "--output", target)
    #expect(run.status == 73 && run.errors.contains(target), "\(run.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == before)
  }

  @Test("A labeling page never replaces the recording that it shows")
  func page() throws {
    let workspace = try Workspace()
    let poses = BadInputTests.Case.good + "\n" + #"{"t":0,"p":[0,0,0]}"# + "\n"
    let recording = try workspace.dataset(poses: poses) + "/a.poses.jsonl"
    #expect(try Program.run("label", recording, "--html", recording).status == 73)
    #expect(try String(contentsOfFile: recording, encoding: .utf8) == poses)
  }

  @Test("Neither does a picture, nor what is imported or exported")
  func otherOutputs() throws {
    let workspace = try Workspace()
    let dataset = workspace.path("data")
    try FileManager.default.copyItem(atPath: Program.scripted, toPath: dataset)
    let recording = dataset + "/s01-floor.poses.jsonl"
    let labels = dataset + "/s01-floor.labels.csv"
    let before = try [recording, labels].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    let track = try workspace.write("0\t1\tnone\n", to: "track.txt")
    let show = ["dataset", "show", dataset, "--sequence", "s01-floor", "--picture"]
    for target in [recording, labels] {
      for command in [show, ["labels", "import", track, "--output"]] {
        let run = try Program.run(command + [target])
        #expect(run.status == 73 && run.errors.contains(target), "\(run.errors)")
      }
    }
    let after = try [recording, labels].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    #expect(before == after)
  }

  @Test("A link to a place where nothing is yet leads the result there; a link to a folder too")
  func links() throws {
    let workspace = try Workspace()
    let line = """
      ln -s file link && planklab detectors gravity --output link && test -L link && \
      test -s file && mkdir empty && ln -s empty tables && \
      planklab measure '\(Program.scripted)' --output tables && test -L tables && \
      test -s empty/s01-floor.csv
      """
    let run = try Program.shell(line, in: workspace.folder)
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test("An output that is no file is written to and stays what it is; a link stays a link")
  func specialFiles() throws {
    let workspace = try Workspace()
    let line = """
      mkfifo pipe && { planklab detectors gravity --output pipe & timeout 20 cat pipe > got; } && \
      test -p pipe && test -s got && echo old > file && ln -s file link && \
      planklab detectors gravity --output link && test -L link && cmp file got
      """
    let run = try Program.shell(line, in: workspace.folder)
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test("A result that stdout does not take is an error, unless its reader went away")
  func fullDisk() throws {
    if FileManager.default.fileExists(atPath: "/dev/full") {
      let full = try Program.shell("planklab detectors > /dev/full")
      #expect(full.status == 73 && full.errors.contains("stdout"), "\(full.errors)")
    }
    for command in ["detectors", "--help", "--version"] {
      for closed in [">&-", "<&- >&-"] {
        let run = try Program.shell("planklab \(command) \(closed)")
        #expect(run.status == 73 && run.errors.contains("stdout"), "\(command): \(run.errors)")
      }
    }
    let piped = try Program.shell("{ planklab detectors; echo $? >&2; } | true")
    #expect(!piped.errors.contains("error"), "\(piped.errors)")
  }

  @Test("A folder beside the output is not touched, whatever its name")
  func neighbors() throws {
    let workspace = try Workspace()
    try workspace.write("mine", to: "tables.partial/file")
    let output = workspace.path("tables")
    #expect(try Program.run("measure", Program.scripted, "--output", output).status == 0)
    let left = try FileManager.default.contentsOfDirectory(atPath: workspace.folder.path)
    #expect(left.sorted() == ["tables", "tables.partial"])
    #expect(FileManager.default.fileExists(atPath: workspace.path("tables.partial/file")))
  }

  @Test("Of runs into one folder at one time one wins, whole, and the others say why they lost")
  func race() throws {
    let workspace = try Workspace()
    let line = """
      printf '1 2 3 4' | xargs -n 1 -P 4 sh -c \
      'planklab measure "\(Program.scripted)" --output t > /dev/null 2>&1; echo $?'
      """
    let run = try Program.shell(line, in: workspace.folder)
    let codes = run.output.split(separator: "\n").sorted()
    #expect(codes == ["0", "73", "73", "73"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: workspace.folder.path) == ["t"])
    let files = try FileManager.default.contentsOfDirectory(atPath: workspace.path("t"))
    #expect(files.count { $0.hasSuffix(".csv") } == 6)
  }

  @Test("An output without a name is refused, and nothing is left behind")
  func nameless() throws {
    let workspace = try Workspace()
    let measure = "planklab measure '\(Program.scripted)' --output ''"
    #expect(try Program.shell(measure, in: workspace.folder).status == 73)
    #expect(try Program.shell("planklab detectors --output ''").status == 73)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: workspace.folder.path).isEmpty)
  }
}
