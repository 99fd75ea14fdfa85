import Foundation
import TestSupport
import Testing

/// The `bin` of an environment with the packages of scripts/oracles/requirements.txt, and a folder
/// with the schemas of Jenkins' xUnit plugin; `make prove` sets both.
private enum Peers {
  static let bin = ProcessInfo.processInfo.environment["PLANKLAB_PEERS"]
  static let schemas = ProcessInfo.processInfo.environment["PLANKLAB_SCHEMAS"]

  /// What a line prints, with the packages where they are there.
  static func output(_ line: String, in workspace: Workspace) throws -> String {
    let path = bin.map { "PATH='\($0)':\"$PATH\"\n" } ?? ""
    let run = try workspace.shell(path + line)
    try #require(run.status == 0, "\(line): \(run.errors)")
    return run.output
  }
}

@Suite("What pages show in Python")
struct NotebookTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
    for folder in ["datasets", "experiments"] {
      try FileManager.default.createSymbolicLink(
        atPath: workspace.path(folder),
        withDestinationPath: Repository.file(folder).path)
    }
  }

  /// The first block of a language below a heading.
  private func block(_ language: String, of page: String, below heading: String) throws -> String {
    let file = Repository.file(page)
    let text = try String(contentsOf: file, encoding: .utf8)
    let section = try #require(text.components(separatedBy: "## \(heading)\n").dropFirst().first)
    let start = try #require(section.range(of: "```\(language)\n")?.upperBound)
    let end = try #require(section.range(of: "```", range: start..<section.endIndex)?.lowerBound)
    return String(section[start..<end])
  }

  @Test(
    "The notebook example prints the accuracy of the result and a line for each person",
    .enabled(if: Program.hasPython, "not on this system: needs Python 3.10"))
  func notebook() throws {
    let example = try block("python", of: "docs/metrics.md", below: "In a notebook")
    try workspace.write(example, to: "example.py")
    let lines = try Peers.output("python3 example.py", in: workspace).split(separator: "\n")
    let result = try Program.result(workspace.text("result.json"))
    let metrics = try #require(result["metrics"] as? [String: Any])
    let accuracy = try #require(metrics["plank.accuracy"] as? Double)
    #expect(lines.count >= 3 && lines[0].contains(String(format: "%.3f", accuracy)), "\(lines)")
  }

  @Test(
    "The table in Parquet has every cell and column",
    .enabled(if: Peers.bin != nil, "set PLANKLAB_PEERS"))
  func parquet() throws {
    let commands = try block("sh", of: "docs/store.md", below: "Exports")
    let lines = try block("python", of: "docs/store.md", below: "Exports")
    try workspace.write(
      "import pandas\n\(lines)print(len(cells), *sorted(cells.columns))\n", to: "read.py")
    let read = try Peers.output(
      "set -e\nplanklab sweep experiments/first-steps > log\n\(commands)\npython3 read.py",
      in: workspace)
    let exported = try workspace.text("cells.jsonl")
    let cells = try exported.split(separator: "\n").map { try Program.object($0) }
    let columns = Set(cells[0].keys).subtracting(["undefined"]).sorted()
    let forms = cells.count { $0["stream"] as? String == "form" }
    #expect(!columns.contains("subjects"))
    #expect(read == "\(forms) \(columns.joined(separator: " "))\n")
  }
}

@Suite("JUnit files of gates", .enabled(if: Peers.schemas != nil, "set PLANKLAB_SCHEMAS"))
struct JUnitSchemaTests {
  private static let name = #""<b> & \"quoted\" ]]> 50 %, a:b\r\n\x01 \u2028 \U0001F9D8""#
  private static let gate = """
    dataset: \(Program.scripted)
    detector: gravity
    baseline: baseline.json
    resamples: 500
    rules:
      - {metric: plank.f1_macro, margin: 0.02, largest_drop: 0.05}
      - {metric: plank.accuracy, at_least: 0.5, name: \(name)}
      - {metric: "plank.recall[high]", at_least: 1, severity: warning}
      - {metric: plank.accuracy, subject: s02, at_least: 0.1}

    """
  /// Validates a file and reads it back: the numbers that its suite says, then those of its cases.
  private static let validator = """
    import pathlib, sys
    import junitparser
    from lxml import etree
    schemas = [etree.XMLSchema(etree.parse(str(path)))
               for path in pathlib.Path(sys.argv[1]).rglob("junit-*.xsd")]
    broken = etree.fromstring('<testsuites><testsuite name="a"><case/></testsuite></testsuites>')
    assert schemas and not any(schema.validate(broken) for schema in schemas)
    for schema in schemas:
        schema.assertValid(etree.parse(sys.argv[2]))
    suite = next(iter(junitparser.JUnitXml.fromfile(sys.argv[2])))
    kinds = [type(entry).__name__ for case in suite for entry in case.result]
    print(suite.tests, suite.failures, suite.errors)
    print(len(list(suite)), kinds.count("Failure"), kinds.count("Error"))

    """

  @Test("They follow the schemas of Jenkins, and their counts are those of the result")
  func valid() throws {
    let workspace = try Workspace()
    try workspace.write(Self.gate, to: "gate.yaml")
    try workspace.write(Self.validator, to: "validate.py")
    try workspace.writeThresholds(
      ["elbow_split": 179, "horizontal_ratio": 0.05], to: "worse.json")
    let update = "planklab baseline update gate.yaml --reason test > log && "
    let worse = "--parameters worse.json"
    for (before, option, status) in [("", "", 3), (update, "", 0), ("", worse, 2)] {
      let found = try Peers.output(
        "\(before)planklab gate gate.yaml --write junit=a.xml --write json=a.json \(option) > log\n"
          + "echo $?\npython3 validate.py '\(Peers.schemas ?? "")' a.xml", in: workspace)
      let result = try Program.result(workspace.text("a.json"))
      let rules = try #require(result["rules"] as? [[String: Any]])
      let obstacles = try #require(result["obstacles"] as? [Any]).count
      let stops = rules.filter { $0["stops"] as? Bool == true }
      let failures = stops.count { $0["verdict"] as? String == "regressed" }
      let counts = "\(rules.count + obstacles) \(failures) \(stops.count - failures + obstacles)"
      #expect(found == "\(status)\n\(counts)\n\(counts)\n")
      #expect(result["exit_code"] as? Int == status)
    }
  }
}
