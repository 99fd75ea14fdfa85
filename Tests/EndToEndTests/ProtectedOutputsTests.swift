import Foundation
import Testing

@Suite("Protected outputs")
struct ProtectedOutputsTests {
  private static let experiment = "experiments/first-steps"
  private static let small = ["--axis", "sag=2cm", "--axis", "pike=3cm,5cm"]
  private let workspace: Workspace

  init() throws { workspace = try Workspace() }

  private func bytes(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }

  @Test(
    "A baseline replaces nothing but a baseline",
    arguments: ["data/dataset.yaml", "data/p1.poses.jsonl", "data/p1.labels.csv", "gate.yaml"])
  func baseline(name: String) throws {
    let gated = try GateWorkspace(rules: "  - {metric: plank.accuracy, margin: 0.05}\n")
    let target = gated.workspace.path(name)
    let before = try bytes(target)
    try Program.run(
      "baseline", "update", gated.workspace.path("gate.yaml"), "--reason", "a slip", "--baseline",
      target
    ).expect(73, errors: "not a baseline")
    #expect(try bytes(target) == before)
    try gated.update().expect(0)
    try gated.update().expect(0)
  }

  @Test("Only `baseline update` writes a baseline")
  func otherResults() throws {
    let gated = try GateWorkspace(rules: "  - {metric: plank.accuracy, margin: 0.05}\n").updated()
    let baseline = gated.workspace.path("baseline.json")
    let before = try bytes(baseline)
    try gated.run("answers", "--write", "json=\(baseline)").expect(73, errors: "is a baseline")
    try Program.run("detectors", "gravity", "--output", baseline).expect(73)
    #expect(try bytes(baseline) == before)
    let page = gated.workspace.path("page")
    try gated.run("answers", "--write", "json=\(page)", "--write", "junit=\(page)").expect(
      64, errors: "two results")
  }

  @Test("A store is not replaced by what is exported from it, and has a name of its own")
  func store() throws {
    let store = workspace.path("runs.sqlite")
    let sweep = ["sweep", Self.experiment] + Self.small
    try Program.run(sweep + ["--store", store]).expect(0)
    try Program.run(
      "runs", "export", "--store", store, "--format", "csv", "--output", store
    ).expect(73, errors: "store of runs")
    try Program.run("runs", "list", "--store", store).expect(0)
    try Program.run(sweep + ["--store", ""]).expect(64, errors: "--store")
    try Program.run(sweep + ["--store", workspace.path("a.poses.jsonl")]).expect(73)
  }

