import Foundation
import TestSupport
import Testing

@Suite("Stored runs")
struct RunsTests {
  private static let experiment = Repository.file("experiments/first-steps")
    .path
  static let axes = [
    "--axis", "sag=2cm,5cm", "--axis", "pike=3cm,5cm", "--axis", "form_frames=1,3", "--axis",
    "elbow_split=120,140", "--axis", "plank_frames=1,2,5",
  ]

  private static func sweep(_ store: String, _ more: String...) throws -> Program.Run {
    try Program.run(["sweep", experiment, "--store", store] + axes + more)
  }

  private static func ids(_ store: String) throws -> [String] {
    let list = try Program.run("runs", "list", "--store", store, "--format", "json").json()
    return (list["runs"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
  }

  @Test("A recording whose times no store holds is refused, and the store stays as it was")
  func hostileTimes() throws {
    let workspace = try Workspace()
    let store = workspace.path("runs.sqlite")
    try Self.sweep(store).expect(0)
    let before = try Self.ids(store)
    let lines = try Program.text(Program.scripted + "/s01-floor.poses.jsonl").split(separator: "\n")
      .prefix(4)
    let times = ["-1e300", "0", "1e300"]
    let frames = zip(lines.dropFirst(), times).map { line, time in
      String(line).replacing(#/"t": ?[^,]+,/#, with: "\"t\":\(time),")
    }
    let data = try workspace.dataset(
      poses: ([String(lines[0])] + frames).joined(separator: "\n") + "\n",
      labels: "start,end,plank,form\n-1e300,1e308,high,sag\n")
    let hostile = try workspace.write(
      "dataset: \(data)\ndetector: gravity\naxes: {sag: [1cm, 3cm], elbow_split: {quantiles: 3}}\n"
        + "objective: [plank.accuracy, form.accuracy]\nvalidation: none\n", to: "x.yaml")
    for place in [store, workspace.path("new.sqlite")] {
      try Program.run("sweep", hostile, "--store", place).expect(
        65, errors: "a store can hold only")
    }
    #expect(!FileManager.default.fileExists(atPath: workspace.path("new.sqlite")))
    #expect(try Self.ids(store) == before && before.count == 1)
  }

  @Test("A damaged run hides no other: it is named, and can be deleted")
  func damagedRun() throws {
    let workspace = try Workspace()
    let store = workspace.path("runs.sqlite")
    try Self.sweep(store).expect(0)
    let bad = try #require(try Self.ids(store).first)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: store))
    let name = try #require(bytes.range(of: Data("s01-floor".utf8)))
    bytes.replaceSubrange(name, with: Data("s99-floor".utf8))
    try bytes.write(to: URL(fileURLWithPath: store))
    try Self.sweep(store).expect(0)
    let list = try Program.run("runs", "list", "--store", store, "--format", "json")
    let remedy = "planklab runs delete '\(bad)'"
    #expect(list.status == 65 && list.errors.contains(remedy), "\(list.errors)")
    #expect(try Self.ids(store).count == 1)
    try Program.run("runs", "list", "--store", store).expect(65, output: "Damaged: run \(bad)")
    try Program.run("runs", "show", "--store", store).expect(0)
    try Program.run("runs", "show", bad, "--store", store).expect(65)
    try Program.run("runs", "delete", bad, "--store", store).expect(0)
    try Program.run("runs", "list", "--store", store).expect(0)
  }

  @Test("JSON lines have every number: a subject's frames add up to the cell's")
  func lines() throws {
    let workspace = try Workspace()
    let store = workspace.path("runs.sqlite")
    try Self.sweep(store).expect(0)
    let run = try Program.run(
      "runs", "export", try #require(try Self.ids(store).first), "--store", store, "--format",
      "jsonl", "--stream", "form")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 8)
    for line in lines {
      let cell = try Program.object(line)
      let counts = try #require(cell["counts"] as? [String: Int])
      let subjects = try #require(cell["subjects"] as? [[String: Any]])
      let frames = subjects.flatMap { ($0["confusion"] as? [[Int]] ?? []).joined() }.reduce(0, +)
      #expect(frames == counts["scored_frames"])
      let events = subjects.reduce(0) {
        $0 + (($1["events"] as? [String: [Any]])?["latency_s"]?.count ?? 0)
      }
      #expect(events == counts["true_events"])
      #expect((cell["parameters"] as? [String: Double])?.count == 3)
    }
    let short = try Program.run(
      "runs", "export", "--store", store, "--format", "jsonl", "--stream", "form", "--no-subjects")
    let bare = lines.map { line in
      line.replacing(#/,"subjects":\[.*\](?=,"undefined")/#, with: "")
    }
    #expect(short.output == bare.joined(separator: "\n") + "\n")
    #expect(short.output.utf8.count < run.output.utf8.count && !bare[0].contains("subjects"))
    try Program.run("runs", "export", "--store", store, "--format", "csv", "--subjects").expect(
      64, errors: "CSV has no numbers by subject")
  }

  @Test("A table replaces an earlier one", arguments: ["csv", "jsonl"])
  func replaced(format: String) throws {
    let workspace = try Workspace()
    let (store, table) = (workspace.path("runs.sqlite"), workspace.path("table"))
    try Self.sweep(store).expect(0)
    for _ in 0..<2 {
      try Program.run(
        "runs", "export", "--store", store, "--format", format, "--output", table
      ).expect(0)
    }
  }

  @Test("Two sweeps write to one store at the same time, and resuming a whole run adds nothing")
  func concurrent() throws {
    let workspace = try Workspace()
    let line =
      "planklab sweep '\(Self.experiment)' --store runs.sqlite \(Self.axes.joined(separator: " "))"
    try workspace.shell(
      "\(line) & one=$!; \(line) && wait $one"
    ).expect(0)
    let store = workspace.path("runs.sqlite")
    let ids = try Self.ids(store)
    #expect(ids.count == 2)
    func export(_ id: String, _ store: String) throws -> String {
      try Program.run("runs", "export", id, "--store", store, "--format", "csv").output
    }
    let whole = workspace.path("whole.sqlite")
    try Self.sweep(whole, "--resume").expect(0)
    try Self.sweep(whole, "--resume").expect(0)
    let id = try #require(try Self.ids(whole).first)
    #expect(try Self.ids(whole).count == 1)
    let expected = try export(id, whole)
    for id in ids { #expect(try export(id, store) == expected) }
  }

  @Test("No store is 66, another file 65, a grid that changed is refused by name")
  func errors() throws {
    let workspace = try Workspace()
    try Program.run("runs", "list", "--store", workspace.path("none.sqlite")).expect(
      66, errors: "planklab sweep")
    let text = try workspace.write(String(repeating: "no database ", count: 100), to: "a.sqlite")
    try Program.run("runs", "list", "--store", text).expect(65, errors: "is not a store")
    let store = workspace.path("runs.sqlite")
    try Self.sweep(store).expect(0)
    let changed = try Program.run(
      ["sweep", Self.experiment, "--store", store, "--axis", "sag=3cm", "--resume"]
        + Self.axes.filter { !$0.hasPrefix("sag=") }.filter { $0 != "--axis" }.flatMap {
          ["--axis", $0]
        })
    #expect(changed.status != 0 && changed.errors.contains("the grid changed from `axis sag"))
    try Program.run("runs", "show", "2000", "--store", store).expect(66, errors: "no run `2000`")
    let kept = try workspace.write("a: 1\n", to: "b.yaml")
    try Program.run(
      "runs", "export", "20", "--store", store, "--format", "csv", "--output", kept
    ).expect(73)
    #expect(try Program.text(kept) == "a: 1\n")
  }
}

@Suite("Runs that tune reads")
struct StoredTuneTests {
  private static let experiment = "experiments/first-steps"
  private static let axes = RunsTests.axes
  private let workspace: Workspace

  init() throws { workspace = try Workspace() }

  private func sweep(_ store: String, _ more: String...) throws {
    try Program.run(["sweep", Self.experiment, "--store", store] + Self.axes + more).expect(0)
  }

  @Test("tune from a store equals tune, and another seed is refused")
  func equal() throws {
    let store = workspace.path("runs.sqlite")
    try sweep(store)

    func tune(_ more: String...) throws -> String {
      let run = try Program.run(["tune", Self.experiment, "--format", "json"] + Self.axes + more)
        .expect(0)
      return run.output
    }
    #expect(try tune() == tune("--from-store", store))
    try Program.run(
      ["tune", Self.experiment, "--from-store", store] + Self.axes + ["--seed", "9"]
    ).expect(3, errors: "the seed changed")
  }

  @Test("An experiment has one name, however its path is typed")
  func spellings() throws {
    let source = Program.root.path + "/experiments/first-steps/experiment.yaml"
    let text = try Program.text(source)
    let folder = workspace.folder.appendingPathComponent("e")
    try workspace.write(
      text.replacing("../../datasets/scripted", with: Program.scripted), to: "e/experiment.yaml")
    try FileManager.default.createSymbolicLink(
      atPath: workspace.path("linked.yaml"), withDestinationPath: "e/experiment.yaml")
    func run(_ words: String) throws -> Program.Run {
      try Program.shell(
        "planklab \(words) \(words.hasPrefix("runs") ? "" : Self.axes.joined(separator: " "))",
        in: folder)
    }
    let spellings = [
      "experiment.yaml", folder.path + "/experiment.yaml", ".", "../e/../e", "../linked.yaml",
    ]
    for spelling in spellings {
      try run("sweep \(spelling) --store m.sqlite --resume").expect(0)
      try run("tune \(spelling) --from-store m.sqlite").expect(0)
    }
    let list = try run("runs list --store m.sqlite --format json")
    #expect(
      list.output.components(separatedBy: "\"experiment\": \"e\"").count == 2, "\(list.output)")
  }

  @Test("A store without the experiment is named")
  func mistakes() throws {
    let store = workspace.path("runs.sqlite")
    let file = try workspace.write(
      try Program.text(Program.root.path + "/experiments/first-steps/experiment.yaml").replacing(
        "../../datasets/scripted", with: Program.scripted), to: "other/experiment.yaml")
    try sweep(store)
    try Program.run("tune", file, "--from-store", store).expect(66, errors: "no complete run")
  }
}
