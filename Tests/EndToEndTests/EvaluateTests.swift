import Foundation
import Testing

@Suite("Evaluation of a dataset")
struct EvaluateTests {
  private func evaluation(_ arguments: String...) throws -> EvaluationJSON {
    try EvaluationJSON([Program.scripted] + arguments)
  }

  @Test("CSV has a row per cell of the matrices of all recordings and of each slice")
  func csv() throws {
    let run = try Program.run(
      "evaluate", Program.scripted, "--detector", "gravity", "--format", "csv")
    let lines = run.output.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    #expect(
      lines.first?.joined(separator: ",") == "stream,by,value,label,prediction,frames,seconds")
    let json = try EvaluationJSON(Program.scripted, "--detector", "gravity", "--no-next")
    let scored = try #require(json["streams", "plank", "counts", "frames", "scored_frames"] as? Int)
    func frames(_ by: String) -> Int {
      lines.filter { $0[0] == "plank" && $0[1] == by }.reduce(0) { $0 + (Int($1[5]) ?? 0) }
    }
    #expect(frames("all") == scored && frames("subject") == frames("all"))
    #expect(frames("tag:view") > 0)
    try Program.run("detectors", "--format", "csv").expect(64, errors: "give --format json")
  }

  @Test(
    "Equivalent data has the same numbers",
    .enabled(if: Program.hasPython, "not on this system: the proof needs Python 3.10"))
  func transformations() throws {
    let sample = "opposite order|in two|earlier|half a turn|lengths|mirror image, with labels"
    let run = try Program.shell(
      "exec scripts/proofs/metamorphic.py --planklab '\(Program.path)' --detector trunk "
        + "--only '\(sample)'"
    ).expect(0)
    let end = /metamorphic: 7 transformations, [1-9][0-9]{4} values compared: 0 differ/
    #expect(run.output.contains(end), "\(run.output)")
  }

  @Test("Files are hashed for results that show the hash, and for no others")
  func hashes() throws {
    let workspace = try Workspace()
    let copy = try workspace.copyScripted(to: "data")
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
    "The next command evaluates thresholds on the data that they were chosen from",
    arguments: [
      ("evaluate DATA --source-tag view --calibrate first=2s", "view --calibrate first=2s"),
      ("compare DATA coach gravity --source-tag view", "view"),
      ("smoothers compare DATA --only --candidate median:frames=3", nil),
    ])
  func next(command: String, sourcesAndOptions: String?) throws {
    let workspace = try Workspace()
    defer { withExtendedLifetime(workspace) {} }
    let file = workspace.path("thresholds.json")
    let words = command.split(separator: " ").map { $0 == "DATA" ? Program.scripted : String($0) }
    let options = sourcesAndOptions.map { " --source-tag " + $0 } ?? ""
    try Program.run(words + ["--split", "test", "--thresholds", file]).expect(
      0,
      errors:
        "next: planklab evaluate \(Program.scripted) --split test\(options) --parameters \(file)\n"
    )
  }

  @Test("The next command evaluates tuned thresholds on the data that they were tuned on")
  func nextTuned() throws {
    let workspace = try Workspace()
    let experiment = try workspace.write(
      """
      question: Which angle is a sag?
      dataset: \(Program.scripted)
      detector: coach
      axes: {coach_sag_angle_calibrated: [168, 172]}
      objective: [form.balanced_accuracy]
      """, to: "experiment.yaml")
    let file = workspace.path("thresholds.json")
    let options = ["--split", "tune", "--calibrate", "first=2s"]
    let run = try Program.run(["tune", experiment, "--thresholds", file] + options).expect(0)
    let next = try #require(
      run.errors.split(separator: "\n").first { $0.hasPrefix("next: planklab evaluate ") })
    #expect(
      next.hasSuffix(" \(options.joined(separator: " ")) --parameters \(file)"), "\(run.errors)")
  }

  @Test("The command that tunes a drafted experiment has the options that the draft does not have")
  func drafted() throws {
    let workspace = try Workspace()
    let file = workspace.path("drafted.yaml")
    let undrafted = ["--set", "side_rise=0.14", "--seed", "5", "--allow-ungrouped"]
    try Program.run(
      ["tune", Program.scripted, "--experiment", file, "--detector", "gravity", "--split", "tune"]
        + undrafted
    ).expect(
      0,
      errors:
        "edit the file and run planklab tune \(file) \(undrafted.joined(separator: " "))\n")
  }

  @Test("A comparison of smoothers says with which cost of lag to run it again")
  func lagCost() throws {
    let comparison = "smoothers compare DATA --only --candidate median:frames=3 --format json"
    let words = comparison.split(separator: " ").map {
      $0 == "DATA" ? Program.scripted : String($0)
    }
    for options in [[], ["--lag-cost", "1.5"]] {
      let result = try Program.run(words + options).expect(0).result()
      let commands = try #require(result["commands"] as? [String: Any])
      let again = try #require(commands["again"] as? [String])
      #expect(again.suffix(2) == (options.isEmpty ? ["median:frames=3", "--only"] : options[...]))
    }
  }

  @Test("The next command compares a patch on the same data, with the same smoothing and debounce")
  func patch() throws {
    let workspace = try Workspace()
    let (smoothing, debounce) = ("ema:cutoff=2Hz@joints", "dwell:enter=0.2s,switch=0.3s,exit=0.3s")
    let strategies = "smoothing=\(smoothing) debounce=\(debounce)"
    let typed = [
      "--split", "tune", "--source-tag", "view", "--detector", "gravity", "--set",
      "elbow_split=100", "--smoothing", smoothing, "--debounce", debounce,
    ]
    let own = workspace.path("own.json")
    let thresholds: [String: Any] = [
      "format": "planklab-thresholds", "schema_version": 1, "detector": "gravity",
      "parameters": ["elbow_split": 100], "smoothing": smoothing, "debounce": debounce,
    ]
    try workspace.write(JSONSerialization.data(withJSONObject: thresholds), to: "own.json")
    let cases = [
      (
        "typed", typed, "'gravity elbow_split=100 \(strategies)'",
        " --split tune --source-tag view"
      ),
      ("file", ["--parameters", own], own, ""),
    ]
    for (name, options, first, data) in cases {
      let patch = workspace.path(name + ".yaml")
      try Program.run(["suggest", Program.scripted, "--patch", patch] + options).expect(
        0,
        errors:
          "next: planklab compare \(Program.scripted) \(first) '\(patch) \(strategies)'\(data)\n")
    }
  }

  @Test("With several datasets, each is a source, and people with one name stay apart")
  func severalDatasets() throws {
    let workspace = try Workspace()
    try Program.run("evaluate", Program.scripted, workspace.copyScripted(to: "same")).expect(
      65, errors: "two datasets are called scripted")
    let other = try workspace.copyScripted(to: "other", name: "twin")
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
    try Program.run("evaluate", Program.scripted, "--source-tag", "venue").expect(
      65, errors: "has no tag `venue`")
  }

  @Test("A dataset whose name is a path is refused beside another")
  func hostileName() throws {
    let workspace = try Workspace()
    for (folder, name) in [("one", ".."), ("other", "a/b")] {
      let other = try workspace.copyScripted(to: folder, name: name)
      try Program.run(
        "measure", Program.scripted, other, "--output", workspace.path("tables")
      ).expect(65, errors: "rename it in its manifest")
      #expect(!FileManager.default.fileExists(atPath: workspace.path("tables")))
    }
  }

  @Test("Tables of several datasets score like the detector that wrote them")
  func severalTables() throws {
    let workspace = try Workspace()
    let other = try workspace.copyScripted(to: "other", name: "twin")
    let folder = workspace.path("tables")
    try Program.run("measure", Program.scripted, other, "--output", folder).expect(0)
    #expect(FileManager.default.fileExists(atPath: folder + "/twin/s01-floor.csv"))
    let (direct, again) = (
      try evaluation(other), try evaluation(other, "--predictions", folder)
    )
    #expect(try direct.confusion("plank") == again.confusion("plank"))
  }

  @Test("Tables name sequence and subject in every row, and are answers again, whatever the names")
  func tableNames() throws {
    let workspace = try Workspace()
    let folder = try workspace.copyScripted(to: "data")
    try FileManager.default.moveItem(
      atPath: folder + "/s05-clip.poses.jsonl", toPath: folder + "/a, \"b\".poses.jsonl")
    try workspace.write(
      "sequences:\n  - {poses: 'a, \"b\".poses.jsonl', subject: 'x,y', labels: s05-clip.labels.csv}\n",
      to: "data/dataset.yaml")
    let tables = workspace.path("tables")
    try Program.run("measure", folder, "--output", tables).expect(0)
    let text = try Program.text(tables + "/a, \"b\".csv")
    let rows = text.split(separator: "\n")
    #expect(rows[0].hasSuffix(",grade,sequence,subject"))
    #expect(rows.dropFirst().allSatisfy { $0.hasSuffix(#","a, ""b""","x,y""#) })
    try Program.run("evaluate", folder, "--predictions", tables).expect(0)
  }
}

