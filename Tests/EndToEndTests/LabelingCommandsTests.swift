import Foundation
import Testing

/// From a dump or a recording to labels, and from two people's labels to their agreement.
@Suite("Labeling commands")
struct LabelingCommandsTests {
  private static let recording = Program.scripted + "/s01-floor.poses.jsonl"
  private static let labels = Program.scripted + "/s01-floor.labels.csv"

  @Test("`label` writes one page without a network address")
  func page() throws {
    let workspace = try Workspace()
    let page = workspace.path("page.html")
    let run = try Program.run("label", Self.recording, "--html", page)
    #expect(run.status == 0, "\(run.errors)")
    let html = try String(contentsOfFile: page, encoding: .utf8)
    #expect(html.contains("default-src 'none'") && html.contains("hipDeviation"))
    #expect(!html.contains("http://") && !html.contains("https://"))
  }

  @Test("`label` of a dataset writes one page of all recordings with the labels that are there")
  func datasetPage() throws {
    let workspace = try Workspace()
    let page = workspace.path("page.html")
    let run = try Program.run("label", Program.scripted, "--html", page)
    #expect(run.status == 0 && run.output.contains("6 recordings, 6 with labels"), "\(run.errors)")
    let html = try String(contentsOfFile: page, encoding: .utf8)
    #expect(html.contains("id=\"recording-5-data\"") && !html.contains("recording-6-data"))
    let one = try Program.run(
      "label", Program.scripted, "--labels", Self.labels, "--html", page)
    #expect(one.status == 64 && one.errors.contains("--labels is for one recording"))
  }

  @Test("`label` of a folder that is no dataset names its recordings")
  func folder() throws {
    let workspace = try Workspace()
    let page = workspace.path("page.html")
    for name in ["b.poses.jsonl", "a.poses.jsonl.gz", "a.labels.csv"] {
      try workspace.write("", to: "anna/" + name)
    }
    let run = try Program.run("label", workspace.path("anna"), "--html", page)
    #expect(run.status == 64, "\(run.errors)")
    #expect(run.errors.contains("(a.poses.jsonl.gz, b.poses.jsonl)"), "\(run.errors)")
    #expect(run.errors.contains("planklab dataset init"))
  }

  @Test("An Audacity track becomes a label file that lints clean")
  func audacity() throws {
    let workspace = try Workspace()
    let track = try workspace.write("0\t1.5\tnone\n1.5\t3\tlow sag\n", to: "track.txt")
    let output = workspace.path("a.labels.csv")
    let run = try Program.run(
      "labels", "import", track, "--label", "low sag=forearm/sag", "--output", output)
    #expect(run.status == 0, "\(run.errors)")
    let text = try String(contentsOfFile: output, encoding: .utf8)
    #expect(text.hasPrefix("start,end,plank,form\n") && text.contains(",forearm,sag"))
    let bad = try Program.run("labels", "import", track, "--output", output)
    #expect(bad.status == 65 && bad.errors.contains("low sag"), "\(bad.errors)")
  }

  @Test("A person agrees fully with a copy of the own labels")
  func agreement() throws {
    let run = try Program.run(
      "labels", "compare", Self.labels, Self.labels, "--recording", Self.recording, "--format",
      "json")
    #expect(run.status == 0, "\(run.errors)")
    let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    let kappa = json?["plank.annotators_cohen_kappa"] as? [String: Any]
    #expect(kappa?["value"] as? Double == 1)
  }

  @Test("`evaluate` shows the agreement where a second person's labels lie beside the first's")
  func secondLabels() throws {
    let workspace = try Workspace()
    let folder = workspace.path("data")
    try FileManager.default.copyItem(atPath: Program.scripted, toPath: folder)
    #expect(!(try Program.run("evaluate", folder)).output.contains("Two annotators"))
    try FileManager.default.copyItem(
      atPath: Self.labels, toPath: folder + "/s01-floor.second.labels.csv")
    #expect(try Program.run("evaluate", folder).output.contains("s: kappa plank"))
    #expect(
      try Program.run("evaluate", folder, "--section", "agreement").output
        .contains("Agreement of two annotators"))
  }

  @Test("A dump of Vision observations becomes a pelvis recording, and `show` says what that means")
  func visionDump() throws {
    let workspace = try Workspace()
    let joints = [
      "root", "rightHip", "rightKnee", "rightAnkle", "leftHip", "leftKnee", "leftAnkle", "spine",
      "centerShoulder", "centerHead", "topHead", "leftShoulder", "leftElbow", "leftWrist",
      "rightShoulder", "rightElbow", "rightWrist",
    ]
    let positions = joints.enumerated().map { index, joint in
      #""\#(joint)":[\#(Double(index) / 20),\#(Double(index) / 10),0]"#
    }.joined(separator: ",")
    let matrix = "[1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,-2,1]"
    let frames = (0..<3).map { frame in
      #"{"timestamp":\#(Double(frame) / 10),"joints":{\#(positions)},"cameraOriginMatrix":\#(matrix)}"#
    }
    let dump = try workspace.write(
      (frames + [#"{"timestamp":0.9,"joints":null}"#]).joined(separator: "\n") + "\n",
      to: "walk.jsonl")
    let folder = workspace.path("walk")
    let run = try Program.run(
      "import", "vision3d", dump, "--orientation", "portrait", "--subject", "anna", "--output",
      folder)
    try #require(run.status == 0, "\(run.errors)")
    let show = try Program.run("dataset", "show", folder, "--sequence", "recordings/walk")
    #expect(show.output.contains("Pelvis axes") && show.output.contains("anna"), "\(show.output)")
    #expect(try Program.run("evaluate", folder).status == 0)
  }
}
