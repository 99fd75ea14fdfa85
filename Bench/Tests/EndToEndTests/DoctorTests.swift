import Foundation
import TestSupport
import Testing

@Suite("Doctor and imports by a map")
struct DoctorTests {
  private static let corpus = Program.root.appendingPathComponent(
    "Bench/Tests/FuzzTests/Corpora/table")

  private func workspace(_ names: String...) throws -> Workspace {
    let workspace = try Workspace()
    for name in names {
      try workspace.write(
        try Data(contentsOf: Self.corpus.appendingPathComponent(name)), to: name)
    }
    return workspace
  }

  private func commands(in output: String) -> [String] {
    output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { $0.hasPrefix("planklab ") }
  }

  @Test(
    "The commands that doctor prints import the file, typed literally",
    arguments: [
      "csv_wide.csv", "csv_long.csv", "keyed_by_time.json", "session_with_metadata.json",
      "unity.jsonl", "lists_beside_each_other.json", "arrays.npz", "vision_matrices.jsonl",
    ])
  func imports(name: String) throws {
    let workspace = try workspace(name)
    let told = try Program.shell("planklab doctor \(name)", in: workspace.folder)
    #expect(told.status == 0, "\(told.output)\(told.errors)")
    let commands = commands(in: told.output)
    #expect(!commands.isEmpty, "\(told.output)")
    for command in commands {
      let run = try Program.shell(command, in: workspace.folder)
      #expect(run.status == 0, "\(command): \(run.errors)")
    }
    let stem = String(name.prefix { $0 != "." })
    let show = try Program.shell("planklab dataset hash \(stem)", in: workspace.folder)
    #expect(show.status == 0, "\(show.errors)")
  }

  @Test("Doctor fits 80 columns")
  func width() throws {
    let workspace = try workspace("vision_matrices.jsonl", "csv_wide.csv")
    for line in ["planklab doctor vision_matrices.jsonl", "planklab doctor ."] {
      let told = try Program.shell(line, in: workspace.folder)
      let widest =
        told.output.split(separator: "\n")
        .filter { !$0.contains("planklab ") }.map(\.count).max() ?? 0
      #expect(widest <= 80, "\(told.output)")
    }
  }

  @Test("What cannot be imported ends with 65 and the way out; a missing file with 66")
  func refused() throws {
    let workspace = try workspace("coco_results.json")
    let told = try Program.shell("planklab doctor coco_results.json", in: workspace.folder)
    #expect(told.status == 65 && told.words.contains("--image-size"))
    let sized = try Program.shell(
      "planklab doctor coco_results.json --image-size 1080x1920 --write-map m.yaml",
      in: workspace.folder)
    #expect(sized.status == 0, "\(sized.output)\(sized.errors)")
    let imported = try Program.shell(
      "planklab import table coco_results.json --map m.yaml --output points", in: workspace.folder)
    #expect(imported.status == 0, "\(imported.errors)")
    #expect(try Program.run("doctor", workspace.path("none.json")).status == 66)
  }

  @Test("Built-in maps are listed, printed, and read back")
  func maps() throws {
    let workspace = try Workspace()
    let list = try Program.run("import", "maps")
    #expect(list.status == 0 && list.output.contains("mediapipe-tasks"))
    let map = try Program.run("import", "maps", "arkit")
    #expect(map.output.contains("anchor_matrix: transform"))
    try workspace.write(map.output, to: "mine.yaml")
    try workspace.write("{\"timestamp\":0,\"joints\":{}}\n", to: "a.json")
    let run = try Program.shell(
      "planklab import table a.json --map mine.yaml --output a", in: workspace.folder)
    #expect(run.status == 65 || run.status == 0, "\(run.errors)")
    let unknown = try Program.run("import", "maps", "mediapipe-task")
    #expect(unknown.status == 64 && unknown.errors.contains("did you mean `mediapipe-tasks`"))
  }

  @Test("Doctor replaces no input with its map")
  func overwrite() throws {
    let workspace = try workspace("csv_wide.csv")
    let run = try Program.shell(
      "planklab doctor csv_wide.csv --write-map csv_wide.csv", in: workspace.folder)
    #expect(run.status == 73, "\(run.errors)")
    let text = try String(contentsOfFile: workspace.path("csv_wide.csv"), encoding: .utf8)
    #expect(text.hasPrefix("time,"))
  }
}
