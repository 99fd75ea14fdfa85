import Foundation
import PoseModel
import TestSupport
import Testing

@Suite("A gate in an app's CI")
struct AppGateTests {
  private static let rules =
    "baseline: baseline.json\nresamples: 1000\nrules:\n"
    + "  - {metric: plank.f1_macro, margin: 0.02, largest_drop: 0.05}\n"
    + "  - {metric: plank.accuracy, at_least: 0.3}\n"

  private func app(_ candidate: String) throws -> Workspace {
    let app = try Workspace()
    try Program.run(
      "synthesize", "--preset", "article", "--subjects", "4", "--seed", "3", "--frames", "1000",
      "--output", app.path("planklab/sessions")
    ).expect(0)
    try app.write("dataset: sessions\n\(candidate)\n" + Self.rules, to: "planklab/gate.yaml")
    return app
  }

  private func expectPass(_ line: String, in app: Workspace) throws {
    let run = try app.shell(line)
    #expect(run.status == 0, "\(line): \(run.output)\(run.errors)")
  }

  private func expectRegression(in app: Workspace) throws {
    let line =
      "planklab gate planklab/gate.yaml --write junit=gate.xml --write json=gate.json "
      + "--write github=gate.txt --format markdown"
    let run = try app.shell(line).expect(2)
    #expect(run.output.hasPrefix("# Do not merge: "))
    let result = try Program.result(app.text("gate.json"))
    let rule = try #require((result["rules"] as? [[String: Any]])?.first)
    let people = try #require(rule["worse_subjects"] as? [[String: Any]])
    let person = try #require(people.first?["subject"] as? String)
    let moment = try #require((result["worse_moments"] as? [[String: Any]])?.first)
    let sequence = try #require(moment["sequence"] as? String)
    #expect(["s01", "s02", "s03", "s04"].contains(person))
    #expect(moment["truth"] as? String != moment["prediction"] as? String)
    #expect((moment["duration_s"] as? Double ?? 0) > 0)
    for face in ["gate.xml", "gate.txt"] {
      let text = try app.text(face)
      #expect(text.contains("worse: \(person)"), "\(face): \(text)")
      #expect(text.contains(sequence), "\(face): \(text)")
    }
    #expect(run.output.contains("Worse in plank.f1\\_macro: \(person)"), "\(run.output)")
    #expect(run.output.contains("| \(sequence) |"), "\(run.output)")
  }

  @Test("Way 1: a threshold made worse fails both the check of the Swift file and the gate")
  func thresholdsFile() throws {
    let app = try app("parameters: ../thresholds.json")
    try app.writeThresholds(["elbow_split": 140], to: "thresholds.json")
    try expectPass(
      "planklab export thresholds.json --format swift --output PlankThresholds.swift", in: app)
    try expectPass("planklab baseline update planklab/gate.yaml --reason first", in: app)
    let check = "planklab export thresholds.json --format swift --check PlankThresholds.swift"
    try expectPass(check, in: app)
    try expectPass("planklab gate planklab/gate.yaml", in: app)

    try app.writeThresholds(["elbow_split": 179], to: "thresholds.json")
    let differs = try app.shell(check).expect(2)
    #expect((differs.output + differs.errors).contains("elbowSplit: Double = 179"))
    try expectRegression(in: app)
    try app.shell(
      "planklab gate planklab/gate.yaml --parameters thresholds.json"
    ).expect(2, output: "thresholds.json on sessions")
  }

  @Test("Way 2: a detector that is not ours, made worse, fails the gate")
  func ownDetector() throws {
    let app = try app("predictions: answers")
    try writeAnswers(in: app)
    try expectPass("planklab baseline update planklab/gate.yaml --reason first", in: app)
    try expectPass("planklab gate planklab/gate.yaml", in: app)
    try writeAnswers(in: app, elbow: "-0.999")
    try expectRegression(in: app)
    try FileManager.default.removeItem(atPath: app.path("planklab/answers"))
    try app.shell("planklab gate planklab/gate.yaml").expect(66)
  }

  private func writeAnswers(in app: Workspace, elbow: String = "-0.77") throws {
    let folder = app.path("planklab/sessions")
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder)
    where name.hasSuffix(".poses.jsonl") {
      var detector = OwnDetector(straightElbow: Double(elbow) ?? 0)
      let table = try WritePredictions().table(folder + "/" + name) { detector.update($0) }
      try app.write(table, to: "planklab/answers/\(name.dropLast(".poses.jsonl".count)).csv")
    }
  }

  @Test("The file that the page tells to copy is the one that is tested")
  func file() throws {
    let own = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("WritePredictions.swift")
    let page = Repository.file("docs/ci/WritePredictions.swift")
    #expect(try Data(contentsOf: own) == Data(contentsOf: page))
  }
}

/// A detector that an app might have: two angles, nothing of PlankDetection.
struct OwnDetector {
  var straightElbow = -0.77

  mutating func update(_ frame: PoseFrame) -> (plank: String, form: String) {
    guard let shoulder = frame.position(of: .leftShoulder),
      let elbow = frame.position(of: .leftElbow), let wrist = frame.position(of: .leftWrist),
      let ankle = frame.position(of: .leftAnkle)
    else { return ("", "") }
    let rise = cosine(shoulder - ankle, frame.axes.up).magnitude
    guard rise < 0.55 else { return ("none", "aligned") }
    let isStraight = cosine(shoulder - elbow, wrist - elbow) < straightElbow
    return (isStraight ? "high" : "forearm", "aligned")
  }

  private func cosine(_ a: Vector3, _ b: Vector3) -> Double {
    let length = a.norm * b.norm
    return length > 0 ? a.dot(b) / length : 0
  }
}

@Suite("The template of an app's CI")
struct TemplateTests {
  @Test(
    "The template gives the command line's answers to the frame",
    arguments: ["datasets/scripted", "datasets/studio"])
  func answers(dataset: String) throws {
    let workspace = try Workspace()
    // The template reads only unpacked recordings; the output of `make data` is not part of a
    // dataset.
    let unpack =
      "mkdir sessions && tar -C \(Program.root.path)/\(dataset) --exclude generated -cf - . "
      + "| tar -C sessions -xf - && gunzip -r sessions"
      + " && sed -i.bak 's/jsonl.gz/jsonl/' sessions/dataset.yaml"
      + " && planklab measure sessions --detector gravity --output answers"
    try workspace.shell(unpack).expect(0)
    let names = try FileManager.default.subpathsOfDirectory(atPath: workspace.path("sessions"))
      .filter { $0.hasSuffix(".poses.jsonl") }
    #expect(!names.isEmpty)
    for name in names {
      let own = try WritePredictions().table(workspace.path("sessions/" + name))
      let table = try workspace.text("answers/\(name.dropLast(12)).csv")
      #expect(Self.answers(own) == Self.answers(table), "\(name)")
      #expect(Self.answers(own).count > 1)
    }
  }

  private static func answers(_ table: String) -> [[Substring]] {
    let rows = table.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    let columns = ["plank", "form"].compactMap { name in
      rows.first?.firstIndex { $0 == name }
    }
    return rows.map { row in columns.map { row[$0] } }
  }
}
