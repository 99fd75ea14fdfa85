import Foundation
import Testing

/// The gate that docs/ci.md tells to write, on the sample data that it is shown with.
@Suite("The documented gate")
struct DocumentedGateTests {
  /// The block of the page that is written to a file.
  private func documented(_ path: String) throws -> String {
    let page = Program.root.appendingPathComponent("docs/ci.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let mark = try #require(text.range(of: "<!-- proof: file \(path) -->\n```yaml\n"))
    let end = try #require(text.range(of: "```\n", range: mark.upperBound..<text.endIndex))
    return String(text[mark.upperBound..<end.lowerBound])
  }

  /// An app's folder with the sample sessions, the gate and a detector.
  private func app() throws -> Workspace {
    let app = try Workspace()
    try FileManager.default.createDirectory(
      atPath: app.path("planklab"), withIntermediateDirectories: true)
    let sample = Program.root.appendingPathComponent("datasets/studio")
    try FileManager.default.createDirectory(
      atPath: app.path("planklab/sessions"), withIntermediateDirectories: true)
    for name in ["dataset.yaml", "recordings"] {
      try FileManager.default.copyItem(
        atPath: sample.appendingPathComponent(name).path,
        toPath: app.path("planklab/sessions/\(name)"))
    }
    try app.write(try documented("planklab/gate.yaml"), to: "planklab/gate.yaml")
    return app
  }

  /// A detector with its thresholds, as an app has it, and the built-in one.
  private static let detectors = [
    #"{"format": "planklab-thresholds", "schema_version": 1, "detector": "gravity", "parameters": {}}"#,
    #"""
    {"format": "planklab-thresholds", "schema_version": 1, "detector": "gravity",
      "debounce": "dwell:enter=0.3s,exit=0.5s@plank", "parameters": {"sag": "2cm", "pike": 0.13}}
    """#,
  ]

  @Test("It passes on the page's sample, and its first line says so", arguments: detectors)
  func passes(detector: String) throws {
    let app = try app()
    try app.write(detector, to: "thresholds.json")
    let update = try Program.shell(
      "planklab baseline update planklab/gate.yaml --reason first", in: app.folder)
    try #require(update.status == 0, "\(update.errors)")
    let run = try Program.shell("planklab gate planklab/gate.yaml", in: app.folder)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.hasPrefix("Merge: every rule of gate.yaml holds\n"), "\(run.output)")
  }
}