@Suite("Holds of a replay")
struct ReplayHoldTests {
  private func hold(_ replay: [String: Any], _ key: String) throws -> (Double, Double) {
    let holds = try #require(replay["holds"] as? [String: Any])
    func seconds(_ side: String) throws -> Double {
      try #require((holds[side] as? [String: Any])?[key] as? Double)
    }
    return (try seconds("labels"), try seconds("predictions"))
  }

  private func replay(labels: String?, in workspace: Workspace) throws -> [String: Any] {
    let source = URL(fileURLWithPath: Program.scripted + "/s01-floor.poses.jsonl")
    let path = try workspace.write(Data(contentsOf: source), to: "a.poses.jsonl")
    if let labels { try workspace.write(labels, to: "a.labels.csv") }
    return try Program.run("replay", path, "--format", "json").expect(0).result()
  }

  @Test("Ignored frames do not count, and a gap beyond 0.5 s ends a hold")
  func rules() throws {
    let workspace = try Workspace()
    let rows = "0,2,high,aligned\n2,2.4,none,\n2.4,4,high,aligned\n4,5,none,\n5,6,high,aligned\n"
    let replay = try replay(
      labels: "start,end,plank,form\n" + rows + "6,60,ignore,\n", in: workspace)
    let (total, longest) = (try hold(replay, "total_s").0, try hold(replay, "longest_s").0)
    #expect(abs(total - 4.6) < 0.11, "\(total)")
    #expect(abs(longest - 4) < 0.11, "\(longest)")
  }

  @Test("Without labels every frame counts; without a scored frame none does, with the reason")
  func unlabeled() throws {
    func undefined(_ replay: [String: Any], _ side: String) throws -> String? {
      let holds = try #require(replay["holds"] as? [String: Any])
      let total = try #require((holds[side] as? [String: Any])?["total_s"] as? [String: Any])
      #expect(total["value"] is NSNull)
      return total["reason"] as? String
    }
    let whole = try replay(labels: nil, in: Workspace())
    let answers = (whole["holds"] as? [String: Any])?["predictions"] as? [String: Any]
    #expect(try #require(answers?["total_s"] as? Double) > 1)
    #expect(try undefined(whole, "labels") == "there are no labels")
    let ignored = try replay(labels: "start,end,plank,form\n0,60,ignore,\n", in: Workspace())
    #expect(try undefined(ignored, "predictions") == "no frame is scored")
  }
}
