import Foundation
import Testing

/// Real recordings, imported and evaluated from the command line.
///
/// Needs the folder in PLANKLAB_RECORDINGS; visibly skipped without it.
@Suite("Real recordings", .enabled(if: Program.recordings != nil, "set PLANKLAB_RECORDINGS"))
struct RealRecordingsTests {
  private let workspace: Workspace
  private let recordings: String

  init() throws {
    workspace = try Workspace()
    recordings = try #require(Program.recordings)
  }

  private func files(_ folder: String, _ ending: String) throws -> [String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: recordings + "/" + folder)
    return names.filter { $0.hasSuffix(ending) }.sorted().map { "\(recordings)/\(folder)/\($0)" }
  }

  private static func determinedShare(_ found: EvaluationJSON) -> Double? {
    found["streams", "plank", "counts", "determined_by_frames", "overall"] as? Double
  }

  @Test("On labeled planks another pair of thresholds beats the published one by far")
  func planks() throws {
    let folder = workspace.path("planks")
    let tables = try files("exercise-correction/history", ".csv")
    let run = try Program.run(
      ["import", "mediapipe"] + tables + [
        "--mirrored", "--label", "C=forearm/aligned", "--label", "H=forearm/pike", "--label",
        "L=forearm/sag", "--output", folder,
      ])
    try #require(run.status == 0, "\(run.errors)")
    let published = try EvaluationJSON(folder, "--detector", "article")
    let better = try EvaluationJSON(
      folder, "--detector", "article", "--set", "sag=1cm", "--set", "pike=11cm")
    let before = try #require(published.metric("form.balanced_accuracy"))
    let after = try #require(better.metric("form.balanced_accuracy"))
    #expect(before < 0.85 && after > 0.95, "\(before) -> \(after)")
    #expect(Self.determinedShare(published) == 1)
    let rows = try tables.map { path in
      try String(contentsOfFile: path, encoding: .utf8).split(whereSeparator: \.isNewline).count - 1
    }
    #expect(published["data", "counts", "frames"] as? Int == rows.reduce(0, +))
  }

  /// The number at a place in an object; nil if there is none.
  private func number(_ object: [String: Any], _ path: String...) -> Double? {
    path.reduce(object as Any?) { ($0 as? [String: Any])?[$1] } as? Double
  }

  @Test("Tuning on real planks leaves the published pair behind, on clips held out too")
  func tuning() throws {
    let folder = workspace.path("planks")
    let tables = try files("exercise-correction/history", ".csv")
    let run = try Program.run(
      ["import", "mediapipe"] + tables + [
        "--mirrored", "--label", "C=forearm/aligned", "--label", "H=forearm/pike", "--label",
        "L=forearm/sag", "--output", folder,
      ])
    try #require(run.status == 0, "\(run.errors)")
    let tuned = try Program.run(
      "tune", "experiments/sag-and-pike-clips", "--dataset", folder, "--format", "json")
    try #require(tuned.status == 0, "\(tuned.errors)")
    let report = try #require(
      JSONSerialization.jsonObject(with: Data(tuned.output.utf8)) as? [String: Any])
    let result = try #require(report["result"] as? [String: Any])
    let stream = try #require((result["streams"] as? [[String: Any]])?.first)
    let published = try #require(number(stream, "objective", "starting_point"))
    let nested = try #require(number(stream, "validation", "held_out", "value"))
    let found = try #require(stream["found"] as? [String: Any])
    let parameters = try #require(found["parameters"] as? [[String: Any]])
    let fact = try #require(parameters.first { $0["parameter"] as? String == "pike" })
    let pike = try #require(number(fact, "value"))
    #expect(nested > 0.95 && nested > published + 0.1, "\(published) -> \(nested)")
    #expect(pike > 0.05)
    #expect(number(stream, "plateau", "margin_steps").map { $0 >= 2 } == true)
  }

  @Test("Recordings without arms are no evidence, however well `none` agrees")
  func negatives() throws {
    let folder = workspace.path("negatives")
    let run = try Program.run(
      ["import", "mediapipe"] + (try files("exercise-correction/negatives", ".csv")) + [
        "--mirrored", "--label", "*=none", "--output", folder,
      ])
    try #require(run.status == 0, "\(run.errors)")
    let found = try EvaluationJSON(folder, "--detector", "article")
    let sequences = try #require(found["sequences"] as? [Any])
    #expect(
      (found["streams", "plank", "no_evidence"] as? [String])?.count == sequences.count)
    #expect(Self.determinedShare(found) == 0)
    #expect(found["metrics_determined", "plank.accuracy", "value"] is NSNull)
    let text = try Program.run("evaluate", folder, "--detector", "article")
    #expect(text.words.contains("the rules for the plank could decide none of the 5,365"))
  }

  @Test(
    "Motion capture gives the same false planks from any camera and in a mirror",
    arguments: [[], ["--rotate", "1,1,0=50"], ["--rotate", "z=-90"], ["--reflect"]])
  func motionCapture(options: [String]) throws {
    let folder = workspace.path("motion")
    let motions = try files("deepmimic", ".txt")
    let run = try Program.run(["import", "deepmimic"] + motions + ["--output", folder] + options)
    try #require(run.status == 0, "\(run.errors)")
    let confusion = try EvaluationJSON(folder, "--detector", "gravity").confusion("plank")
    // none, forearm, high, sideLeft, sideRight, reverse, over crawl, getup and walk.
    #expect(confusion[0] == [68 + 39, 177 + 17, 47, 0, 0, 51])
  }

  @Test("Lint finds the frames that two tables share, though each was scaled on its own")
  func sharedFrames() throws {
    let folder = workspace.path("shared")
    let tables =
      [recordings + "/exercise-correction/kaggle.csv"]
      + (try files("exercise-correction/history", ".csv")).filter { $0.contains("dataset2") }
    let run = try Program.run(
      ["import", "mediapipe"] + tables + [
        "--mirrored", "--clip-break", "1000", "--label", "C=forearm/aligned", "--output", folder,
      ])
    try #require(run.status == 0, "\(run.errors)")
    let lint = try Program.run("dataset", "lint", folder)
    #expect(lint.status == 0 && lint.output.contains("duplicate-frames"), "\(lint.output)")
  }
}
