import Foundation
import Testing

@Suite("Bad input")
struct BadInputTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    var header = Self.good
    var lines: [String] = [#"{"t":0,"p":[0,0,0]}"#]
    var labels = "start,end,plank,form\n0,1,none,\n"
    let place: String
    let words: [String]
    var testDescription: String { name }

    static let good =
      #"{"format":"planklab-poses","version":1,"skeleton":"vision3d","joints":["root"],"frame":"camera"}"#

    /// A recording of one frame.
    static let onePose = good + "\n" + #"{"t":0,"p":[0,0,0]}"# + "\n"

    var poses: String { ([header] + lines).joined(separator: "\n") + "\n" }
  }

  private static func frame(_ name: String, _ line: String, _ words: String...) -> Case {
    Case(
      name: name, lines: [#"{"t":0,"p":[0,0,0]}"#, line], place: "a.poses.jsonl:3", words: words)
  }

  private static func header(_ name: String, _ from: String, _ to: String, _ words: String...)
    -> Case
  {
    Case(
      name: name, header: Case.good.replacingOccurrences(of: from, with: to),
      place: "a.poses.jsonl:1", words: words)
  }

  private static func labels(_ name: String, _ rows: String, line: Int, _ words: String...)
    -> Case
  {
    Case(
      name: name, labels: "start,end,plank,form\n" + rows, place: "a.labels.csv:\(line)",
      words: words)
  }

  static let cases = [
    frame("NaN", #"{"t":0.1,"p":[NaN,0,0]}"#),
    frame("1e999", #"{"t":0.1,"p":[1e999,0,0]}"#),
    frame("wrong array length", #"{"t":0.1,"p":[0,0]}"#, "3"),
    frame("partly null joint", #"{"t":0.1,"p":[0,null,0]}"#, "root"),
    frame("times that go back", #"{"t":-0.1,"p":[0,0,0]}"#),
    frame("equal times", #"{"t":0,"p":[0,0,0]}"#),
    frame("missing p", #"{"t":0.1}"#, "p"),
    frame("missing t", #"{"p":[0,0,0]}"#, "t"),
    frame("repeated key", #"{"t":0.1,"t":0.2,"p":[0,0,0]}"#, "t"),
    frame("repeated unknown key", #"{"t":0.1,"x":1,"x":2,"p":[0,0,0]}"#, "x"),
    frame("not an object", "[1]"),
    frame("up of no length", #"{"t":0.1,"p":[0,0,0],"up":[0,0.5,0]}"#, "up"),
    header("unknown version", #""version":1"#, #""version":2"#, "version"),
    header("repeated header key", #""version":1"#, #""version":1,"version":1"#, "version"),
    header("repeated joint", #"["root"]"#, #"["root","root"]"#, "root"),
    header("unknown joint", #"["root"]"#, #"["tail"]"#, "tail"),
    header("unknown frame", #""camera""#, #""moon""#, "moon"),
    labels("label overlap", "0,1,none,\n0.5,2,none,\n", line: 3, "overlap"),
    labels("unsorted labels", "5,6,none,\n0,1,none,\n", line: 3),
    labels("form without plank", "0,1,none,sag\n", line: 2, "form"),
    labels("unknown label", "0,1,plonk,\n", line: 2, "plonk", "forearm"),
    labels("end before start", "2,1,none,\n", line: 2),
  ]

  @Test("A fault in a file is named with file, line and remedy", arguments: cases)
  func fault(bad: Case) throws {
    let workspace = try Workspace()
    let dataset = try workspace.dataset(poses: bad.poses, labels: bad.labels)
    let run = try Program.run("evaluate", dataset).expect(65)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains(bad.place), "\(run.errors)")
    for word in bad.words { #expect(run.errors.contains(word), "\(run.errors)") }
    try Program.run("dataset", "lint", dataset).expect(65)
  }

  @Test("A landscape recording without camera side is refused with the reason")
  func landscape() throws {
    let workspace = try Workspace()
    let poses = Case.onePose.replacingOccurrences(
      of: #""camera"}"#, with: #""camera","orientation":"landscapeLeft"}"#)
    try Program.run("evaluate", workspace.dataset(poses: poses)).expect(
      65, errors: "a sign has no default")
  }

  @Test("A pelvis recording without matrices is refused by name")
  func pelvis() throws {
    let workspace = try Workspace()
    let poses = Case.onePose.replacingOccurrences(of: #""camera""#, with: #""pelvis""#)
    try Program.run("evaluate", workspace.dataset(poses: poses)).expect(
      65, errors: "a.poses.jsonl", "camera")
  }

  @Test("A truncated last line is said to be cut off")
  func truncated() throws {
    let workspace = try Workspace()
    try Program.run(
      "evaluate", try workspace.dataset(poses: Case.good + "\n" + #"{"t":0,"p":[0,0"#)
    ).expect(65, errors: "a.poses.jsonl:2", "cut off")
  }

  @Test("Invalid UTF-8 and a line over 4 MiB are named with their line")
  func textFaults() throws {
    let workspace = try Workspace()
    var bytes = Data((Case.good + "\n").utf8)
    bytes.append(contentsOf: [0x7B, 0xFF, 0x7D, 0x0A])
    try Program.run("evaluate", try workspace.dataset(poses: bytes)).expect(
      65, errors: "a.poses.jsonl:2")
    let long = Case.good + "\n" + #"{"t":0,"x":""# + String(repeating: "a", count: 5 << 20)
    try Program.run("evaluate", try workspace.dataset(poses: long + "\"}\n")).expect(
      65, errors: "a.poses.jsonl:2", "4 MiB")
  }

  @Test("CRLF, a byte-order mark, label gaps and blank last lines are read; lint notes them")
  func tolerated() throws {
    let workspace = try Workspace()
    let frames = (0..<30).map { #"{"t":\#(Double($0) / 10),"p":[0,0,0]}"# }
    let poses = "\u{FEFF}" + ([Case.good] + frames).joined(separator: "\r\n") + "\r\n\r\n"
    let dataset = try workspace.dataset(
      poses: poses, labels: "start,end,plank,form\r\n0,1,none,\r\n2,2.5,none,\r\n\r\n")
    try Program.run("evaluate", dataset).expect(0)
    let lint = try Program.run("dataset", "lint", dataset).expect(0)
    for code in ["byte-order-mark", "carriage-returns", "blank-last-lines"] {
      #expect(lint.output.contains(code), "\(lint.output)")
    }
    try Program.run("dataset", "lint", dataset, "--strict").expect(65)
  }

  @Test("Missing inputs exit 66, usage 64, outputs that cannot be made 73")
  func exitCodes() throws {
    let workspace = try Workspace()
    let empty = try workspace.write("name: empty\nsequences: []\n", to: "empty/dataset.yaml")
    try Program.run("evaluate", workspace.path("nothing")).expect(66)
    try Program.run("evaluate", empty).expect(65)
    try Program.run("explain", workspace.folder.path, "--at", "1").expect(66)
    try Program.run("evaluate", Program.scripted, "--detector", "none-such").expect(64)
    try Program.run("evaluate", Program.scripted, "--detector", "gravity", "--set", "sag=3deg")
      .expect(64)
    try Program.run("evaluate", Program.scripted, "--set", "lean=3").expect(64)
    try Program.run("evaluate", Program.scripted, "--split", "none-such").expect(64)
    try Program.run("evaluate").expect(64)
    let output = ["evaluate", Program.scripted, "--output", workspace.path("no/folder/x.txt")]
    try Program.run(output).expect(73)
    try workspace.write("x", to: "full/file")
    let measure = ["measure", Program.scripted, "--output", workspace.path("full")]
    try Program.run(measure).expect(73)
    #expect(FileManager.default.fileExists(atPath: workspace.path("full/file")))
  }
}

@Suite("Arguments, once broken")
struct ArgumentRegressionTests {
  @Test("A time below 0 needs no equals sign")
  func negativeTimes() throws {
    let workspace = try Workspace()
    let header = BadInputTests.Case.good
    let dataset = try workspace.dataset(
      poses: header + "\n" + #"{"t":-2,"p":[0,0,0]}"# + "\n" + #"{"t":0,"p":[0,0,0]}"# + "\n")
    try Program.run("explain", dataset + "/a.poses.jsonl", "--at", "-2").expect(0)
    let track = try workspace.write("3\t5\tforearm\n", to: "track.txt")
    let output = workspace.path("track.labels.csv")
    try Program.run(
      "label", "import", track, "--offset", "-1.5", "--output", output
    ).expect(0)
    try Program.shell("grep -q '^1.5,3.5,forearm,' '\(output)'").expect(0)
  }

  @Test("A folder whose name is near a command's is an argument")
  func likeCommand() throws {
    let workspace = try Workspace()
    try workspace.copyScripted(to: "imported")
    try workspace.shell("planklab label imported").expect(0)
  }

  @Test(
    "What the parser quotes of an argument cannot steer the terminal",
    arguments: [
      "-\r-\n`sa\r-g=1ecm plan+_frames=5", "--\u{1B}[2J=x", "--seed=1\n::error::x", "\u{1B}]0;x",
    ])
  func control(argument: String) throws {
    let run = try Program.run("compare", Program.scripted, "article", argument).expect(64)
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
      try Program.run(show + [workspace.path("a.svg")]).expect(0)
    }
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
    let run = try Program.run([arguments[0], input] + arguments.dropFirst()).expect(64)
    for text in [arguments[2], arguments[arguments.count - 1], "is already set"] {
      #expect(run.errors.contains(text), "\(run.errors)")
    }
  }
}

@Suite("Names in files, once harmful")
struct HostileNameRegressionTests {
  private func manifest(_ entry: String) throws -> (Workspace, String) {
    let workspace = try Workspace()
    let dataset = try workspace.dataset()
    try workspace.write(
      "name: \"a\\e[2Jb\"\nsequences:\n  - {\(entry)}\n", to: "data/dataset.yaml")
    return (workspace, dataset)
  }

  @Test(
    "Control characters of names and subjects do not reach the terminal",
    arguments: [
      ["dataset", "show"], ["dataset", "show", "--format", "markdown"], ["evaluate"],
      ["dataset", "lint"], ["dataset", "show", "--sequence", "\u{1B}[1mx"],
    ])
  func controls(arguments: [String]) throws {
    let (workspace, dataset) = try manifest(
      #"poses: a.poses.jsonl, labels: a.labels.csv, subject: "s\e]0;x\a""#)
    let options = arguments.drop { $0 != "--format" && $0 != "--sequence" }
    let command = arguments.dropLast(options.count) + [dataset] + options
    let run = try withExtendedLifetime(workspace) { try Program.run(Array(command)) }
    let controls = (run.output + run.errors).unicodeScalars.filter {
      $0.properties.generalCategory == .control && $0 != "\n"
    }
    #expect(controls.isEmpty, "\((run.output + run.errors).debugDescription)")
    #expect(!(run.output + run.errors).isEmpty)
  }

  @Test("A path with a NUL character is refused with its line", arguments: ["poses", "labels"])
  func nul(key: String) throws {
    let other = key == "poses" ? "labels: a.labels.csv" : "poses: a.poses.jsonl"
    let (workspace, dataset) = try manifest(#"\#(other), \#(key): "a.poses.jsonl\0.txt""#)
    let run = try withExtendedLifetime(workspace) { try Program.run("evaluate", dataset) }
    #expect(run.status == 65, "\(run.errors)")
    #expect(run.errors.contains("dataset.yaml:3") && run.errors.contains("NUL"), "\(run.errors)")
  }
}

@Suite("Huge numbers, once fatal")
struct HugeNumberRegressionTests {
  @Test("Times whose distance is no number are an error with file and line")
  func times() throws {
    let frames = [#"{"t":-1.7e308,"p":null}"#, #"{"t":1.7e308,"p":null}"#]
    let poses = ([BadInputTests.Case.good] + frames).joined(separator: "\n") + "\n"
    let workspace = try Workspace()
    try Program.run("evaluate", try workspace.dataset(poses: poses)).expect(
      65, errors: "a.poses.jsonl:3: `t`")
  }

  @Test("A nominal rate whose interval is no number is an error with file and line")
  func rate() throws {
    let header = BadInputTests.Case.good.replacingOccurrences(
      of: "}", with: #","nominal_rate_hz":1e-320}"#)
    let workspace = try Workspace()
    try Program.run(
      "evaluate", try workspace.dataset(poses: header + "\n" + #"{"t":0,"p":null}"# + "\n")
    ).expect(65, errors: "a.poses.jsonl:1: `nominal_rate_hz`")
  }

  @Test("A landmark so far away that no recording holds it is the fault of its file")
  func landmark() throws {
    let workspace = try Workspace()
    try workspace.write(
      "timestamp_ms,landmark,x,y,z\n0,23,0.1,0,0\n0,24,-1e308,0,0\n", to: "far.csv")
    let run = try workspace.shell(
      "planklab import far.csv --map mediapipe-csv --output y"
    ).expect(65, errors: "far.csv:2")
    #expect(!run.errors.contains("partial"), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: workspace.path("y")))
  }

  @Test("Labels that run for more than a day are not compared without a recording")
  func labels() throws {
    let workspace = try Workspace()
    for end in ["100000", "1e12", "1e300"] {
      let labels = try workspace.write("start,end,plank,form\n0,\(end),none,\n", to: "a.csv")
      try Program.run("label", "agreement", labels, labels).expect(65, errors: "--recording")
    }
  }
}