  @Test("A picture that is called PNG is refused, and nothing is written")
  func pictureOfAnotherKind() throws {
    let file = workspace.path("surface.PNG")
    try Program.run(
      "dataset", "show", Program.scripted, "--sequence", "s01-floor", "--picture", file
    ).expect(64, errors: "give a name that ends in .svg")
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test("Thresholds are replaced neither by their export nor by their picture")
  func thresholds() throws {
    let file = workspace.path("t.json")
    let tune = ["tune", Self.experiment, "--thresholds", file] + Self.small
    try Program.run(tune + ["--picture", file]).expect(64, errors: "two results")
    try Program.run(tune).expect(0)
    let before = try bytes(file)
    try Program.run("export", file, "--format", "swift", "--output", file).expect(
      73, errors: "an input of this command")
    #expect(try bytes(file) == before)
    try Program.run("export", file, "--format", "swift", "--type-name", "Self").expect(64)
  }

  @Test(
    "A result replaces no file that a command could read",
    arguments: [
      ("dump.jsonl", #"{"format": "vision3d-dump", "version": 1}"#),
      ("points.jsonl", #"{"format": "vision2d-dump", "version": 1}"#),
      ("a.csv", "t,plank,form\n0,none,\n"), ("landmarks.csv", ImportSamples.landmarks),
      ("motion.txt", #"{"Loop": "none", "Frames": []}"#), ("labels.txt", "0\t1\tnone\n"),
      ("t.json", #"{"format": "planklab-thresholds", "schema_version": 1, "parameters": {}}"#),
      ("map.txt", "frames,x\n1,2\n"),
    ])
  func readable(name: String, text: String) throws {
    let file = try workspace.write(text + "\n", to: name)
    let html = workspace.path("page.html")
    for command in [
      ["detectors", "gravity", "--output", file],
      ["detectors", "gravity", "--format", "json", "-o", file],
      ["evaluate", Program.scripted, "--detector", "gravity", "--html", file],
    ] {
      try Program.run(command).expect(73, errors: "choose another name")
    }
    #expect(try bytes(file) == Data((text + "\n").utf8))
    #expect(!FileManager.default.fileExists(atPath: html))
  }

  @Test("Settings that answers from files cannot follow are refused")
  func predictions() throws {
    let gated = try GateWorkspace()
    try gated.answers("answers", late: GateWorkspace.usual)
    try Program.run(
      "evaluate", gated.workspace.path("data"), "--predictions", gated.workspace.path("answers"),
      "--set", "sag=1cm"
    ).expect(64, errors: "--set")
  }

  @Test("An axis given twice, or fixed as well, is a mistake")
  func axes() throws {
    for more in [["--axis", "sag=1cm"], ["--set", "sag=1cm"]] {
      try Program.run(
        ["sweep", Self.experiment, "--store", workspace.path("a.sqlite")] + Self.small + more
      ).expect(64, errors: "--axis sag")
    }
  }

  @Test("Without a determined frame nothing is tuned, and the data are named")
  func noEvidence() throws {
    let gated = try GateWorkspace()
    let data = gated.workspace.path("data")
    for person in 1...6 {
      let path = data + "/p\(person).poses.jsonl"
      let text = try Program.text(path)
      try text.replacing(#/"p":\[[^\]]*\]/#, with: "\"p\":null").write(
        toFile: path, atomically: true, encoding: .utf8)
    }
    try Program.run(
      ["tune", Self.experiment, "--dataset", data] + Self.small
    ).expect(65, errors: "too little evidence")
    withExtendedLifetime(gated) {}
  }
}

@Suite("Outputs, once broken")
struct OutputRegressionTests {
  @Test("A link to a place where nothing is yet leads the result there; a link to a folder too")
  func links() throws {
    let workspace = try Workspace()
    let line = """
      ln -s file link && planklab detectors gravity --output link && test -L link && \
      test -s file && mkdir empty && ln -s empty tables && \
      planklab measure '\(Program.scripted)' --output tables && test -L tables && \
      test -s empty/s01-floor.csv
      """
    try workspace.shell(line).expect(0)
  }

  @Test("An output that is no file is written to and stays what it is; a link stays a link")
  func specialFiles() throws {
    let workspace = try Workspace()
    let line = """
      mkfifo pipe && { planklab detectors gravity --output pipe & timeout 20 cat pipe > got; } && \
      test -p pipe && test -s got && echo old > file && ln -s file link && \
      planklab detectors gravity --output link && test -L link && cmp file got
      """
    try workspace.shell(line).expect(0)
  }

  @Test("A result that stdout does not take is an error, unless its reader went away")
  func fullDisk() throws {
    if FileManager.default.fileExists(atPath: "/dev/full") {
      try Program.shell("planklab detectors > /dev/full").expect(73, errors: "stdout")
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
    try Program.run("measure", Program.scripted, "--output", output).expect(0)
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
    let run = try workspace.shell(line)
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
    try workspace.shell(measure).expect(73)
    try Program.shell("planklab detectors --output ''").expect(73)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: workspace.folder.path).isEmpty)
  }
}

@Suite("Names of measured sequences")
struct MeasureNamesTests {
  @Test(
    "Two tables of one name are refused before anything is written",
    arguments: ["allan", "spectra"])
  func collision(folder: String) throws {
    let workspace = try Workspace()
    for name in ["x", "\(folder)/x"] {
      try workspace.write(
        BadInputTests.Case.onePose, to: "data/\(name).poses.jsonl")
    }
    try workspace.write(
      "sequences:\n  - poses: x.poses.jsonl\n  - poses: \(folder)/x.poses.jsonl\n",
      to: "data/dataset.yaml")
    let output = workspace.path("out")
    try Program.run("measure", workspace.path("data"), "--output", output).expect(
      65, errors: "`\(folder)/x`")
    #expect(!FileManager.default.fileExists(atPath: output))
  }
}

@Suite("Updating a dataset")
struct DatasetUpdateTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
    try workspace.dataset()
  }

  private func copy(to name: String) throws {
    try FileManager.default.copyItem(
      atPath: workspace.path("data/a.poses.jsonl"), toPath: workspace.path("data/" + name))
  }

  @Test("Eight updates at the same moment all succeed, and every recording is there once")
  func concurrent() throws {
    for number in 0..<40 { try copy(to: "b\(number).poses.jsonl") }
    // The end of the pipe, and not `wait`, says that all have ended: a shell of a thread that blocks
    // signals would wait forever.
    let line = """
      for i in 1 2 3 4 5 6 7 8; do { planklab dataset update data > $i.out 2> $i.err; \
      echo $?; } & done | cat; cat *.err | grep error
      """
    let run = try workspace.shell(line)
    #expect(run.output == String(repeating: "0\n", count: 8), "\(run.output)")
    let manifest = try workspace.text("data/dataset.yaml")
    for number in 0..<40 {
      #expect(manifest.components(separatedBy: "b\(number).poses.jsonl").count == 2)
    }
  }

  @Test("Two first updates at the same moment keep what each says of the people")
  func concurrentlyCreated() throws {
    for name in ["b", "c"] { try copy(to: name + ".poses.jsonl") }
    let line = """
      rm data/dataset.yaml; for i in b c; do { planklab dataset update data --subject "$i=person-$i" \
      > $i.out 2> $i.err; echo $?; } & done | cat
      """
    let run = try workspace.shell(line)
    #expect(run.output == "0\n0\n", "\(run.output)\(run.errors)")
    let manifest = try workspace.text("data/dataset.yaml")
    #expect(manifest.contains("person-b") && manifest.contains("person-c"), "\(manifest)")
  }

  @Test("A recording whose name is not UTF-8 is named byte by byte, with what to do")
  func rawName() throws {
    let source = workspace.path("data/a.poses.jsonl")
    let data = workspace.path("data")
    let raw = Array((data + "/b").utf8) + [0xFF] + Array("'.poses.jsonl".utf8) + [0]
    guard link(source, raw.map { CChar(bitPattern: $0) }) == 0 else {
      // Volumes of macOS have no such names.
      #expect(errno == EILSEQ)
      return
    }
    for isNew in [false, true] {
      if isNew { unlink(data + "/dataset.yaml") }
      try Program.run("dataset", "update", data).expect(
        65, errors: "is not UTF-8", #"/b\xff\x27.poses.jsonl' NAME.poses.jsonl"#)
    }
  }
}
