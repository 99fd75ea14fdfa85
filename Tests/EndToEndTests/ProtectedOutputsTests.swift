import Foundation
import Testing

/// Files that no result replaces, and places in which no result is made.
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
    let gated = try GateWorkspace()
    try gated.gate("  - {metric: plank.accuracy, margin: 0.05}\n")
    try gated.answers("answers", late: [3, 4, 2, 5, 3, 4])
    let target = gated.workspace.path(name)
    let before = try bytes(target)
    let run = try Program.run(
      "baseline", "update", gated.workspace.path("gate.yaml"), "--reason", "a slip", "--baseline",
      target)
    #expect(run.status == 73 && run.errors.contains("not a baseline"), "\(run.errors)")
    #expect(try bytes(target) == before)
    #expect(try gated.update().status == 0)
    #expect(try gated.update().status == 0)
  }

  @Test("Only `baseline update` writes a baseline")
  func otherResults() throws {
    let gated = try GateWorkspace()
    try gated.gate("  - {metric: plank.accuracy, margin: 0.05}\n")
    try gated.answers("answers", late: [3, 4, 2, 5, 3, 4])
    try #require(try gated.update().status == 0)
    let baseline = gated.workspace.path("baseline.json")
    let before = try bytes(baseline)
    let face = try gated.run("answers", "--write", "json=\(baseline)")
    #expect(face.status == 73 && face.errors.contains("is a baseline"), "\(face.errors)")
    let result = try Program.run("detectors", "gravity", "--output", baseline)
    #expect(result.status == 73, "\(result.errors)")
    #expect(try bytes(baseline) == before)
    let page = gated.workspace.path("page")
    let twice = try gated.run("answers", "--write", "json=\(page)", "--write", "junit=\(page)")
    #expect(twice.status == 64 && twice.errors.contains("two results"), "\(twice.errors)")
  }

  @Test("A store is not replaced by what is exported from it, and has a name of its own")
  func store() throws {
    let store = workspace.path("runs.sqlite")
    let sweep = ["sweep", Self.experiment] + Self.small
    try #require(try Program.run(sweep + ["--store", store]).status == 0)
    let export = try Program.run(
      "runs", "export", "--store", store, "--format", "csv", "--output", store)
    #expect(export.status == 73 && export.errors.contains("store of runs"), "\(export.errors)")
    #expect(try Program.run("runs", "list", "--store", store).status == 0)
    let nameless = try Program.run(sweep + ["--store", ""])
    #expect(nameless.status == 64 && nameless.errors.contains("--store"), "\(nameless.errors)")
    let recording = try Program.run(sweep + ["--store", workspace.path("a.poses.jsonl")])
    #expect(recording.status == 73, "\(recording.errors)")
  }

  @Test("Thresholds are replaced neither by their export nor by their picture")
  func thresholds() throws {
    let file = workspace.path("t.json")
    let tune = ["tune", Self.experiment, "--thresholds", file] + Self.small
    let both = try Program.run(tune + ["--picture", file])
    #expect(both.status == 64 && both.errors.contains("two results"), "\(both.errors)")
    try #require(try Program.run(tune).status == 0)
    let before = try bytes(file)
    let export = try Program.run("export", file, "--format", "swift", "--output", file)
    #expect(
      export.status == 73 && export.errors.contains("an input of this command"), "\(export.errors)")
    #expect(try bytes(file) == before)
    let name = try Program.run("export", file, "--format", "swift", "--type-name", "Self")
    #expect(name.status == 64, "\(name.errors)")
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
      let run = try Program.run(command)
      #expect(run.status == 73 && run.errors.contains("choose another name"), "\(run.errors)")
    }
    #expect(try bytes(file) == Data((text + "\n").utf8))
    #expect(!FileManager.default.fileExists(atPath: html))
  }

  @Test("A result replaces an earlier one of any format")
  func earlier() throws {
    let evaluate = ["evaluate", Program.scripted, "--detector", "gravity", "--output"]
    let files = ["r.json", "r.md", "r.html", "r.txt"].map(workspace.path)
    for file in files + files.reversed() + ["r.md", "r.json"].map(workspace.path) {
      let run = try Program.run(evaluate + [file])
      #expect(run.status == 0, "\(file): \(run.errors)")
    }
    let list = ["runs", "list", "--store", workspace.path("s.sqlite"), "--output", files[0]]
    let sweep = ["sweep", Self.experiment, "--store", workspace.path("s.sqlite")] + Self.small
    try #require(try Program.run(sweep).status == 0)
    #expect(try Program.run(list).status == 0)
    #expect(try Program.run(list).status == 0)
    for format in ["csv", "jsonl"] {
      for _ in 0..<2 {
        let export = try Program.run(
          "runs", "export", "--store", workspace.path("s.sqlite"), "--format", format, "--output",
          workspace.path("cells." + format))
        #expect(export.status == 0, "\(export.errors)")
      }
    }
  }

  @Test("Settings that answers from files cannot follow are refused")
  func predictions() throws {
    let gated = try GateWorkspace()
    try gated.answers("answers", late: [3, 4, 2, 5, 3, 4])
    let run = try Program.run(
      "evaluate", gated.workspace.path("data"), "--predictions", gated.workspace.path("answers"),
      "--set", "sag=1cm")
    #expect(run.status == 64 && run.errors.contains("--set"), "\(run.errors)")
  }

  @Test("An axis given twice, or fixed as well, is a mistake")
  func axes() throws {
    for more in [["--axis", "sag=1cm"], ["--set", "sag=1cm"]] {
      let run = try Program.run(
        ["sweep", Self.experiment, "--store", workspace.path("a.sqlite")] + Self.small + more)
      #expect(run.status == 64 && run.errors.contains("--axis sag"), "\(run.errors)")
    }
  }

  @Test("Without a determined frame nothing is tuned, and the data are named")
  func noEvidence() throws {
    let gated = try GateWorkspace()
    let data = gated.workspace.path("data")
    for person in 1...6 {
      let path = data + "/p\(person).poses.jsonl"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      try text.replacing(#/"p":\[[^\]]*\]/#, with: "\"p\":null").write(
        toFile: path, atomically: true, encoding: .utf8)
    }
    let run = try Program.run(
      ["tune", Self.experiment, "--dataset", data] + Self.small)
    #expect(run.status == 65 && run.errors.contains("too little evidence"), "\(run.errors)")
    withExtendedLifetime(gated) {}
  }
}
