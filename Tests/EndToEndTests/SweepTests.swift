import Foundation
import Testing

/// `sweep`, and the output of `runs` about it.
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

  /// What a run found.
  private func summary(_ run: Program.Run) throws -> [String: Any] {
    try #require(try json(run)["result"] as? [String: Any])
  }

  private func json(_ run: Program.Run) throws -> [String: Any] {
    try #require(run.status == 0, "\(run.errors)")
    return try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
  }

  private func export(_ store: String, format: String = "csv") throws -> String {
    let run = try Program.run("runs", "export", "2", "--store", store, "--format", format)
    try #require(run.status == 0, "\(run.errors)")
    return run.output
  }

  @Test("A sweep counts cells and configurations and lists the best")
  func counts() throws {
    let found = try summary(sweep("--format", "json", "--top", "3"))
    let streams = try #require(found["streams"] as? [[String: Any]])
    #expect(streams.compactMap { $0["cells"] as? Int } == [75, 1445])
    #expect(found["configurations"] as? Int == 75 * 1445)
    #expect(streams.allSatisfy { ($0["best"] as? [Any])?.count == 3 })
    #expect(found["engine"] as? String == Program.engine)
    let list = try Program.run("runs", "list", "--store", store)
    #expect(list.status == 0 && list.output.contains("first-steps"))
    #expect(list.output.contains("complete"))
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
      Program.root.appendingPathComponent(Self.experiment).path,
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
    let shown = try json(Program.run("runs", "show", "--store", store, "--format", "json"))
    return try #require((shown["run"] as? [String: Any])?["program"] as? String)
  }

  @Test("A sweep that finds all cells in the store lists the best as the one that evaluated them")
  func resumed() throws {
    func best(_ found: [String: Any]) throws -> [NSDictionary] {
      let streams = try #require(found["streams"] as? [[String: Any]])
      return streams.map { NSDictionary(dictionary: $0) }
    }
    let first = try best(summary(sweep("--format", "json")))
    let again = try best(summary(sweep("--format", "json", "--resume")))
    #expect(first.count == 2 && first == again)
  }

  @Test(
    "Engines and numbers of threads leave the same cells",
    arguments: [
      ["--engine", "streaming"], ["--jobs", "1"],
    ])
  func sameCells(options: [String]) throws {
    _ = try summary(sweep("--format", "json"))
    let other = workspace.path("other.sqlite")
    let run = try Program.run(["sweep", Self.experiment, "--store", other] + options)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try export(store) == export(other))
    #expect(try export(store, format: "jsonl") == export(other, format: "jsonl"))
  }

  @Test(
    "With several datasets, each is a source: the best cells are those of the mean over the sources"
  )
  func sources() throws {
    let other = workspace.path("other")
    try FileManager.default.copyItem(atPath: Program.scripted, toPath: other)
    let manifest = workspace.path("other/dataset.yaml")
    try String(contentsOfFile: manifest, encoding: .utf8)
      .replacing("name: scripted", with: "name: twin")
      .write(toFile: manifest, atomically: true, encoding: .utf8)
    let options = ["--dataset", Program.scripted, "--dataset", other, "--format", "json"]
    let both = try summary(
      Program.run(["sweep", Self.experiment, "--store", store] + options))
    let one = try summary(sweep("--format", "json"))
    func values(_ summary: [String: Any]) throws -> [Double] {
      let streams = try #require(summary["streams"] as? [[String: Any]])
      return try streams.map { stream in
        let best = try #require((stream["best"] as? [[String: Any]])?.first)
        let objective = try #require((stream["metrics"] as? [String])?.first)
        return try #require((best["values"] as? [String: Any])?[objective] as? Double)
      }
    }
    #expect(try zip(values(both), values(one)).allSatisfy { abs($0 - $1) < 1e-9 })
    let run = try #require(both["run"] as? String)
    let table = try Program.run("runs", "export", run, "--store", store, "--format", "csv")
    let lines = table.output.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let column = try #require(lines[0].firstIndex(of: "source"))
    #expect(lines[1...3].map { $0[column] } == ["", "scripted", "twin"])
    #expect(lines[1...3].allSatisfy { $0[0] == lines[1][0] })
  }

  @Test("Shards together are the whole, and no cell is in two")
  func shards() throws {
    _ = try summary(sweep("--format", "json"))
    let whole = try export(store).split(separator: "\n")
    var parts: [Substring] = []
    for part in 1...3 {
      let file = workspace.path("part\(part).sqlite")
      let run = try Program.run(
        "sweep", Self.experiment, "--store", file, "--shard", "\(part)/3")
      #expect(run.status == 0, "\(run.errors)")
      parts += try export(file).split(separator: "\n").dropFirst()
    }
    #expect(parts.sorted() == whole.dropFirst().sorted())
  }

  @Test("A finished run that is continued lacks nothing and stays as it is")
  func resumeFinished() throws {
    _ = try summary(sweep("--format", "json"))
    let before = try export(store)
    let run = try sweep("--resume")
    #expect(run.status == 0 && run.errors.contains("continued"), "\(run.errors)")
    #expect(run.errors.contains(": 0 cells evaluated"), "\(run.errors)")
    #expect(try export(store) == before)
  }

  @Test(
    "A changed grid, seed or dataset refuses to be mixed",
    arguments: [
      (["--axis", "sag=1cm,2cm"], "grid"), (["--seed", "9"], "seed"),
      (["--dataset", "other"], "dataset"),
    ])
  func refuses(options: [String], word: String) throws {
    _ = try summary(sweep("--format", "json"))
    var given = options
    if options.contains("other") {
      let copy = workspace.path("copy")
      try FileManager.default.copyItem(atPath: Program.scripted, toPath: copy)
      let labels = copy + "/s01-floor.labels.csv"
      let text = try String(contentsOfFile: labels, encoding: .utf8)
      try Data((text + "900,901,none,\n").utf8).write(to: URL(fileURLWithPath: labels))
      given = ["--dataset", copy]
    }
    let run = try Program.run(
      ["sweep", Self.experiment, "--store", store, "--resume"] + given)
    #expect(run.status == 3, "\(run.errors)")
    #expect(run.errors.contains("the \(word) changed"), "\(run.errors)")
  }

  @Test(
    "A sweep that is killed at any moment continues to the same cells",
    arguments: ["0.05", "0.2", "0.35", "0.5"])
  func killed(seconds: String) throws {
    let options = ["--axis", "sag=1cm:9cm:1mm", "--axis", "pike=1cm:9cm:1mm"]
    let whole = workspace.path("whole.sqlite")
    let undisturbed = try Program.run(["sweep", Self.experiment, "--store", whole] + options)
    try #require(undisturbed.status == 0, "\(undisturbed.errors)")
    let line =
      "planklab sweep \(Self.experiment) --store \(store) \(options.joined(separator: " ")) & "
      + "pid=$!; sleep \(seconds); kill -9 $pid; wait $pid; true"
    _ = try Program.shell(line)
    let again = try Program.run(
      ["sweep", Self.experiment, "--store", store, "--resume"] + options)
    try #require(again.status == 0, "\(again.errors)")
    #expect(try export(store) == export(whole))
  }

  @Test("Cells that a constraint rejects are counted and not stored")
  func degenerate() throws {
    let text = try String(
      contentsOf: Program.root.appendingPathComponent(Self.experiment + "/experiment.yaml"),
      encoding: .utf8)
    let constrained = text.replacing("constraints:\n", with: "constraints:\n  - sag < pike\n")
    #expect(constrained != text)
    let file = try workspace.write(constrained, to: "e.yaml")
    let run = try Program.run(
      "sweep", file, "--dataset", Program.scripted, "--store", store, "--format", "json")
    let streams = try #require(try summary(run)["streams"] as? [[String: Any]])
    #expect(streams.compactMap { $0["rejected"] as? Int } == [0, 17 * 18 / 2 * 5])
    #expect(streams.compactMap { $0["cells"] as? Int } == [75, 17 * 16 / 2 * 5])
  }

  @Test("The environment turns the bit-parallel engine off, and may name a copy of its kernel")
  func asked() throws {
    let line = "planklab sweep \(Self.experiment) --format json --store \(store)"
    let streamed = try Program.shell("PLANKLAB_SWEEP_ENGINE=streaming \(line)")
    #expect(try summary(streamed)["engine"] as? String == "streaming")
    let numbers = try export(store)
    let baseline = try Program.shell("PLANKLAB_SWEEP_ENGINE=baseline \(line)-2")
    #expect(try summary(baseline)["engine"] as? String == "bit-parallel")
    #expect(baseline.errors.contains("(baseline)"), "\(baseline.errors)")
    #expect(try export(store + "-2") == numbers)
    let refused = try Program.shell("PLANKLAB_SWEEP_ENGINE=avx9 \(line)-3")
    #expect(refused.status == 64)
    #expect(refused.errors.contains("`avx9`, which does not run here; give streaming, baseline"))
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
    let found = try summary(run)
    let engine = try #require(found["engine"] as? String)
    if Program.engine == "bit-parallel" {
      #expect(engine.hasPrefix("bit-parallel, and streaming for gravity with dwell"))
      #expect(engine.contains("bands:elbow_split=5deg"))
    }
    let forced = try Program.run(
      "sweep", file, "--store", workspace.path("f.sqlite"), "--engine", "bit-parallel")
    #expect(forced.status == 65 && forced.errors.contains("streaming"), "\(forced.errors)")
    let streamed = workspace.path("s.sqlite")
    let slow = try Program.run("sweep", file, "--store", streamed, "--engine", "streaming")
    #expect(slow.status == 0, "\(slow.errors)")
    #expect(try export(store) == export(streamed))
  }

  @Test("Smoothing and debounce can be named on the command line, and mistakes name the option")
  func steadyingOptions() throws {
    let run = try sweep(
      "--smoothing", "none", "--smoothing", "ema:cutoff=2Hz@measurements", "--debounce",
      "dwell:enter=0.3s", "--set", "plank_frames=1", "--set", "form_frames=1", "--axis",
      "sag=2cm,4cm", "--axis", "pike=2cm,4cm", "--format", "json")
    let found = try summary(run)
    // An engine that the environment forces does not say what sets another one apart.
    let isForced = ProcessInfo.processInfo.environment["PLANKLAB_SWEEP_ENGINE"] != nil
    let engine = try #require(found["engine"] as? String)
    #expect(isForced || engine.contains("dwell:enter=0.3s"), "\(engine)")
    let streams = try #require(found["streams"] as? [[String: Any]])
    #expect(streams.compactMap { $0["cells"] as? Int } == [15 * 2, 2 * 2 * 2])
    let wrong = try sweep("--smoothing", "fog")
    #expect(wrong.status == 64 && wrong.errors.contains("--smoothing"), "\(wrong.errors)")
  }

  @Test("A shard that does not exist is a mistake", arguments: ["0/2", "3/2", "1", "a/b", "1/0"])
  func noShard(text: String) throws {
    let run = try sweep("--shard", text)
    #expect(run.status == 64 && run.errors.contains("--shard"), "\(run.errors)")
  }
}
