import Foundation
import Testing

/// What commands print where nothing else is asked for.
@Suite("Default outputs")
struct DefaultOutputTests {
  /// Command lines, run in a folder with the committed data; each prepares what it needs.
  static let lines = [
    "planklab",
    "planklab evaluate datasets/scripted",
    "planklab evaluate datasets/scripted --verbose",
    "planklab evaluate datasets/scripted/s01-floor.poses.jsonl --detector coach",
    "planklab compare datasets/scripted article gravity",
    "planklab compare datasets/scripted article gravity coach",
    "planklab explain datasets/scripted s01-floor --at 0:02.9",
    "planklab explain datasets/scripted --worst 2",
    "planklab suggest datasets/scripted",
    "planklab suggest datasets/scripted --detector coach --verbose",
    "planklab tune experiments/first-steps",
    "planklab sweep experiments/first-steps",
    "planklab sweep experiments/first-steps >&2; planklab runs list",
    "planklab sweep experiments/first-steps >&2; planklab runs show",
    "planklab measure datasets/scripted --output measured",
    "planklab replay datasets/scripted s01-floor",
    "planklab detectors",
    "planklab detectors gravity",
    "planklab detectors coach",
    "planklab detectors profile",
    "planklab smoothers",
    "planklab smoothers list one-euro",
    "planklab smoothers compare datasets/scripted",
    "planklab dataset show datasets/scripted",
    "planklab dataset show datasets/scripted --sequence s01-floor",
    "planklab dataset show datasets/scripted --sequence s04-pelvis --joints --at 9",
    "planklab dataset lint datasets/scripted",
    "planklab dataset hash datasets/scripted",
    "planklab labels compare datasets/scripted/s01-floor.labels.csv "
      + "datasets/scripted/s02-sides.labels.csv",
    "planklab synthesize --list",
    "planklab synthesize datasets/studio/sample.yaml --output made",
    "planklab label datasets/scripted",
    "planklab studio datasets/scripted",
    "planklab gate gate.yaml || true",
    "planklab baseline show baseline.json # of the gate",
  ]

  /// Command lines whose output consists of measured numbers and counts, not of settings.
  static let measured = lines.filter { line in
    ["evaluate", "measure", "replay", "sweep", "dataset show", "labels compare", "compare", "gate"]
      .contains { line.hasPrefix("planklab " + $0) }
  }

  /// A folder with the committed data and a gate with its baseline.
  private static func workspace(gate: Bool) throws -> Workspace {
    let workspace = try Workspace()
    for folder in ["datasets", "experiments"] {
      try FileManager.default.createSymbolicLink(
        atPath: workspace.path(folder),
        withDestinationPath: Program.root.appendingPathComponent(folder).path)
    }
    guard gate else { return workspace }
    try workspace.write(
      """
      dataset: datasets/scripted
      detector: gravity
      baseline: baseline.json
      rules:
        - metric: plank.f1_macro
          largest_drop: 0.05

      """, to: "gate.yaml")
    let update = try Program.shell(
      "planklab baseline update gate.yaml --reason first --allow-dirty", in: workspace.folder)
    #expect(update.status == 0, "\(update.errors)")
    return workspace
  }

  @Test(
    "At a terminal with colors, pictures in characters fit too",
    .enabled(if: hasScript, "not on this system: it has no script of util-linux"),
    arguments: [
      "compare datasets/scripted article gravity", "replay datasets/scripted s01-floor",
      "evaluate datasets/scripted --verbose", "dataset show datasets/scripted",
    ])
  func colored(arguments: String) throws {
    let workspace = try Self.workspace(gate: false)
    // `swift test` sets NO_COLOR where its own output is no terminal.
    let run = try Program.shell(
      "env -u NO_COLOR TERM=xterm-256color"
        + " script -qec 'planklab \(arguments)' /dev/null < /dev/null",
      in: workspace.folder)
    // The color of text: a progress bar has `\u{1B}[K`.
    #expect(run.output.contains(/\u{1B}\[[0-9;]+m/))
    let plain = run.output.replacing(/\u{1B}\[[0-9;]*[mK]/, with: "").replacing("\r\n", with: "\n")
    let lines = plain.split(separator: "\n").compactMap { $0.split(separator: "\r").last }
    let wide = lines.filter { $0.count > 80 }
    #expect(wide.isEmpty, "\(wide.joined(separator: "\n"))")
  }

  /// Whether `script` of util-linux can give a command a terminal.
  private static let hasScript =
    (try? Program.shell("script --version | grep -q util-linux"))?.status == 0

  @Test(
    "Lines fit 80 columns, numbers have commas, and one of a thing is singular", arguments: lines)
  func output(line: String) throws {
    let workspace = try Self.workspace(gate: line.contains("gate"))
    let run = try Program.shell(line, in: workspace.folder)
    #expect(run.status == 0 && !run.output.isEmpty, "\(run.errors)")
    let wide = run.output.split(separator: "\n").filter { line in
      line.count > 80 && !line.contains(workspace.folder.path)
    }
    #expect(wide.isEmpty, "\(wide.joined(separator: "\n"))")
    let nouns = "frames|sequences|subjects|recordings|people|sources|cells|folds|minutes"
    let all = run.output + run.errors
    let plurals = try all.matches(of: Regex("(?m)(^|[^.,0-9])1 (\(nouns))\\b(?! per)"))
    #expect(plurals.isEmpty, "\(plurals.map { all[$0.range] })")
    guard Self.measured.contains(line) else { return }
    let bare = run.output.matches(of: /(?m)(?:^|[ (])(\d{4,}(?:\.\d+)?)(?=$|[ ,;)])/).map(\.1)
    #expect(bare.isEmpty, "\(bare.joined(separator: " "))")
  }
}
