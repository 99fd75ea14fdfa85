import Foundation
import TestSupport
import Testing

@Suite("Sweeping from the command line")
struct SweepTests {
  private static let experiment = "experiments/first-steps"
  private let workspace: Workspace
  private let store: String

  init() throws {
    workspace = try Workspace()
    store = workspace.path("runs.sqlite")
  }

  private func sweep(_ options: String...) throws -> Program.Run {
    try Program.run(["sweep", Self.experiment, "--store", store] + options)
  }

  private func export(_ store: String, format: String = "csv") throws -> String {
    let run = try Program.run("runs", "export", "2", "--store", store, "--format", format).expect(0)
    return run.output
  }

  @Test("Found along PATH, beside another file of its name, the program still tells its own hash")
  func ownHash() throws {
    let bin = workspace.path("bin")
    try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: bin + "/planklab", withDestinationPath: Program.path)
    try workspace.write("no program", to: "planklab")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.currentDirectoryURL = workspace.folder
    process.arguments = [
      "-c", "PATH=$0:$PATH; exec planklab sweep \"$1\" --store runs.sqlite --top 0", bin,
      Repository.file(Self.experiment).path,
    ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let found = try program(of: store)
    #expect(found.wholeMatch(of: /planklab [0-9.]+ \([0-9a-f]{16}\)/) != nil, "\(found)")
    let direct = workspace.path("direct.sqlite")
    _ = try Program.run("sweep", Self.experiment, "--store", direct, "--top", "0")
    #expect(try program(of: direct) == found)
  }

  /// The program that the only run of a store names.
  private func program(of store: String) throws -> String {
    let shown = try Program.run("runs", "show", "--store", store, "--format", "json").expect(0)
      .json()
    return try #require((shown["run"] as? [String: Any])?["program"] as? String)
  }

  @Test(
    "Engines and numbers of threads leave the same cells",
    arguments: [
      ["--engine", "streaming"], ["--jobs", "1"],
    ])
  func sameCells(options: [String]) throws {
    try sweep().expect(0)
    let other = workspace.path("other.sqlite")
    try Program.run(["sweep", Self.experiment, "--store", other] + options).expect(0)
    #expect(try export(store) == export(other))
    #expect(try export(store, format: "jsonl") == export(other, format: "jsonl"))
  }

  @Test(
    "A changed grid, seed or dataset refuses to be mixed",
    arguments: [
      (["--axis", "sag=1cm,2cm"], "grid"), (["--seed", "9"], "seed"),
      (["--dataset", "other"], "dataset"),
    ])
  func refuses(options: [String], word: String) throws {
    try sweep().expect(0)
    var given = options
    if options.contains("other") {
      let copy = try workspace.copyScripted(to: "copy")
      let labels = copy + "/s01-floor.labels.csv"
      let text = try Program.text(labels)
      try Data((text + "900,901,none,\n").utf8).write(to: URL(fileURLWithPath: labels))
      given = ["--dataset", copy]
    }
    try Program.run(
      ["sweep", Self.experiment, "--store", store, "--resume"] + given
    ).expect(3, errors: "the \(word) changed")
  }

  @Test(
    "A sweep that is killed at any moment continues to the same cells",
    arguments: ["0.05", "0.2", "0.35", "0.5"])
  func killed(seconds: String) throws {
    let options = ["--axis", "sag=1cm:9cm:1mm", "--axis", "pike=1cm:9cm:1mm"]
    let whole = workspace.path("whole.sqlite")
    try Program.run(["sweep", Self.experiment, "--store", whole] + options).expect(0)
    let line =
      "planklab sweep \(Self.experiment) --store \(store) \(options.joined(separator: " ")) & "
      + "pid=$!; sleep \(seconds); kill -9 $pid; wait $pid; true"
    _ = try Program.shell(line)
    try Program.run(
      ["sweep", Self.experiment, "--store", store, "--resume"] + options
    ).expect(0)
    #expect(try export(store) == export(whole))
  }

  @Test("The environment turns the bit-parallel engine off, and may name a copy of its kernel")
  func asked() throws {
    let line = "planklab sweep \(Self.experiment) --format json --store \(store)"
    let streamed = try Program.shell("PLANKLAB_SWEEP_ENGINE=streaming \(line)")
    #expect(try streamed.expect(0).result()["engine"] as? String == "streaming")
    let numbers = try export(store)
    let baseline = try Program.shell("PLANKLAB_SWEEP_ENGINE=baseline \(line)-2")
    #expect(try baseline.expect(0).result()["engine"] as? String == "bit-parallel")
    #expect(baseline.errors.contains("(baseline)"), "\(baseline.errors)")
    #expect(try export(store + "-2") == numbers)
    try Program.shell("PLANKLAB_SWEEP_ENGINE=avx9 \(line)-3").expect(
      64, errors: "`avx9`, which does not run here; give streaming, baseline")
  }

  @Test("What words cannot express runs on the streaming detector, and the output says so")
  func fallback() throws {
    let file = try workspace.write(
      """
      dataset: \(Program.scripted)
      detector: gravity
      debounce: [parameters, "dwell:enter=0.3s", "bands:elbow_split=5deg"]
      smoothing: [none, "ema:cutoff=2Hz@measurements"]
      axes: {elbow_split: [100, 120, 140]}
      objective: plank.balanced_accuracy
      """, to: "steady.yaml")
    let run = try Program.run("sweep", file, "--store", store, "--format", "json")
    let found = try run.expect(0).result()
    let engine = try #require(found["engine"] as? String)
    if Program.engine == "bit-parallel" {
      #expect(engine.hasPrefix("bit-parallel, and streaming for gravity with dwell"))
      #expect(engine.contains("bands:elbow_split=5deg"))
    }
    try Program.run(
      "sweep", file, "--store", workspace.path("f.sqlite"), "--engine", "bit-parallel"
    ).expect(65, errors: "streaming")
    let streamed = workspace.path("s.sqlite")
    try Program.run("sweep", file, "--store", streamed, "--engine", "streaming").expect(0)
    #expect(try export(store) == export(streamed))
  }
}

@Suite("Large grids")
struct LargeGridTests {
  private static let experiment = "experiments/first-steps"
  private static let large = ["--axis", "sag=0:9cm:0.01mm", "--axis", "pike=0:9cm:0.01mm"]

  @Test("Too large a store is refused before it is made, with line and remedy")
  func store() throws {
    let workspace = try Workspace()
    let store = workspace.path("runs.sqlite")
    let run = try Program.run(["sweep", Self.experiment, "--store", store] + Self.large)
    #expect(run.status == 64 && run.output.isEmpty, "\(run.errors)")
    for words in ["experiment.yaml:6: `axes`", "405,090,005 form configurations", "--allow-large"] {
      #expect(run.errors.contains(words), "\(run.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: store))
  }

  @Test("Too many cells for memory are refused, with line and remedy")
  func memory() throws {
    let run = try Program.run(["tune", Self.experiment] + Self.large)
    #expect(run.status == 64 && run.output.isEmpty, "\(run.errors)")
    for words in [
      "experiment.yaml:6: `axes`", "of memory, and 8.0 GB is the limit", "--allow-large",
    ] {
      #expect(run.errors.contains(words), "\(run.errors)")
    }
  }
}
