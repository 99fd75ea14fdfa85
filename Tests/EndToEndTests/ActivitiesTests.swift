import Foundation
import Testing

@Suite("Activities, through the commands")
struct ActivitiesTests {
  private static let rows = """
    sequence,start,end,activity
    s01-floor,0,2.2,standing
    s01-floor,2.2,4.5,coming-down
    s01-floor,4.5,17.4,holding
    s01-floor,17.4,18,resting
    s02-sides,0,3,standing

    """

  private let workspace: Workspace

  init() throws { workspace = try Workspace() }

  /// A copy of the committed dataset with activities; they are beside the manifest alone.
  private func dataset(_ rows: String = rows) throws -> String {
    let path = try workspace.copyScripted(to: "data")
    try workspace.write(rows, to: "data/activities.csv")
    return path
  }

  @Test("Activities add up to the whole and change no score")
  func evaluate() throws {
    let path = try dataset()
    let plain = try EvaluationJSON([Program.scripted, "--detector", "gravity", "--set", "sag=4cm"])
    let json = try EvaluationJSON([path, "--detector", "gravity", "--set", "sag=4cm"])
    #expect(plain["activities"] == nil)
    let parts = try #require(json["activities"] as? [[String: Any]])
    func sum(_ key: String) -> Double {
      parts.reduce(0) { $0 + (($1["time"] as? [String: Any])?[key] as? Double ?? 0) }
    }
    let rows = try #require(
      json["streams", "plank", "counts", "confusion_seconds", "rows"] as? [[Double]])
    #expect(abs(sum("none_s") - rows[0].reduce(0, +)) < 1e-9)
    #expect(abs(sum("false_plank_s") - rows[0].dropFirst().reduce(0, +)) < 1e-9)
    #expect(sum("false_plank_s") > 0)
    let share = try #require(json.metric("session.false_plank_share"))
    #expect(abs(share - sum("false_plank_s") / sum("none_s")) < 1e-9)
    #expect(parts.contains { $0["activity"] == nil } && parts.count == 5)
    for key in ["plank.f1_macro", "form.accuracy", "session.hold_error_s"] {
      #expect(plain.metric(key) == json.metric(key))
    }
  }

  @Test("A rule of a gate covers one activity, and fails closed where nothing is known of it")
  func gate() throws {
    let path = try dataset()
    func judge(_ rule: String) throws -> Program.Run {
      try Program.run(
        "gate",
        try workspace.write(
          "dataset: \(path)\ndetector: gravity\nrules:\n  - {\(rule)}\n", to: "gate.yaml"))
    }
    let share = "metric: session.false_plank_share, activity: "
    try judge(share + "standing, at_most: 0.02").expect(0)
    try judge("metric: 'plank.recall[high]', activity: holding, at_least: 1.1").expect(
      2, output: "of activity holding")
    try judge(share + "sleeping, at_most: 0.5").expect(3, words: "no scored frame has the activity")
    try judge("metric: plank.hit_rate, activity: holding, at_least: 0.5").expect(
      65, errors: "gate.yaml:4")
    try judge(share + "standing, subject: s01, at_most: 0.5").expect(
      65, errors: "one of subject, activity and tag")
  }

  @Test(
    "A broken file stops every command with its line and a remedy, and nothing is lost",
    arguments: [
      ("s01-flor,0,1,x", "did you mean `s01-floor`?"), ("s01-floor,1,0,x", "swap or correct"),
      ("s01-floor,0,2,x\ns01-floor,1,3,y", "overlaps"), ("s01-floor,a,2,x", "12.5"),
      ("s01-floor,0,1", "sequence,start,end,activity"),
      ("s01-floor,0,1,\u{1B}]0;x\u{7}", "name what the person does"),
    ])
  func broken(rows: String, words: String) throws {
    let text = "sequence,start,end,activity\n" + rows + "\n"
    let path = try dataset(text)
    let page = try workspace.write("before", to: "page.html")
    let line = text.split(separator: "\n").count
    for command in [
      ["evaluate", path], ["compare", path, "gravity", "article"], ["label", path, "--html", page],
      ["dataset", "lint", path],
    ] {
      let run = try Program.run(command)
      let all = run.words + run.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(run.status == 65 && all.contains(words), "\(command): \(all)")
      #expect(all.contains("activities.csv:\(line):") && !all.contains("\u{1B}]"), "\(all)")
    }
    #expect(try Program.text(page) == "before")
    #expect(try Program.text(path + "/activities.csv") == text)
  }

  @Test("A packed table with a column of times becomes a recording with these times")
  func packedTable() throws {
    try workspace.write(ImportSamples.timedLandmarks, to: "film.csv")
    try workspace.shell("gzip film.csv").expect(0)
    let options = [
      "--image-size", "1920x1080", "--label", "*=ignore", "--output", workspace.path("out"),
    ]
    let packed = workspace.path("film.csv.gz")
    try Program.run(["import", packed, "--keep-clock"] + options).expect(0)
    let poses = try workspace.text("out/recordings/film.poses.jsonl")
    #expect(poses.split(separator: "\n")[1].hasPrefix("{\"t\":0.125"))
    try workspace.write("no gzip", to: "broken.csv.gz")
    try Program.run(
      ["import", workspace.path("broken.csv.gz"), "--map", "mediapipe-csv"] + options
    ).expect(65, errors: "not gzip data")
  }
}

@Suite("Labeling commands")
struct LabelingCommandsTests {
  private static let recording = Program.scripted + "/s01-floor.poses.jsonl"
  private static let labels = Program.scripted + "/s01-floor.labels.csv"

  @Test("`label` of a folder that is no dataset names its recordings")
  func folder() throws {
    let workspace = try Workspace()
    let page = workspace.path("page.html")
    for name in ["b.poses.jsonl", "a.poses.jsonl.gz", "a.labels.csv"] {
      try workspace.write("", to: "anna/" + name)
    }
    try Program.run("label", workspace.path("anna"), "--html", page).expect(
      64, errors: "(a.poses.jsonl.gz, b.poses.jsonl)", "planklab dataset update")
  }

  @Test("`evaluate` shows the agreement where a second person's labels lie beside the first's")
  func secondLabels() throws {
    let workspace = try Workspace()
    let folder = try workspace.copyScripted(to: "data")
    #expect(!(try Program.run("evaluate", folder)).output.contains("Two annotators"))
    try FileManager.default.copyItem(
      atPath: Self.labels, toPath: folder + "/s01-floor.second.labels.csv")
    #expect(try Program.run("evaluate", folder).output.contains("kappa plank"))
    #expect(
      try Program.run("evaluate", folder, "--section", "agreement").output
        .contains("Agreement of two annotators"))
  }
}
