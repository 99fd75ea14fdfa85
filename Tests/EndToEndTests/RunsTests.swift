import Foundation
import Testing

/// Stored sweeps, and the output of `runs` about them.
@Suite("Stored runs")
struct RunsTests {
  private static let experiment = Program.root.appendingPathComponent("experiments/first-steps")
    .path
  private static let axes = [
    "--axis", "sag=2cm,5cm", "--axis", "pike=3cm,5cm", "--axis", "form_frames=1,3", "--axis",
    "elbow_split=120,140", "--axis", "plank_frames=1,2,5",
  ]

  private static func sweep(_ store: String, _ more: String...) throws -> Program.Run {
    try Program.run(["sweep", experiment, "--store", store] + axes + more)
  }

  private static func json(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// The ids of a store's runs, in the order of the list.
  private static func ids(_ store: String) throws -> [String] {
    let list = try json(
      try Program.run("runs", "list", "--store", store, "--format", "json").output)
    return (list["runs"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
  }

  @Test("A recording whose times no store holds is refused, and the store stays as it was")
  func hostileTimes() throws {
    let workspace = try Workspace()
    let store = workspace.path("runs.sqlite")
    try #require(try Self.sweep(store).status == 0)
    let before = try Self.ids(store)
    let lines = try String(
      contentsOfFile: Program.scripted + "/s01-floor.poses.jsonl", encoding: .utf8
    ).split(separator: "\n").prefix(4)
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
      let run = try Program.run("sweep", hostile, "--store", place)
      #expect(run.status == 65 && run.errors.contains("a store holds"), "\(run.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: workspace.path("new.sqlite")))
    #expect(try Self.ids(store) == before && before.count == 1)
  }

  @Test("A damaged run hides no other: it is named, and can be deleted")
  func damagedRun() throws {
    let workspace = try Workspace()
    let store = workspace.path("runs.sqlite")
    try #require(try Self.sweep(store).status == 0)
    let bad = try #require(try Self.ids(store).first)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: store))
    let name = try #require(bytes.range(of: Data("s01-floor".utf8)))
    bytes.replaceSubrange(name, with: Data("s99-floor".utf8))
    try bytes.write(to: URL(fileURLWithPath: store))
    try #require(try Self.sweep(store).status == 0)
    let list = try Program.run("runs", "list", "--store", store, "--format", "json")
    let remedy = "planklab runs delete '\(bad)'"
    #expect(list.status == 65 && list.errors.contains(remedy), "\(list.errors)")
    #expect(try Self.ids(store).count == 1)
    let text = try Program.run("runs", "list", "--store", store)
    #expect(text.status == 65 && text.output.contains("Damaged: run \(bad)"), "\(text.output)")
    #expect(try Program.run("runs", "show", "--store", store).status == 0)
    #expect(try Program.run("runs", "show", bad, "--store", store).status == 65)
    #expect(try Program.run("runs", "delete", bad, "--store", store).status == 0)
    #expect(try Program.run("runs", "list", "--store", store).status == 0)
  }

  @Test("A run is listed, shown, exported and deleted by its id")
  func life() throws {
    let workspace = try Workspace()
    let store = workspace.path("runs.sqlite")
    #expect(try Self.sweep(store).status == 0)
    let id = try #require(try Self.ids(store).first)
    let list = try Program.run("runs", "list", "--store", store)
    #expect(list.output.contains(id) && list.output.contains("complete"))
    let show = try Program.run("runs", "show", String(id.prefix(10)), "--store", store)
    #expect(show.output.contains("elbow_split") && show.output.contains("120 140"))
    let shown = try Self.json(
      try Program.run("runs", "show", id, "--store", store, "--format", "json").output)
    let status = (shown["run"] as? [String: Any])?["status"] as? String
    #expect(status == "complete" && shown["schema_version"] as? Int == 2)

    let table = workspace.path("cells.csv")
    let export = try Program.run(
      "runs", "export", id, "--store", store, "--format", "csv", "--output", table)
    #expect(export.status == 0, "\(export.errors)")
    let lines = try String(contentsOfFile: table, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 1 + 6 + 8)
    #expect(lines[0].hasPrefix("cell,stream,detector,smoothing,elbow_split,plank_frames,sag,pike"))
    #expect(lines[1].hasPrefix("0,plank,gravity,none,120,1,,,,"))
    let columns = lines[0].split(separator: ",", omittingEmptySubsequences: false).count
    #expect(
      lines.allSatisfy {
        $0.split(separator: ",", omittingEmptySubsequences: false).count == columns
      })

    let part = try Program.run("runs", "delete", String(id.dropLast()), "--store", store)
    #expect(part.status == 66 && part.errors.contains(id), "\(part.errors)")
    #expect(try Program.run("runs", "delete", id, "--store", store).status == 0)
    #expect(try Self.ids(store).isEmpty)
  }

  @Test("JSON lines have every number: a subject's frames add up to the cell's")
  func lines() throws {
    let workspace = try Workspace()
    let store = workspace.path("runs.sqlite")
    #expect(try Self.sweep(store).status == 0)
    let run = try Program.run(
      "runs", "export", try #require(try Self.ids(store).first), "--store", store, "--format",
      "jsonl", "--stream", "form")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 8)
    for line in lines {
      let cell = try Self.json(String(line))
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
    let table = try Program.run("runs", "export", "--store", store, "--format", "csv", "--subjects")
    #expect(table.status == 64 && table.errors.contains("CSV has no numbers by subject"))
  }

  @Test("Two sweeps write to one store at the same time, and resuming a whole run adds nothing")
  func concurrent() throws {
    let workspace = try Workspace()
    let line =
      "planklab sweep '\(Self.experiment)' --store runs.sqlite \(Self.axes.joined(separator: " "))"
    let both = try Program.shell(
      "\(line) --shard 2/2 & one=$!; \(line) --shard 1/2 && wait $one", in: workspace.folder)
    #expect(both.status == 0, "\(both.errors)")
    let store = workspace.path("runs.sqlite")
    let ids = try Self.ids(store)
    #expect(ids.count == 2)
    let cells = try ids.flatMap { id in
      try Program.run("runs", "export", id, "--store", store, "--format", "csv").output
        .split(separator: "\n").dropFirst().map(String.init)
    }
    let whole = workspace.path("whole.sqlite")
    #expect(try Self.sweep(whole, "--resume").status == 0)
    #expect(try Self.sweep(whole, "--resume").status == 0)
    let id = try #require(try Self.ids(whole).first)
    let expected = try Program.run("runs", "export", id, "--store", whole, "--format", "csv").output
      .split(separator: "\n").dropFirst().map(String.init)
    #expect(try Self.ids(whole).count == 1)
    #expect(Set(cells) == Set(expected) && cells.count == expected.count)
  }

  @Test("No store is 66, another file 65, a grid that changed is refused by name")
  func errors() throws {
    let workspace = try Workspace()
    let none = try Program.run("runs", "list", "--store", workspace.path("none.sqlite"))
    #expect(none.status == 66 && none.errors.contains("planklab sweep"), "\(none.errors)")
    let text = try workspace.write(String(repeating: "no database ", count: 100), to: "a.sqlite")
    let other = try Program.run("runs", "list", "--store", text)
    #expect(other.status == 65 && other.errors.contains("is not a store"), "\(other.errors)")
    let store = workspace.path("runs.sqlite")
    #expect(try Self.sweep(store).status == 0)
    let changed = try Program.run(
      ["sweep", Self.experiment, "--store", store, "--axis", "sag=3cm", "--resume"]
        + Self.axes.filter { !$0.hasPrefix("sag=") }.filter { $0 != "--axis" }.flatMap {
          ["--axis", $0]
        })
    #expect(changed.status != 0 && changed.errors.contains("the grid changed from `axis sag"))
    let unknown = try Program.run("runs", "show", "2000", "--store", store)
    #expect(unknown.status == 66 && unknown.errors.contains("no run `2000`"), "\(unknown.errors)")
    let kept = try workspace.write("a: 1\n", to: "b.yaml")
    let export = try Program.run(
      "runs", "export", "20", "--store", store, "--format", "csv", "--output", kept)
    #expect(export.status == 73, "\(export.errors)")
    #expect(try String(contentsOfFile: kept, encoding: .utf8) == "a: 1\n")
  }
}
