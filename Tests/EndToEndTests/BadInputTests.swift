import Foundation
import Testing

/// Bad input gets a clear error with file and line, and an exit code.
@Suite("Bad input")
struct BadInputTests {
  /// A recording's text, and the expected error.
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
    let run = try Program.run("evaluate", dataset)
    #expect(run.status == 65, "\(run.errors)")
    #expect(run.output.isEmpty)
    #expect(run.errors.contains(bad.place), "\(run.errors)")
    for word in bad.words { #expect(run.errors.contains(word), "\(run.errors)") }
    #expect(try Program.run("dataset", "lint", dataset).status == 65)
  }

  @Test("A landscape recording without camera side is refused with the reason")
  func landscape() throws {
    let workspace = try Workspace()
    let header = Case.good.replacingOccurrences(
      of: #""camera"}"#, with: #""camera","orientation":"landscapeLeft"}"#)
    let run = try Program.run(
      "evaluate", try workspace.dataset(poses: header + "\n" + #"{"t":0,"p":[0,0,0]}"# + "\n"))
    #expect(run.status == 65)
    #expect(run.errors.contains("a sign has no default"), "\(run.errors)")
  }

  @Test("A pelvis recording without matrices is refused by name")
  func pelvis() throws {
    let workspace = try Workspace()
    let header = Case.good.replacingOccurrences(of: #""camera""#, with: #""pelvis""#)
    let run = try Program.run(
      "evaluate", try workspace.dataset(poses: header + "\n" + #"{"t":0,"p":[0,0,0]}"# + "\n"))
    #expect(run.status == 65)
    #expect(run.errors.contains("a.poses.jsonl") && run.errors.contains("camera"))
  }

  @Test("A truncated last line is said to be cut off")
  func truncated() throws {
    let workspace = try Workspace()
    let run = try Program.run(
      "evaluate", try workspace.dataset(poses: Case.good + "\n" + #"{"t":0,"p":[0,0"#))
    #expect(run.status == 65)
    #expect(run.errors.contains("a.poses.jsonl:2") && run.errors.contains("cut off"))
  }

  @Test("Invalid UTF-8 and a line over 4 MiB are named with their line")
  func textFaults() throws {
    let workspace = try Workspace()
    var bytes = Data((Case.good + "\n").utf8)
    bytes.append(contentsOf: [0x7B, 0xFF, 0x7D, 0x0A])
    let invalid = try Program.run("evaluate", try workspace.dataset(poses: bytes))
    #expect(invalid.status == 65 && invalid.errors.contains("a.poses.jsonl:2"), "\(invalid.errors)")
    let long = Case.good + "\n" + #"{"t":0,"x":""# + String(repeating: "a", count: 5 << 20)
    let tooLong = try Program.run("evaluate", try workspace.dataset(poses: long + "\"}\n"))
    #expect(tooLong.status == 65 && tooLong.errors.contains("a.poses.jsonl:2"))
    #expect(tooLong.errors.contains("4 MiB"), "\(tooLong.errors)")
  }

  @Test("CRLF, a byte-order mark, label gaps and blank last lines are read; lint notes them")
  func tolerated() throws {
    let workspace = try Workspace()
    let frames = (0..<30).map { #"{"t":\#(Double($0) / 10),"p":[0,0,0]}"# }
    let poses = "\u{FEFF}" + ([Case.good] + frames).joined(separator: "\r\n") + "\r\n\r\n"
    let dataset = try workspace.dataset(
      poses: poses, labels: "start,end,plank,form\r\n0,1,none,\r\n2,2.5,none,\r\n\r\n")
    #expect(try Program.run("evaluate", dataset).status == 0)
    let lint = try Program.run("dataset", "lint", dataset)
    #expect(lint.status == 0)
    for code in ["byte-order-mark", "carriage-returns", "blank-last-lines"] {
      #expect(lint.output.contains(code), "\(lint.output)")
    }
    #expect(try Program.run("dataset", "lint", dataset, "--strict").status == 65)
  }

  @Test("Missing inputs exit 66, usage 64, outputs that cannot be made 73")
  func exitCodes() throws {
    let workspace = try Workspace()
    let empty = try workspace.write("name: empty\nsequences: []\n", to: "empty/dataset.yaml")
    #expect(try Program.run("evaluate", workspace.path("nothing")).status == 66)
    #expect(try Program.run("evaluate", empty).status == 65)
    #expect(try Program.run("explain", workspace.folder.path, "--at", "1").status == 66)
    #expect(try Program.run("evaluate", Program.scripted, "--detector", "none-such").status == 64)
    #expect(
      try Program.run("evaluate", Program.scripted, "--detector", "gravity", "--set", "sag=3deg")
        .status == 64)
    #expect(try Program.run("evaluate", Program.scripted, "--set", "lean=3").status == 64)
    #expect(try Program.run("evaluate", Program.scripted, "--split", "none-such").status == 64)
    #expect(try Program.run("evaluate").status == 64)
    let output = ["evaluate", Program.scripted, "--output", workspace.path("no/folder/x.txt")]
    #expect(try Program.run(output).status == 73)
    try workspace.write("x", to: "full/file")
    let measure = ["measure", Program.scripted, "--output", workspace.path("full")]
    #expect(try Program.run(measure).status == 73)
    #expect(FileManager.default.fileExists(atPath: workspace.path("full/file")))
  }
}
