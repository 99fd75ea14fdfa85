import Foundation
import Testing

/// The main job on the committed dataset.
@Suite("Evaluation of a dataset")
struct EvaluateTests {
  private func evaluation(_ arguments: String...) throws -> EvaluationJSON {
    try EvaluationJSON([Program.scripted] + arguments)
  }

  @Test("JSON has every part that programs rely on")
  func parts() throws {
    let found = try evaluation()
    #expect(found.envelope["schema_version"] as? Int == 3)
    #expect(found.envelope["command"] as? String == "evaluate")
    let dataset = try #require(found.envelope["dataset"] as? [String: Any])
    #expect(dataset["name"] as? String == "scripted" && dataset["hash"] != nil)
    for key in [
      "frames", "scored_frames", "missing_frames", "undetermined_frames", "held_frames",
      "ignored_frames", "unlabeled_frames",
    ] { #expect(found["data", "counts", key] != nil, "\(key)") }
    #expect(found["data", "sequences"] != nil && found["data", "subjects"] != nil)
    for stream in ["plank", "form"] {
      for key in [
        "confusion", "confusion_seconds", "determined_by_frames", "stability", "events",
      ] { #expect(found["streams", stream, "counts", key] != nil, "\(stream).\(key)") }
    }
    for key in ["detector", "jitter", "timing", "flicker"] { #expect(found[key] != nil) }
  }

  @Test(
    "Equivalent data has the same numbers",
    .enabled(if: Program.hasPython, "not on this system: the proof needs Python 3.10"))
  func transformations() throws {
    let sample = "opposite order|in two|earlier|half a turn|lengths|mirror image, with labels"
    let run = try Program.shell(
      "exec scripts/proofs/metamorphic.py --planklab '\(Program.path)' --detector trunk "
        + "--only '\(sample)'")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    let end = /metamorphic: 7 transformations, [1-9][0-9]{4} values compared: 0 differ/
    #expect(run.output.contains(end), "\(run.output)")
  }

  @Test("Files are hashed for results that show the hash, and for no others")
  func hashes() throws {
    let workspace = try Workspace()
    let copy = workspace.path("data")
    try FileManager.default.copyItem(atPath: Program.scripted, toPath: copy)
    // This recording is in another split: only the hash covers it.
    try FileManager.default.removeItem(atPath: copy + "/s01-floor.poses.jsonl")
    for format in ["text", "markdown"] {
      let run = try Program.run("evaluate", copy, "--split", "test", "--format", format)
      #expect(run.status == 0 && run.output.contains("on scripted"), "\(format): \(run.errors)")
    }
    let page = workspace.path("page.html")
    for options in [["--format", "json"], ["--html", page], ["--output", page]] {
      let run = try Program.run(["evaluate", copy, "--split", "test"] + options)
      #expect(run.status == 66 && run.errors.contains("s01-floor.poses.jsonl"), "\(options)")
      #expect(!FileManager.default.fileExists(atPath: page))
    }
  }

  @Test(
    "No limit of an interval depends on where a clock has its zero",
    arguments: [-1000, 1_000_000])
  func clocks(zero: Int) throws {
    let workspace = try Workspace()
    for name in try FileManager.default.contentsOfDirectory(atPath: Program.scripted) {
      let path = Program.scripted + "/" + name
      var text =
        name.hasSuffix(".gz")
        ? try Program.shell("gzip -dc '\(path)'").output
        : try String(contentsOfFile: path, encoding: .utf8).replacing(".jsonl.gz", with: ".jsonl")
      let name = name.replacing(".jsonl.gz", with: ".jsonl")
      func moved(_ time: Substring) throws -> String {
        "\(try #require(Decimal(string: String(time))) + Decimal(zero))"
      }
      if name.hasSuffix(".jsonl") {
        text = try text.replacing(#/"t":\s*([-0-9.e]+)/#) { "\"t\":\(try moved($0.1))" }
      } else if name.hasSuffix(".csv") {
        let count = name.hasSuffix(".labels.csv") ? 2 : 1
        text =
          try text.split(separator: "\n").enumerated().map { index, line in
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            let times = index == 0 ? [] : try fields.prefix(count).map(moved)
            return (times + fields.dropFirst(times.count).map(String.init)).joined(separator: ",")
          }.joined(separator: "\n") + "\n"
      }
      try workspace.write(text, to: "data/" + name)
    }
    let before = try evaluation("--detector", "article")
    let after = try EvaluationJSON([workspace.path("data"), "--detector", "article"])
    for stream in ["plank", "form"] {
      let first = try Self.numbers(#require(before["streams", stream, "uncertainty"]))
      let second = try Self.numbers(#require(after["streams", stream, "uncertainty"]))
      #expect(first.count > 20 && first.count == second.count)
      for (number, moved) in zip(first, second) {
        #expect(abs(number - moved) < 1e-8 * max(1, abs(number)), "\(stream)")
      }
    }
  }

  /// All numbers of a value of JSON, in the order of keys.
  private static func numbers(_ value: Any) -> [Double] {
    switch value {
    case let members as [String: Any]:
      members.sorted { $0.key < $1.key }.flatMap { numbers($0.value) }
    case let items as [Any]: items.flatMap(numbers)
    case let number as Double: [number]
    default: []
    }
  }

  @Test("Frames add up: scored, ignored and unlabeled are all, the matrix holds the scored ones")
  func sums() throws {
    let found = try evaluation()
    func count(_ key: String) -> Int { found["data", "counts", key] as? Int ?? -1 }
    #expect(
      count("frames") == count("scored_frames") + count("ignored_frames")
        + count("unlabeled_frames"))
    #expect(
      try found.confusion("plank").flatMap(\.self).reduce(0, +) == count("scored_frames"))
    #expect(count("missing_frames") > 0 && count("held_frames") > 0)
  }

  @Test("Equal runs give equal bytes, apart from the timings")
  func determinism() throws {
    var (first, second) = (try evaluation().result, try evaluation().result)
    first["timing"] = nil
    second["timing"] = nil
    #expect(NSDictionary(dictionary: first) == NSDictionary(dictionary: second))
  }

  @Test("What `measure` writes scores like the detector that wrote it")
  func roundTrip() throws {
    let workspace = try Workspace()
    let folder = workspace.path("tables")
    let measure = try Program.run("measure", Program.scripted, "--output", folder)
    #expect(measure.status == 0, "\(measure.errors)")
    let (direct, again) = (try evaluation(), try evaluation("--predictions", folder))
    for stream in ["plank", "form"] {
      #expect(try direct.confusion(stream) == again.confusion(stream))
    }
  }

  @Test("With several datasets, each is a source, and people with one name stay apart")
  func severalDatasets() throws {
    let workspace = try Workspace()
    let other = workspace.path("other")
    try FileManager.default.copyItem(atPath: Program.scripted, toPath: other)
    let manifest = workspace.path("other/dataset.yaml")
    let text = try String(contentsOfFile: manifest, encoding: .utf8)
    let twin = try Program.run("evaluate", Program.scripted, other)
    #expect(twin.status == 65 && twin.errors.contains("two datasets are called scripted"))
    try text.replacing("name: scripted", with: "name: twin")
      .write(toFile: manifest, atomically: true, encoding: .utf8)
    let both = try evaluation(other)
    let names = try #require(both["data", "subjects"] as? [String])
    #expect(both["data", "sources"] as? [String] == ["scripted", "twin"])
    #expect(names.contains("scripted/s01") && names.contains("twin/s01"))
    let sequences = try #require(both["sequences"] as? [[String: Any]])
    #expect(sequences.contains { $0["name"] as? String == "twin/s01-floor" })
    let alone = try #require(try evaluation().metric("plank.accuracy"))
    #expect(abs(try #require(both.metric("plank.accuracy")) - alone) < 1e-12)
  }

  @Test("A tag tells sources apart within a dataset; every sequence must have it")
  func sourceTag() throws {
    let found = try evaluation("--source-tag", "view")
    #expect(try #require(found["data", "sources"] as? [String]).count > 1)
    let run = try Program.run("evaluate", Program.scripted, "--source-tag", "venue")
    #expect(run.status == 65 && run.errors.contains("has no tag `venue`"), "\(run.errors)")
  }

  @Test("A dataset whose name is a path is refused beside another")
  func hostileName() throws {
    let workspace = try Workspace()
    let other = workspace.path("other")
    try FileManager.default.copyItem(atPath: Program.scripted, toPath: other)
    let manifest = workspace.path("other/dataset.yaml")
    let text = try String(contentsOfFile: manifest, encoding: .utf8)
    for name in ["..", "a/b"] {
      try text.replacing("name: scripted", with: "name: \"\(name)\"")
        .write(toFile: manifest, atomically: true, encoding: .utf8)
      let run = try Program.run(
        "measure", Program.scripted, other, "--output", workspace.path("tables"))
      #expect(run.status == 65 && run.errors.contains("rename it in its manifest"))
      #expect(!FileManager.default.fileExists(atPath: workspace.path("tables")))
    }
  }

  @Test("Tables of several datasets score like the detector that wrote them")
  func severalTables() throws {
    let workspace = try Workspace()
    let other = workspace.path("other")
    try FileManager.default.copyItem(atPath: Program.scripted, toPath: other)
    let manifest = workspace.path("other/dataset.yaml")
    let text = try String(contentsOfFile: manifest, encoding: .utf8)
    try text.replacing("name: scripted", with: "name: twin")
      .write(toFile: manifest, atomically: true, encoding: .utf8)
    let folder = workspace.path("tables")
    let measure = try Program.run("measure", Program.scripted, other, "--output", folder)
    #expect(measure.status == 0, "\(measure.errors)")
    #expect(FileManager.default.fileExists(atPath: folder + "/twin/s01-floor.csv"))
    let (direct, again) = (
      try evaluation(other), try evaluation(other, "--predictions", folder)
    )
    #expect(try direct.confusion("plank") == again.confusion("plank"))
  }

  @Test("Events, latencies and the timer are always there, classes and spectra when asked for")
  func overTime() throws {
    let brief = try evaluation()
    for key in [
      "plank.event_f1", "plank.hit_rate", "plank.detection_latency_p50_s",
      "plank.detection_latency_p90_s", "plank.release_latency_p50_s", "session.hold_error_s",
      "session.longest_hold_error_s",
    ] { #expect(brief.metric(key) != nil, "\(key)") }
    #expect(brief["streams", "plank", "details"] == nil)
    let all = try evaluation("--verbose")
    let classes = try #require(
      all["streams", "form", "details", "temporal", "classes"] as? [[String: Any]])
    #expect(classes.map { $0["label"] as? String } == ["sag", "pike"])
    let rows = try #require(all["jitter", "on_holds"] as? [[String: Any]])
    #expect(rows.contains { $0["spectral"] != nil })
  }

  @Test("Text shows latencies in brief and Ward's table with --verbose", arguments: [false, true])
  func overTimeText(isVerbose: Bool) throws {
    let run = try Program.run(
      ["evaluate", Program.scripted]
        + (isVerbose ? ["--verbose"] : ["--section", "temporal,jitter"]))
    #expect(run.status == 0 && run.output.contains("Over time"))
    #expect(run.output.contains("observed"))
    #expect(run.output.contains("underfill") == isVerbose)
    #expect(run.output.contains("averaging s") == isVerbose)
  }

  @Test("`measure` prints jitter and writes spectra beside its tables")
  func spectra() throws {
    let workspace = try Workspace()
    let folder = workspace.path("tables")
    let run = try Program.run("measure", Program.scripted, "--output", folder, "--verbose")
    #expect(run.status == 0 && run.output.contains("averaging s"))
    let allan = try FileManager.default.contentsOfDirectory(atPath: folder + "/allan")
    #expect(!allan.isEmpty)
    let text = try String(contentsOfFile: folder + "/allan/" + allan[0], encoding: .utf8)
    #expect(text.hasPrefix("averaging_s,verticalRatio_-,"))
    #expect(text.split(separator: "\n")[0].hasSuffix(",sequence,subject"))
  }

  @Test("Tables name sequence and subject in every row, and are answers again, whatever the names")
  func tableNames() throws {
    let workspace = try Workspace()
    let folder = workspace.path("data")
    try FileManager.default.copyItem(atPath: Program.scripted, toPath: folder)
    try FileManager.default.moveItem(
      atPath: folder + "/s05-clip.poses.jsonl", toPath: folder + "/a, \"b\".poses.jsonl")
    try workspace.write(
      "sequences:\n  - {poses: 'a, \"b\".poses.jsonl', subject: 'x,y', labels: s05-clip.labels.csv}\n",
      to: "data/dataset.yaml")
    let tables = workspace.path("tables")
    let measured = try Program.run("measure", folder, "--output", tables)
    #expect(measured.status == 0, "\(measured.errors)")
    let text = try String(contentsOfFile: tables + "/a, \"b\".csv", encoding: .utf8)
    let rows = text.split(separator: "\n")
    #expect(rows[0].hasSuffix(",grade,sequence,subject"))
    #expect(rows.dropFirst().allSatisfy { $0.hasSuffix(#","a, ""b""","x,y""#) })
    #expect(try Program.run("evaluate", folder, "--predictions", tables).status == 0)
  }

  @Test("A parameter changes the answers, and is reported with its value")
  func parameters() throws {
    let found = try evaluation(
      "--detector", "gravity", "--set", "sag=3cm", "--set", "plank_frames=5")
    let parameters = try #require(found["detector", "parameters"] as? [[String: Any]])
    func number(_ key: String, _ member: String = "value") -> Double? {
      parameters.first { $0["parameter"] as? String == key }?[member] as? Double
    }
    #expect(number("sag") == 0.03 && number("sag", "default") == 0.05)
    #expect(number("plank_frames") == 5)
  }

  @Test(
    "Every list for programs says which version of its form it has",
    arguments: [
      ["detectors"], ["detectors", "gravity"], ["smoothers"],
      ["dataset", "hash", Program.scripted], ["dataset", "show", Program.scripted],
      ["dataset", "lint", Program.scripted],
    ])
  func versions(command: [String]) throws {
    let run = try Program.run(command + ["--format", "json"])
    let value = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    #expect(value?["schema_version"] as? Int == 1, "\(run.errors)")
    if command == ["detectors"] { #expect((value?["detectors"] as? [Any])?.count == 6) }
  }

  @Test(
    "A body height is called measured or a reference only if the header says so",
    arguments: [
      (#","height_estimation":"measured""#, "was measured"),
      (#","height_estimation":"reference""#, "is a reference, not a measurement"),
      ("", "does not say whether"),
    ])
  func heights(estimation: String, words: String) throws {
    let workspace = try Workspace()
    let header = BadInputTests.Case.good.replacingOccurrences(
      of: "}", with: #","body_height_m":1.7"# + estimation + "}")
    let dataset = try workspace.dataset(poses: header + "\n" + #"{"t":0,"p":[0,0,0]}"# + "\n")
    let run = try Program.run("dataset", "show", dataset, "--sequence", "a")
    let text = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("1.7 m " + words) || text.contains(words + " the body height of 1.7 m"))
  }

  @Test("Every committed dataset lints without an error")
  func lint() throws {
    let run = try Program.run("dataset", "lint", Program.scripted)
    #expect(run.status == 0, "\(run.output)")
  }
}
