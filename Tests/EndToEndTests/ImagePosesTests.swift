import Foundation
import Testing

/// Every command on recordings of 2D poses.
@Suite("2D poses from the command line")
struct ImagePosesTests {
  private let workspace: Workspace

  init() throws { workspace = try Workspace() }

  /// A session seen from the side, as a dataset of 2D poses.
  private func dataset(_ kind: String) throws -> String {
    let script = try workspace.write(
      """
      seed: 3
      output: {recording: \(kind)}
      camera: {distance_m: 2.2}
      noise: {preset: clean}
      holds:
        - {posture: standing, duration_s: 3}
        - {posture: forearm, duration_s: 5}
        - {posture: high, duration_s: 5, form: {hip_offset_m: -0.12}}
        - {posture: sideLeftHand, duration_s: 5}
        - {posture: reverse, duration_s: 5}
      """, to: "\(kind).yaml")
    let folder = workspace.path(kind)
    let made = try Program.run("synthesize", script, "--output", folder)
    try #require(made.status == 0, "\(made.errors)")
    return folder
  }

  @Test(
    "profile judges a body seen from the side in either skeleton",
    arguments: ["vision2d", "coco17"])
  func evaluate(kind: String) throws {
    let found = try EvaluationJSON(
      try dataset(kind), "--detector", "profile", "--set", "plank_frames=5")
    for stream in ["plank", "form"] {
      #expect(try #require(found.metric(stream + ".balanced_accuracy")) > 0.9)
    }
  }

  @Test("measure and explain show the measurements of the image and the confidence")
  func measuring() throws {
    let data = try dataset("vision2d")
    let tables = workspace.path("tables")
    let measured = try Program.run(
      "measure", data, "--detector", "profile", "--output", tables)
    try #require(measured.status == 0 && measured.errors.isEmpty, "\(measured.errors)")
    let name = try #require(
      try FileManager.default.subpathsOfDirectory(atPath: tables).first {
        $0.hasSuffix(".csv") && $0.hasPrefix("recordings/")
      })
    let lines = try String(contentsOfFile: tables + "/" + name, encoding: .utf8)
      .split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let column = try #require(lines.first?.firstIndex(of: "hipAngle_deg"))
    #expect(lines[0].contains("bodyLength_ih") && !lines[0].contains("hipDeviation_m"))
    // Bodies near the vertical have no such angle; planks have one in every frame.
    let planks = lines.dropFirst().filter { !["", "none", "ignore"].contains($0[1]) }
    #expect(!planks.isEmpty && planks.allSatisfy { !$0[column].isEmpty })
    let explained = try Program.run(
      "explain", data, "--at", "6", "--detector", "profile", "--verbose")
    #expect(explained.status == 0, "\(explained.errors)")
    #expect(explained.output.contains("profile_confidence"))
  }

  @Test("A sweep takes its parameters, with either engine")
  func sweeping() throws {
    _ = try dataset("coco17")
    let experiment = try workspace.write(
      """
      question: Where is a sagging body in the image?
      dataset: coco17
      detector: profile
      axes:
        profile_confidence: [0.1, 0.3, 0.9]
        profile_body_span: {from: 1, to: 3, step: 1}
        profile_sag_angle: {from: 165, to: 180, step: 5}
      objective: [plank.balanced_accuracy, form.balanced_accuracy]
      resamples: 50
      seed: 1
      """, to: "experiment.yaml")
    for engine in [[], ["--engine", "streaming"]] {
      let store = workspace.path("\(engine.count).sqlite")
      let swept = try Program.run(["sweep", experiment, "--store", store] + engine)
      #expect(swept.status == 0, "\(swept.errors)")
    }
  }

  @Test("A detector of positions says why it decides nothing, and cannot be tuned there")
  func mismatch() throws {
    let data = try dataset("vision2d")
    let evaluated = try Program.run("evaluate", data)
    #expect(evaluated.output.contains("the poses are points"), "\(evaluated.output)")
    let measured = try Program.run("measure", data, "--output", workspace.path("empty"))
    #expect(measured.errors.contains("`axes: image`"), "\(measured.errors)")
    let explained = try Program.run(
      "explain", Program.scripted, "--worst", "1", "--detector", "profile")
    #expect(explained.output.contains("the poses are 3D positions"), "\(explained.errors)")
    let experiment = try workspace.write(
      "question: Can it?\ndataset: vision2d\ndetector: gravity\n"
        + "axes:\n  sag: [3cm, 5cm]\nobjective: form.balanced_accuracy\nseed: 1\n",
      to: "experiment.yaml")
    let tuned = try Program.run("tune", experiment)
    #expect(tuned.status == 65 && tuned.errors.contains("points in an image"), "\(tuned.errors)")
  }
}
