import Foundation
import TestSupport
import Testing

@Suite("Outputs in hostile places")
struct HostilePlacesTests {
  private let workspace: Workspace

  init() throws { workspace = try Workspace() }

  @Test("Nothing that a command reads is replaced by its result")
  func inputs() throws {
    let audacity = try workspace.write("0\t1\tnone\n", to: "audacity.txt")
    try Program.run("detectors", "gravity", "--format", "json").expect(0)
    let thresholds = workspace.path("t.json")
    let tune = ["tune", "experiments/first-steps", "--axis", "sag=2cm", "--axis", "pike=3cm,5cm"]
    try Program.run(tune + ["--thresholds", thresholds]).expect(0)
    let hard = workspace.path("hard.json")
    try FileManager.default.linkItem(atPath: thresholds, toPath: hard)
    let commands = [
      ["label", "import", audacity, "--output", audacity],
      [
        "evaluate", Program.scripted, "--parameters", thresholds, "--format", "json", "--output",
        thresholds,
      ],
      [
        "evaluate", Program.scripted, "--parameters", thresholds, "--format", "json", "--output",
        hard,
      ],
    ]
    for command in commands {
      let target = try #require(command.last)
      let before = try Data(contentsOf: URL(fileURLWithPath: target))
      try Program.run(command).expect(73, errors: "an input of this command")
      #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == before)
    }
  }

  @Test(
    "Where the current folder was removed, no result goes elsewhere",
    arguments: [
      "evaluate DATA --output NAME", "evaluate DATA --html NAME", "measure DATA --output NAME",
      "import LANDMARKS --image-size 1920x1080 --rate 30 --cut 0.02 --label '*=none' --output NAME",
      "label DATA/a.poses.jsonl --html NAME",
      "sweep ROOT/experiments/first-steps --axis sag=2cm --axis pike=3cm --store NAME",
      "detectors gravity --output NAME", "dataset show DATA --sequence a --at 0 --picture NAME",
      "baseline update GATE --reason r --allow-dirty --baseline NAME", "runs list --store NAME",
    ])
  func removedFolder(command: String) throws {
    let name = "planklab-" + UUID().uuidString
    let data = try workspace.dataset(
      poses: BadInputTests.Case.onePose + "{\"t\":0.1,\"p\":[0,0,0]}\n")
    let gate = try workspace.write(
      "dataset: data\nrules: [{metric: plank.accuracy, at_least: 0}]\n", to: "gate.yaml")
    let landmarks = try workspace.write(ImportSamples.landmarks, to: "landmarks.csv")
    var words = command
    for (word, path) in [
      ("DATA", data), ("ROOT", Program.root.path), ("GATE", gate), ("LANDMARKS", landmarks),
      ("NAME", name),
    ] {
      words = words.replacing(word, with: path)
    }
    let run = try workspace.shell(
      "mkdir gone && cd gone && rmdir ../gone && planklab \(words)")
    let isRead = command.hasPrefix("runs")
    #expect(run.status == (isRead ? 66 : 73), "\(run.errors)")
    #expect(isRead || run.errors.contains("the current folder was removed"), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: "/" + name))
  }

