import Foundation
import Testing

@Suite("Measurements of earlier runs")
struct CacheTests {
  private let workspace: Workspace

  /// A folder with a copy of the committed dataset.
  init() throws {
    workspace = try Workspace()
    try FileManager.default.copyItem(atPath: Program.scripted, toPath: workspace.path("data"))
    try workspace.write(
      "dataset: data\ndetector: coach\naxes: {plank_frames: [1, 5]}\nobjective: plank.accuracy\n",
      to: "experiment.yaml")
  }

  private func shell(_ line: String) throws -> Program.Run {
    try Program.shell("export PLANKLAB_CACHE=\"$PWD/cache\"; " + line, in: workspace.folder)
  }

  /// The entries with the times at which they were last used.
  private func entries() throws -> [String: Date] {
    let folder = workspace.path("cache")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return try Dictionary(
      uniqueKeysWithValues: names.map { name in
        let facts = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
        return (name, try #require(facts[.modificationDate] as? Date))
      })
  }

  /// Makes every entry look old, so that one that is used shows.
  private func age() throws {
    for name in try entries().keys {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_000_000)],
        ofItemAtPath: workspace.path("cache/" + name))
    }
  }

  private func used() throws -> Int {
    try entries().values.count { $0.timeIntervalSince1970 > 1_000_000 }
  }

  @Test(
    "A second run takes what the first one measured, and prints and writes the same",
    arguments: [
      "evaluate data", "evaluate data --smoothing one-euro@joints --no-next",
      "compare data gravity coach", "suggest data",
      "tune data --axis plank_frames=1,5",
      "sweep experiment.yaml --store out/x.sqlite",
      "measure data --output out/tables", "label data --html out/page.html",
      "studio data --html out/page.html",
    ])
  func equalRuns(_ command: String) throws {
    var runs: [(output: String, files: [String: Data])] = []
    for option in ["--no-cache", "", ""] {
      if runs.count == 2 { try age() }
      let run = try shell("rm -rf out; mkdir out; planklab \(command) \(option)")
      #expect(run.status == 0, "\(run.errors)")
      let export = "planklab runs export --format csv --stream plank --store out/x.sqlite"
      let isSweep = command.hasPrefix("sweep")  // it prints how long it took
      let output = try isSweep ? shell(export) : run
      #expect(!output.output.isEmpty)
      runs.append((output.output, try files("out")))
      let count = try entries().count
      #expect(runs.count == 1 ? count == 0 : count > 0)
    }
    #expect(try used() == entries().count, "every entry is used")
    #expect(runs[0].output == runs[1].output)
    #expect(runs[0].output == runs[2].output)
    #expect(runs[0].files == runs[1].files)
    #expect(runs[0].files == runs[2].files)
  }

  /// The files of a folder with their bytes, but for stores, which have the time of the run.
  private func files(_ folder: String) throws -> [String: Data] {
    let paths = FileManager.default.enumerator(atPath: workspace.path(folder))?.allObjects
    var files: [String: Data] = [:]
    for case let path as String in paths ?? [] where !path.hasSuffix(".sqlite") {
      files[path] = FileManager.default.contents(atPath: workspace.path(folder + "/" + path))
    }
    return files
  }

  @Test("Where costs are shown, recordings are measured; gates and baselines always measure them")
  func measuredRuns() throws {
    let gate = "dataset: data\nrules:\n  - metric: plank.accuracy\n    at_least: 0.1\n"
    try workspace.write(gate, to: "gate.yaml")
    for command in [
      "evaluate data --format json", "evaluate data --section timing", "evaluate data --verbose",
      "gate gate.yaml", "baseline update gate.yaml --baseline base.json --reason first",
      "explain data --worst 1",
    ] {
      let run = try shell("planklab \(command)")
      #expect(run.status == 0, "\(command): \(run.errors)")
      #expect(try entries().isEmpty, "\(command)")
    }
  }

  @Test("A folder for caches that cannot be made or written changes nothing")
  func unwritable() throws {
    try workspace.write("", to: "file")
    let right = try shell("planklab evaluate data --no-cache")
    for place in ["file/inside", "file", "/dev/null"] {
      let run = try Program.shell(
        "PLANKLAB_CACHE=\(place) planklab evaluate data", in: workspace.folder)
      #expect(run.status == 0 && run.output == right.output && run.errors == right.errors)
    }
  }
}