  @Test(
    "Few open files are an error that names their limit, not the end of the process",
    arguments: [
      "detectors", "evaluate DATA", "evaluate DATA --output x.json", "measure DATA --output m",
      "dataset lint DATA", "doctor DATA/a.poses.jsonl", "doctor DATA", "gate gate.yaml",
      "runs list --store s",
      "sweep ROOT/experiments/first-steps --axis sag=2cm --axis pike=3cm --store s.sqlite",
      "baseline update gate.yaml --reason r --allow-dirty --baseline b.json",
    ])
  func fewFiles(command: String) throws {
    try workspace.dataset()
    try workspace.write(
      "dataset: data\nrules: [{metric: plank.accuracy, at_least: 0}]\n", to: "gate.yaml")
    let words = command.replacing("DATA", with: "data").replacing("ROOT", with: Program.root.path)
    // With fewer, the system's loader finds no library.
    for count in 4...8 {
      let run = try workspace.shell(
        "rm -rf m; (ulimit -n \(count); exec planklab \(words))")
      #expect([0, 1, 2, 3, 64, 65, 66, 73].contains(run.status), "\(count): \(run.status)")
      #expect(
        run.status == 0 || !(run.errors + run.output).isEmpty, "\(count): \(run.status)")
      let isToldHow = run.errors.contains("`ulimit -n`")
      #expect(!run.errors.contains("Too many open files") || isToldHow, "\(run.errors)")
    }
  }

  @Test(
    "Whichever call fails, results are whole or as they were, and inputs as they were",
    FailingCalls.areThere)
  func failingCalls() throws {
    let run = try Program.shell(
      "exec scripts/prove-hostile faults --planklab '\(Program.path)' --sample"
    ).expect(0)
    #expect(run.output.contains(/a careless program: [1-9][0-9]* faults found/))
    let end = /5 commands, [1-9][0-9]{2} trials, seed 1: 0 faults/
    #expect(run.output.contains(end), "\(run.output)")
  }

  @Test(
    "Whichever memory is refused, results are whole or as they were, and inputs as they were",
    FailingCalls.areThere)
  func refusedMemory() throws {
    let run = try Program.shell(
      "exec scripts/prove-hostile faults --planklab '\(Program.path)' --memory "
        + "--command 'label import'"
    ).expect(0)
    #expect(run.output.contains(/a forgetful program: [1-9][0-9]* faults found/))
    let row = /label import .* of [1-9][0-9]*,[0-9]{3} calls .* [1-9][0-9]*,[0-9]{3} copies ended/
    #expect(run.output.contains(row), "\(run.output)")
    #expect(run.output.contains(/1 commands, [1-9][0-9]* trials, seed 1: 0 faults/))
  }

  @Test(
    "A store is read to its end, or with a message, where the system refuses threads or locks",
    FailingCalls.areThere,
    arguments: ["thread,EAGAIN from there on,1", "lock,ENOLCK from there on,24"])
  func refused(fault: String) throws {
    try Program.shell(
      "exec scripts/prove-hostile faults --planklab '\(Program.path)' "
        + "--only 'runs export,\(fault)'"
    ).expect(0, output: ", disturbed;")
  }

  @Test(
    "What the system does not tell is no answer: nothing loses its tags, its name or its movie",
    FailingCalls.areThere,
    arguments: [
      ("label data/a,path,EIO,1", "its path is unknown"),
      ("sweep,path,ENOENT from there on,1", "its path is unknown"),
      ("record,path,ENOENT from there on,1", "its path is unknown"),
      ("label data/a,stat,EIO,5", "exit 66, disturbed;"),
      // Threads read labels while tables are staged: which of both fails first is a race.
      ("measure data,stat,EIO from there on,40", ", disturbed;"),
      ("measure,stat,EIO from there on,1", "exit 66, disturbed;"),
      ("dataset hash data,stat,EIO,12", "data/b.onsets.csv: cannot be opened"),
      ("evaluate data --format json,stat,EIO,18", "data/b.onsets.csv: cannot be opened"),
      ("smoothers compare desk,stat,EIO,10", "exit 66, disturbed;"),
      ("baseline update,read,EIO,128", "exit 66, disturbed;"),
    ])
  func untold(fault: String, words: String) throws {
    try Program.shell(
      "exec scripts/prove-hostile faults --planklab '\(Program.path)' --only '\(fault)'"
    ).expect(0, output: words)
  }

  @Test(
    "Whichever stat fails, a file that is there is not taken for missing, and not replaced",
    FailingCalls.areThere,
    arguments: [
      ("dataset update d", "d/dataset.yaml"), ("init d", "d/planklab.yaml"),
      ("detectors gravity --output d/a.labels.csv", "d/a.labels.csv"),
    ])
  func unseen(command: String, file: String) throws {
    let recording = URL(fileURLWithPath: Program.scripted + "/s01-floor.poses.jsonl")
    try workspace.write(Data(contentsOf: recording), to: "d/a.poses.jsonl")
    let before = "start,end,plank,form\n0,1,none,\n"
    var refused = 0
    try FailingCalls.eachStat(
      upTo: 12, "printf '\(before)' > \(file); planklab \(command)", in: workspace
    ) { run, number in
      let text = try workspace.text(file)
      #expect(text == before, "stat \(number): \(run.errors)")
      if run.errors.contains("Input/output error") { refused += 1 }
    }
    #expect(refused > 0)
  }

  @Test("A gate does not write over its own parameters, and judges before it says so")
  func gate() throws {
    let gated = try GateWorkspace(rules: "  - {metric: plank.accuracy, at_least: 0.1}\n")
    let answers = gated.workspace.path("answers/p1.csv")
    let before = try Data(contentsOf: URL(fileURLWithPath: answers))
    try gated.run("answers", "--write", "json=\(answers)").expect(73)
    #expect(try Data(contentsOf: URL(fileURLWithPath: answers)) == before)
  }

  @Test("A tilde that the shell leaves is the name of a folder")
  func tilde() throws {
    let line = "mkdir './~' && planklab detectors gravity --output=~/x && test -s './~/x'"
    try workspace.shell(
      "set -f; " + line.replacing("=~/x", with: "='~/x'")
    ).expect(0)
  }

  @Test(
    "What is stopped leaves nothing behind, says so, and ends by the signal",
    arguments: [("TERM", 143), ("INT", 130), ("HUP", 129)])
  func signals(name: String, status: Int) throws {
    // A shell ignores SIGINT for background jobs; env restores it.
    let line = """
      i=0; while [ $i -lt 400 ]; do cat '\(Program.scripted)/s01-floor.poses.jsonl' > d/$i.poses.jsonl; \
      i=$((i+1)); done; planklab dataset update d > /dev/null 2>&1; \
      env --default-signal=INT planklab measure d --output out > /dev/null 2> errors & pid=$!; \
      n=0; while [ $n -lt 3000 ]; do set -- out.partial-*; [ -e "$1" ] && break; n=$((n+1)); \
      sleep 0.01; done; kill -\(name) $pid; wait $pid; echo $?
      """
    try workspace.makeFolder("d")
    let run = try workspace.shell(line)
    #expect(run.output.hasSuffix("\(status)\n"), "\(run.output) \(run.errors)")
    let left = try FileManager.default.contentsOfDirectory(atPath: workspace.folder.path)
    #expect(Set(left) == ["d", "errors"])
    let errors = try workspace.text("errors")
    #expect(
      errors.hasSuffix(
        "stopped; nothing was written; run again: planklab measure d --output out\n"), "\(errors)")
  }

  @Test("A sweep that is stopped says where its cells are and how to continue")
  func sweep() throws {
    let sweep =
      "planklab sweep '\(Program.root.path)/experiments/first-steps' --axis sag=0:9cm:0.1mm "
      + "--engine streaming --store runs.sqlite"
    let line = """
      env --default-signal=INT \(sweep) > /dev/null 2> errors & pid=$!; n=0; \
      while [ $n -lt 300 ] && ! planklab runs list --store runs.sqlite 2> /dev/null | grep -q steps; \
      do n=$((n+1)); sleep 0.01; done; kill -INT $pid; wait $pid; echo $?; cat errors
      """
    let run = try workspace.shell(line)
    #expect(run.output.hasPrefix("130\n"), "\(run.output)")
    #expect(run.output.contains("stopped; the finished part of run "), "\(run.output)")
    #expect(run.output.contains(" is in runs.sqlite; to continue: planklab sweep "))
    #expect(run.output.hasSuffix("--store runs.sqlite --resume\n"), "\(run.output)")
  }

  @Test(
    "What is killed leaves a whole result under its name, or what was there before",
    arguments: [
      ("evaluate data --format json --output out/result.json", "}\n"),
      ("label data/a.poses.jsonl --html out/page.html", "</html>\n"),
      ("measure data --output out/tables", "a.csv"),
    ], [0.005, 0.02, 0.06, 0.2])
  func killed(command: (words: String, end: String), seconds: Double) throws {
    try workspace.dataset()
    for name in ["result.json", "page.html"] { try workspace.write("before\n", to: "out/\(name)") }
    let line = "planklab \(command.words) & pid=$!; sleep \(seconds); kill -9 $pid; wait $pid"
    _ = try workspace.shell("{ \(line); } 2> /dev/null")
    let place = workspace.path(command.words.split(separator: " ").last.map(String.init) ?? "")
    if command.end.hasSuffix("\n") {
      let text = try Program.text(place)
      #expect(text == "before\n" || text.hasSuffix(command.end))
    } else if FileManager.default.fileExists(atPath: place) {
      #expect(FileManager.default.fileExists(atPath: place + "/" + command.end))
    }
  }

  @Test("Names of files and values of settings cannot begin a line of their own on stderr")
  func lines() throws {
    let gate = try workspace.write(
      "dataset: \"d\\n::error::pwned\"\nrules: [{metric: plank.accuracy, at_least: 0}]\n",
      to: "gate.yaml")
    let hostile = workspace.path("no\n::error::pwned")
    for command in [
      ["gate", gate], ["evaluate", hostile], ["evaluate", "x", "--x\n::error::pwned"],
    ] {
      let run = try Program.run(command)
      #expect(run.status != 0)
      let lines = (run.errors + run.output).split(separator: "\n")
      #expect(!lines.contains { $0.drop { $0 == " " }.hasPrefix("::") }, "\(run.errors)")
      #expect(run.errors.contains("pwned"))
    }
  }
}

/// Runs in which a call of the C library fails: a library that stands before it, which is compiled.
enum FailingCalls {
  static let canBe: Bool = {
    #if os(Linux)
      let line =
        "{ command -v cc || command -v clang; } && python3 -c 'import sqlite3'"
      return Program.hasPython && (try? Program.shell(line))?.status == 0
    #else
      return false
    #endif
  }()

  static let areThere: ConditionTrait = .enabled(
    if: canBe, "not on this system: the proof needs Linux, cc and Python 3.10")

  /// Runs a line of commands once for each of the first `stat` and `access` of the program, which
  /// then fails.
  ///
  /// - Parameter check: is called with what came of each run, and the number of the call.
  static func eachStat(
    upTo count: Int, _ line: String, in workspace: Workspace,
    _ check: (Program.Run, Int) throws -> Void
  ) throws {
    let source = Repository.file("scripts/hostile/fault_injection.c").path
    let library = workspace.path("fault_injection.so")
    try Program.shell(
      "$(command -v cc || command -v clang) -shared -fPIC -O2 -o '\(library)' '\(source)'"
    ).expect(0)
    for number in 1...count {
      let variables =
        "export PLANKLAB_FAULT_CALL=stat PLANKLAB_FAULT_AT=\(number) PLANKLAB_FAULT_SPARE=libdispatch; "
      let run = try workspace.shell(
        variables + line.replacing("planklab ", with: "LD_PRELOAD='\(library)' planklab "))
      try check(run, number)
    }
  }
}
